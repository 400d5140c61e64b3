"""Chips whose cores hear each other over rings of light: sizes, netlists and their audit."""
