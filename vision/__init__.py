"""Reads dice from pictures. Knows nothing of the companion."""
