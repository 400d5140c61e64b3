"""Polatis' names over RESTCONF, from public client code of theirs and others."""

JSON = "application/yang-data+json"
MODULE, REVISION = "optical-switch", "2017-08-04"
SWITCH = "/api/data/optical-switch:product-information"
CROSS_CONNECTS = "/api/data/optical-switch:cross-connects"
PORTS = "/api/data/optical-switch:port-config"
#: Lets light through some ports, and keeps others dark.
SET_STATE, INPUT = "/api/operations/optical-switch:port-set-state", "optical-switch:input"
ENABLE, DISABLE = "port-enab", "port-disab"
PAIRS, PORT_CONFIG = "optical-switch:cross-connects", "optical-switch:port-config"
PORT_ENABLED, PORT_DISABLED = "PORT_ENABLED", "PORT_DISABLED"
