"""Reports and drawings of findings."""
