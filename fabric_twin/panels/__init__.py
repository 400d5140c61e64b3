"""Parts of pages, for our own records and for Nautobot's."""
