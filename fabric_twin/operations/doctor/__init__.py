"""The doctor: whether this installation can do its work, and what to do where it cannot."""
