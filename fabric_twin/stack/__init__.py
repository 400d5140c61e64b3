"""The whole stack on one machine: PostgreSQL, Redis, Nautobot, Celery, under one supervisor."""
