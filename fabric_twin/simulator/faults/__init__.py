"""What can go wrong: each kind of fault is made, can be seen, and can be mended.

kinds.py       what a kind is, and the list of all
cabling.py     cables and connectors: swapped, misplugged, missing, dirty, broken, ..
equipment.py   modules, trays, cubes and copper
switching.py   mirrors, boards, power, fans, and switches that lie
surprises.py   what real switches do though nobody expects it
book.py        the faults there are
script.py      faults from a file
rates.py       faults by chance
"""
