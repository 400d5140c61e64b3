"""Netlists of chips as files: rings, modulators, filters, FIFOs and waveguides (docs/chips.md)."""
