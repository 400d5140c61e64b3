"""Audit a cut sheet, and diagnose a fabric."""
