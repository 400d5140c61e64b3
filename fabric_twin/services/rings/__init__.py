"""Flow entries of a cluster on its switches: read, and sent."""
