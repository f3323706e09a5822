"""Brings devices together: where dice, button presses and screens come from."""
