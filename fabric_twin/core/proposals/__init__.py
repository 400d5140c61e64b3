"""What a ticket proposes before anybody decides: circuits, records, and whom it interrupts.

proposal.py      all of it together, with its risk, and how each stage is checked and undone
effects.py       what a ticket changes in the records beside its circuits
in_use.py        the pod as it is used now: what every proposal begins with
targets.py       what is taken out of service, and what goes with it
blast_radius.py  whom it concerns: slices, owners, links, capacity
wishes.py        what a wish may say, by its kind; for_finding.py: the wish that answers a finding
circuits.py, defragmentation.py, maintenance.py, off_port.py, return_to_service.py
                 a planner for each kind of wish
"""
