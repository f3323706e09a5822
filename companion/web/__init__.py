"""The page for a phone at the table."""
