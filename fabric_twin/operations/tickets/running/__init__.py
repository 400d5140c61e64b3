"""Tickets that a worker carries out: when, by which job, and how far."""
