"""Documents of a pod: maps of ports, faces and slots, light paths, labels, cut lists."""
