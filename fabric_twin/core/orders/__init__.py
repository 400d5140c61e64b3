"""Work orders: what hands must do, in an order that is short, clear and checked.

floor        where racks stand           cableway   how long a cable is
materials    what is needed, and there   steps      one thing that somebody does
order        the whole                   install, moving, repairing   what makes one
lock         whether a hand may          life, progress, reports      what became of it
measure      steps, visits, metres       hands      the plant that the steps make
"""
