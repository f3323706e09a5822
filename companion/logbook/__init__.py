"""Reading sessions back."""
