"""Cables that are not where they belong, by what cubes hear."""
