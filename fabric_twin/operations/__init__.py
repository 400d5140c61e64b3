"""Use cases on records, a package a domain; each uses only those to its right.

orders > tickets > audits > pods > slices
"""
