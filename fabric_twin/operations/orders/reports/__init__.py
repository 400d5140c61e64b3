"""What technicians report of their steps, and what that changes in the records."""
