"""Use cases on multislices: ask for one, and release it, over all of its pods at once."""
