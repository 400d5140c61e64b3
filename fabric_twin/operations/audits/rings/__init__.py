"""Audits of the rings of a cluster: what packet switches show, and what a fault costs jobs."""
