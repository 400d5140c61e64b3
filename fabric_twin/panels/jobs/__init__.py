"""Parts of pages that show jobs: how far they are, and what a dry run leads to."""
