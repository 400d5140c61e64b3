"""Files of clusters of groups: their rings, and what switches forward."""
