"""Work orders on paper."""
