"""What a start may find, and sets right: what is left over, taken by others, or full.

facts            what is told to other terminals, and that who tells it is not stopped
left_over        processes of an earlier start, whose supervisor was killed
ports            the port that each server keeps, and another where somebody else has taken it
moved_fabric     records of the demo's fabric follow it to another port
database_lock    another stack that runs on the database of an operator's server
space            what is free on the disk of the folder
"""
