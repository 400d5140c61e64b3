"""Pods: load, adopt, sync, export, remove."""
