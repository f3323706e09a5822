"""The box's devices: buttons, lamps, display, serial pad. Knows nothing of the companion."""

from hardware.errors import HardwareError

__all__ = ["HardwareError"]
