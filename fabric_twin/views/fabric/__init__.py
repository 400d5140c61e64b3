"""Pages that say who answers in the fabric, and have it read."""
