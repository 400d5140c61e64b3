"""What pages of jobs ask: how far one is, and to run for real what a dry run tried."""
