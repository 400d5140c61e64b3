"""Drawings of chips and their rings."""
