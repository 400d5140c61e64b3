"""Use cases on networks of blocks: load one, and keep what its blocks ask of each other."""
