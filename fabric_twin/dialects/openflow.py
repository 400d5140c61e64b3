"""OpenFlow 1.3's numbers and names (ONF TS-025), as far as flow entries of rings need them."""

VERSION = 4
VERSIONS = {1: "1.0", 2: "1.1", 3: "1.2", 4: "1.3", 5: "1.4", 6: "1.5"}

# Kinds of messages.
HELLO, ERROR, ECHO_REQUEST, ECHO_REPLY, EXPERIMENTER = 0, 1, 2, 3, 4
FEATURES_REQUEST, FEATURES_REPLY = 5, 6
CONFIG_REQUEST, CONFIG_REPLY, SET_CONFIG = 7, 8, 9
FLOW_MOD = 14
MULTIPART_REQUEST, MULTIPART_REPLY = 18, 19
BARRIER_REQUEST, BARRIER_REPLY = 20, 21
ROLE_REQUEST, ROLE_REPLY = 24, 25

#: The element of a hello that lists versions as bits.
VERSION_BITMAP = 1
#: Kinds of multipart answers, and the flag that says that more follows.
DESCRIPTION, FLOW, AGGREGATE, TABLE = 0, 1, 2, 3
TABLE_FEATURES, PORT_DESCRIPTION, MORE = 12, 13, 1

# Ports, groups, tables and buffers that stand for any or none.
ANY = NO_BUFFER = 0xFFFFFFFF
ALL_TABLES = 0xFF
#: The port where it came in; ports from `PORT_MAX` on are reserved.
IN_PORT, PORT_MAX = 0xFFFFFFF8, 0xFFFFFF00
ALL_PORTS, CONTROLLER = 0xFFFFFFFC, 0xFFFFFFFD
#: What a switch can tell, and what a port says of its link.
FLOW_STATS, TABLE_STATS = 1, 2
LINK_DOWN = 1

# What a flow mod does, and what it asks the switch to check.
ADD, MODIFY, MODIFY_STRICT, DELETE, DELETE_STRICT = 0, 1, 2, 3, 4
CHECK_OVERLAP = 2
#: All flags that there are.
FLAGS = 31

#: A match by fields (OXM), and the header of the field for the port where it came in.
OXM, OXM_IN_PORT = 1, 0x80000004
#: The class of the fields that the specification names, and how long each is.
OXM_BASIC = 0x8000
OXM_LENGTHS = (
    *(4, 4, 8, 6, 6, 2, 2, 1, 1, 1, 1, 4, 4, 2, 2, 2, 2, 2, 2, 1),
    *(1, 2, 4, 4, 6, 6, 16, 16, 4, 1, 1, 16, 6, 6, 4, 1, 1, 3, 8, 2),
)
GOTO_TABLE, WRITE_ACTIONS, APPLY_ACTIONS, METER, OUTPUT = 1, 3, 4, 6, 0

#: What a switch refuses with, by type and code.
ERRORS = {
    (0, 0): "OFPHFC_INCOMPATIBLE",
    (0, 1): "OFPHFC_EPERM",
    (1, 0): "OFPBRC_BAD_VERSION",
    (1, 1): "OFPBRC_BAD_TYPE",
    (1, 2): "OFPBRC_BAD_MULTIPART",
    (1, 3): "OFPBRC_BAD_EXPERIMENTER",
    (1, 5): "OFPBRC_EPERM",
    (1, 6): "OFPBRC_BAD_LEN",
    (1, 8): "OFPBRC_BUFFER_UNKNOWN",
    (1, 9): "OFPBRC_BAD_TABLE_ID",
    (1, 10): "OFPBRC_IS_SLAVE",
    (2, 0): "OFPBAC_BAD_TYPE",
    (2, 1): "OFPBAC_BAD_LEN",
    (2, 4): "OFPBAC_BAD_OUT_PORT",
    (2, 6): "OFPBAC_EPERM",
    (3, 0): "OFPBIC_UNKNOWN_INST",
    (3, 1): "OFPBIC_UNSUP_INST",
    (3, 2): "OFPBIC_BAD_TABLE_ID",
    (3, 7): "OFPBIC_BAD_LEN",
    (4, 0): "OFPBMC_BAD_TYPE",
    (4, 1): "OFPBMC_BAD_LEN",
    (4, 5): "OFPBMC_BAD_WILDCARDS",
    (4, 6): "OFPBMC_BAD_FIELD",
    (4, 7): "OFPBMC_BAD_VALUE",
    (4, 8): "OFPBMC_BAD_MASK",
    (4, 10): "OFPBMC_DUP_FIELD",
    (5, 0): "OFPFMFC_UNKNOWN",
    (5, 1): "OFPFMFC_TABLE_FULL",
    (5, 2): "OFPFMFC_BAD_TABLE_ID",
    (5, 3): "OFPFMFC_OVERLAP",
    (5, 4): "OFPFMFC_EPERM",
    (5, 5): "OFPFMFC_BAD_TIMEOUT",
    (5, 6): "OFPFMFC_BAD_COMMAND",
    (5, 7): "OFPFMFC_BAD_FLAGS",
    (13, 5): "OFPTFFC_EPERM",
}
