"""Clusters of processor groups over packet switches: sizes, wiring rule and names."""
