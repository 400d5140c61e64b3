"""Nautobot Jobs, one verb per file; each is registered here when it is built. None is yet."""
