"""Migrations, named and reversible."""
