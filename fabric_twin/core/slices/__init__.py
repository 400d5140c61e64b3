"""Slices: their shapes, where they fit, and the circuits that they need."""
