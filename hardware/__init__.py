"""The box's devices: buttons, lamps, display, serial pad. Knows nothing of the companion."""
