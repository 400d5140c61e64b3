"""Read a pod from files, and render its documents."""
