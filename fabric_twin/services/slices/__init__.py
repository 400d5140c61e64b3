"""Allocate slices, and replay a trace of wishes."""
