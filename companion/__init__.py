"""The companion: a box that sits beside a boxed war game."""

__version__ = "0.1.0"
