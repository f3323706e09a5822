"""One ask as rows of text, and what the four buttons do to it.

Pure: a `Console` is told what is on the table and which button was pressed; it says what is on the
screen and what the player wants. The OLED and its twin in the terminal show it.
"""
