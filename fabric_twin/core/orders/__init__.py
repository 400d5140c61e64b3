"""Work orders: steps for technicians, in an order that is short, clear and checked.

planning/                  how an order is made
floor                      where racks stand
materials, parts, measure  what an order needs and costs
steps, order, finding      one step, the whole order, a finding as an order reads it
port_lock, checking        whether a port may be touched, and what light says of a bundle
life, progress, reports    what became of an order and its steps
"""
