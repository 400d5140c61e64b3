"""What pages and paper say of networks of blocks."""
