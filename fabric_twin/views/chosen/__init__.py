"""What is done at once with several rows of a list."""
