"""Commands of `nautobot-server`, where Django looks for them."""
