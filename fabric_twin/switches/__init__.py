"""How a fabric is spoken to: read, change and watch its switches, and read its cubes by light.

driver.py   the seam: what a driver can do; another vendor's driver is a package of theirs
states.py   what a switch and a cube say of themselves
changes.py  what a switch is asked to change, and what came of it, circuit by circuit
fabric.py   many targets at once
"""
