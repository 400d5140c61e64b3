"""Pages of what networks have, and pods have not."""
