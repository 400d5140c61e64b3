"""GraphQL: Nautobot makes the types of all records but these."""
