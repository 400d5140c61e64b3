"""OpenFlow 1.3's numbers and names (ONF TS-025), as far as flow entries of rings need them."""

VERSION = 4
VERSIONS = {1: "1.0", 2: "1.1", 3: "1.2", 4: "1.3", 5: "1.4", 6: "1.5"}

# Kinds of messages.
HELLO, ERROR, ECHO_REQUEST, ECHO_REPLY = 0, 1, 2, 3
FEATURES_REQUEST, FEATURES_REPLY = 5, 6
FLOW_MOD = 14
MULTIPART_REQUEST, MULTIPART_REPLY = 18, 19
BARRIER_REQUEST, BARRIER_REPLY = 20, 21

#: The element of a hello that lists versions as bits.
VERSION_BITMAP = 1
#: Kinds of multipart answers, and the flag that says that more follows.
FLOW, PORT_DESCRIPTION, MORE = 1, 13, 1

# Ports, groups, tables and buffers that stand for any or none.
ANY = NO_BUFFER = 0xFFFFFFFF
ALL_TABLES = 0xFF
#: The port where it came in; ports from `PORT_MAX` on are reserved.
IN_PORT, PORT_MAX = 0xFFFFFFF8, 0xFFFFFF00

# What a flow mod does, and what it asks the switch to check.
ADD, DELETE_STRICT = 0, 4
CHECK_OVERLAP = 2

#: A match by fields (OXM), and the header of the field for the port where it came in.
OXM, OXM_IN_PORT = 1, 0x80000004
APPLY_ACTIONS, OUTPUT = 4, 0

#: What a switch refuses with, by type and code.
ERRORS = {
    (0, 0): "OFPHFC_INCOMPATIBLE",
    (0, 1): "OFPHFC_EPERM",
    (1, 0): "OFPBRC_BAD_VERSION",
    (1, 1): "OFPBRC_BAD_TYPE",
    (1, 2): "OFPBRC_BAD_MULTIPART",
    (1, 5): "OFPBRC_EPERM",
    (1, 6): "OFPBRC_BAD_LEN",
    (1, 9): "OFPBRC_BAD_TABLE_ID",
    (1, 10): "OFPBRC_IS_SLAVE",
    (2, 0): "OFPBAC_BAD_TYPE",
    (2, 4): "OFPBAC_BAD_OUT_PORT",
    (2, 6): "OFPBAC_EPERM",
    (3, 0): "OFPBIC_UNKNOWN_INST",
    (3, 1): "OFPBIC_UNSUP_INST",
    (4, 0): "OFPBMC_BAD_TYPE",
    (4, 6): "OFPBMC_BAD_FIELD",
    (4, 7): "OFPBMC_BAD_VALUE",
    (5, 0): "OFPFMFC_UNKNOWN",
    (5, 1): "OFPFMFC_TABLE_FULL",
    (5, 2): "OFPFMFC_BAD_TABLE_ID",
    (5, 3): "OFPFMFC_OVERLAP",
    (5, 4): "OFPFMFC_EPERM",
    (5, 5): "OFPFMFC_BAD_TIMEOUT",
    (5, 6): "OFPFMFC_BAD_COMMAND",
    (5, 7): "OFPFMFC_BAD_FLAGS",
}
