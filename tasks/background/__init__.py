"""What workers do a moment after something happened: no jobs, known to Celery by name."""
