"""What people read of clusters of groups: jobs and their rings."""
