"""What the pages of clusters show."""
