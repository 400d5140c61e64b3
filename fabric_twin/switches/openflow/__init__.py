"""Flow entries of packet switches over OpenFlow 1.3.

table.py       an entry, a row of ours, and what a switch shows of both
messages.py    the bytes of messages, written and read
connection.py  a connection on which a request has its answer
switch.py      read a switch, change it, and read it back
circuits.py    the same as a driver of circuits, for tickets and audits
"""
