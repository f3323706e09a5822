"""The games, a folder each: a script over the engine, and its data."""
