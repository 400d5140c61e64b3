"""Topologies of a network: asked for, and planned."""
