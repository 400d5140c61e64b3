"""The records as the core knows them, and the core's answers as records: set by set."""
