"""Propose tickets and carry them out."""
