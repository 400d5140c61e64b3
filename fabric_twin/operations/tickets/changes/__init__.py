"""What a ticket changes in the records, and whether that can still be done."""
