"""Template tags for Nautobot's own pages."""
