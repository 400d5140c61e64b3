"""The App over REST: the records by Nautobot's own means, and actions that refuse in our words."""
