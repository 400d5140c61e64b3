"""Documents of tickets and proposals."""
