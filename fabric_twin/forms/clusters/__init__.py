"""Forms of what only clusters are asked for."""
