"""What a ticket proposes before anybody decides: circuits, records, and whom it interrupts.

effects.py    what a ticket changes in the records beside its circuits
blast.py      whom something takes along: slices, owners, links, capacity
proposal.py   all of it together, with its risk, and how each stage is checked and undone
"""
