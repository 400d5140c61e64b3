"""Commands of `nautobot-server`."""
