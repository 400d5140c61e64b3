"""Use cases, one verb a file: the command line, a job and a page call the same."""
