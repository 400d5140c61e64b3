"""Packet switches that take flow entries over OpenFlow 1.3, by its specification (ONF TS-012).

refusal.py        what it refuses with
matching.py       what packets a row matches, and how two rows meet
flow_table.py     the rows of a switch, and the acts that change them
packet_switch.py  a switch: its datapath, ports and table
messages.py       requests read and answers written, as bytes
conversation.py   what a switch answers to each message
listening.py      an address of its own for each switch

Where packets go is not simulated: what a switch forwards is what its table says.
"""
