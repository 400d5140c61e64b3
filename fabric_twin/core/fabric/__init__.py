"""The frame that every kind of fabric stands on: columns over ports, and what cables join."""
