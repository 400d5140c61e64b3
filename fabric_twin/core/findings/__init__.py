"""Findings once they are recorded."""
