"""A network of blocks over a layer of switches, without a spine: its topology follows demand.

network     blocks, their strands, and which switch port each is wired to
links       how many links each pair of blocks should have: uniform, engineered, isolated
"""
