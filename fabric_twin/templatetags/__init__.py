"""What templates of Nautobot are told of our records."""
