"""What pages, REST and paper say of a record: read, never written."""
