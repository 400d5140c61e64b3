"""A fabric that behaves, fails and lies like a real plant, over the protocol of real switches."""
