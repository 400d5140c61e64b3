"""Parts of pages of networks of blocks."""
