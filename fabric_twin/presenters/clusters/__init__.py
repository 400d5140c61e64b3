"""What pages and paper show of clusters."""
