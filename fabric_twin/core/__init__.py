"""The pure core: what a pod should look like, and what is wrong with one. No Django, no I/O."""
