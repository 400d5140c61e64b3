"""Circuits of switches: what they join, which are allowed, and how to get from some to others."""
