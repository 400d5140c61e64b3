"""What the fabric does for an order: dark ports, light tests, the audit that closes it."""
