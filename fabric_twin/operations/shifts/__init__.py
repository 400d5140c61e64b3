"""Shifts: who had the fabric before, and what they said of it."""
