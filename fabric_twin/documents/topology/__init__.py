"""Topologies as people read them."""
