"""Slices: make and release them, and say how a pod is used."""
