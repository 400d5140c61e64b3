"""The demo: a pod with slices, findings, tickets and orders, and a network of blocks."""
