"""One ask as rows of text."""
