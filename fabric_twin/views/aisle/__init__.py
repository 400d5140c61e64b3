"""Pages for a technician with a phone."""
