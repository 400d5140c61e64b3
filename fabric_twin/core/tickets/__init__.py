"""A ticket: what may be done with it, what it does to circuits, and how far it is.

life.py           the states, who may do what, and what it leads to
course.py         what is carried out: stages, and the circuits after each
carrying.py       the next step, from where it is and what switches show now
qualification.py  whether light passes what was added as it should
"""
