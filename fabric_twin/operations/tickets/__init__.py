"""Tickets: every act of a ticket's life, from its draft to its end."""
