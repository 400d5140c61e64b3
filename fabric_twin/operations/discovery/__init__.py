"""Which cable is in which port of a pod, learned by light; and records that follow it."""
