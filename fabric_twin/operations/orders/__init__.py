"""Work orders: propose, issue, hand out, close."""
