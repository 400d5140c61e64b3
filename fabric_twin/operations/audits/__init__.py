"""Audits: run one, store its findings, and know which places changed since."""
