"""Files that say what a network of blocks is, and what is asked of it."""
