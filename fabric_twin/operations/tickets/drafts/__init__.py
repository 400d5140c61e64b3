"""Drafts of tickets: propose, write, revise."""
