"""Rings of jobs in a cluster of groups: which links they take, and what switches forward for them.

plane     what a ring runs in: a row or column of processors, and a lane
wiring    the switches of a cluster as rings see them
ring      a ring, and its flow entries in order
laying    links taken one after the other, or what is short
job       who has groups and rings
state     all jobs of a cluster, and what is lost in it
place     where a job would stand
ask       a job comes, or goes
failure   a group or a switch is lost, or comes back
change    what to remove and to add, and that no plan changes less
audit     entries as they are against the rings
sending   what was asked of switches, and what came of it
"""
