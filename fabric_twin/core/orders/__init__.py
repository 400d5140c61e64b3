"""Work orders: what hands must do, in an order that is short, clear and checked.

floor, cableway               where racks stand, and how long cables are
materials, parts              what is needed, and what of it is there
steps, order                  one thing that somebody does, and the whole
plugs                         the plant that steps make: never two cables on a port
install, moving, repairing    what makes an order; deeds, bench and visits put tasks in turn
lock, checking                whether a hand may, and what light says of a bundle
life, progress, reports       what became of an order and its steps
measure                       steps, visits, metres, time
"""
