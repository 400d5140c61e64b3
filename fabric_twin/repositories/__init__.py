"""The database as the core wants it, and back: columns from few queries, sets written at once."""
