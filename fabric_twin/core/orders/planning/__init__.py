"""Orders as they are made: findings and wishes become tasks, visits and steps.

install, moving, repairing        one kind of order each
remedy_steps, escalation          what mends a finding, and what is tried next where it does not
connections, plugs, cableway      one connection, every plug in its port, the length of a cable
draft, visits, drained            tasks in turn, by rack; what must be dark before
"""
