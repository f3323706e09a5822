"""How the reader's networks were made: a generator of pictures of dice, and the training itself."""
