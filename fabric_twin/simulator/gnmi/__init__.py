"""gNMI as switches and cubes serve it."""
