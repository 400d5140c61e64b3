"""The demo: a pod with slices, findings, tickets and orders, for who looks for the first time."""
