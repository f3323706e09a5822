"""What can go wrong with pictures and cameras."""


class VisionError(Exception):
    """The root of every error that this package raises on purpose."""


class FrameError(VisionError, ValueError):
    """A picture that can't be read: wrong type, shape or size."""


class DiceSetError(VisionError, LookupError):
    """A dice set that is not known, or whose samples can't be used."""


class LabelError(VisionError, ValueError):
    """A labelled folder whose labels can't be understood."""
