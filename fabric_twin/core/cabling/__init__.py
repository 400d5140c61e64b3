"""The plant of a pod: intended and recorded cables, and their strands."""
