"""What upstream refuses and takes, as requests that can be sent to any server.

Each row brings its own rows of OCS_CROSS_CONNECT; of the server it asks only that the switch has
ports 1A to 4B, that nothing is called NO_SUCH, and that circuits at first do not matter.
"""

import json

from pygnmi.spec.v080 import gnmi_pb2 as gnmi

from tests.upstream.asking import (
    CIRCUITS,
    CONFIG,
    STATE,
    Code,
    Rule,
    Taken,
    circuit,
    get,
    path,
    prefix,
    set_,
    subscribe,
    update,
)

_JSON = gnmi.TypedValue(json_val=json.dumps(circuit("1A", "1B")).encode())
_STRING = gnmi.TypedValue(string_val="1B")
_ROW = f"{CIRCUITS}/1A-1B"
_FIRST = set_(update(CIRCUITS, {"1A-1B": circuit("1A", "1B"), "2A-2B": circuit("2A", "2B")}))
_ONLY = set_(update(CIRCUITS, {"1A-1B": circuit("1A", "1B")}))
_GOOD = update(_ROW, circuit("1A", "1B"))
_TARGETS = (Code.NOT_FOUND, ("Target conflict in path",))
_NAMESPACES = (Code.NOT_FOUND, ("Namespace/container conflict in path",))
_NO_TARGET = (Code.NOT_FOUND, ("No target specified in path",))
_NO_ENTRY = (Code.NOT_FOUND, ("No valid entry found for path",))
_NOT_IETF = (Code.UNKNOWN, ("Fail to parse", "Value encoding is not IETF JSON"))

_GETS = [
    Rule("get: two databases", get(f"{CONFIG}/OCS_PORT", f"{STATE}/OCS_PORT"), *_TARGETS),
    Rule(
        "get: two namespaces",
        get(f"{STATE}/OCS_PORT", "STATE_DB/asic0/OCS_PORT"),
        *_NAMESPACES,
    ),
    Rule("get: only the prefix has elements", get("", before=f"{STATE}/OCS_PORT"), *_NO_TARGET),
    Rule("get: an empty path", get(""), *_NO_TARGET),
    Rule("get: no namespace", get("STATE_DB"), Code.NOT_FOUND, ("Invalid elem length",)),
    Rule("get: no such database", get("NO_DB/localhost/A"), Code.NOT_FOUND, ("Invalid target",)),
    *(
        Rule(
            f"get: type {gnmi.GetRequest.DataType.Name(kind)}",
            get(f"{STATE}/OCS_PORT", kind=kind),
            Code.UNIMPLEMENTED,
            ("unsupported request type",),
        )
        for kind in (gnmi.GetRequest.CONFIG, gnmi.GetRequest.STATE, gnmi.GetRequest.OPERATIONAL)
    ),
    Rule(
        "get: an encoding nobody speaks",
        get(f"{STATE}/OCS_PORT", encoding=gnmi.ASCII),
        Code.UNIMPLEMENTED,
        ("unsupported encoding",),
    ),
    Rule(
        "get: a table in gNMI's default encoding",
        get(f"{STATE}/OCS_PORT", encoding=gnmi.JSON),
        Code.NOT_FOUND,
        ("Unknown encoding JSON",),
    ),
    Rule("get: a row in it", get(f"{STATE}/OCS_PORT/1A", encoding=gnmi.JSON), *_NO_ENTRY),
    Rule("get: no such table", get(f"{CONFIG}/NO_SUCH"), Code.NOT_FOUND, ("Failed to find",)),
    Rule(
        "get: one such among others",
        get(f"{STATE}/OCS_PORT", f"{STATE}/NO_SUCH"),
        Code.NOT_FOUND,
        ("Failed to find",),
    ),
    Rule("get: no such row of CONFIG_DB", get(f"{CIRCUITS}/NO_SUCH"), *_NO_ENTRY),
    Rule("get: no such row of STATE_DB", get(f"{STATE}/OCS_PORT/NO_SUCH"), *_NO_ENTRY),
    Rule("get: no such field", get(f"{STATE}/OCS_PORT/1A/no_such"), *_NO_ENTRY),
    Rule(
        "get: two origins",
        gnmi.GetRequest(
            path=[path(f"{STATE}/OCS_PORT", "sonic-db"), path("system", "openconfig")],
            encoding=gnmi.JSON_IETF,
        ),
        Code.UNIMPLEMENTED,
        ("Origin conflict in path",),
    ),
]
_SETS = [
    Rule("set: two databases", set_(_GOOD, delete=[f"{STATE}/OCS_PORT/1A"]), *_TARGETS),
    Rule(
        "set: two namespaces",
        set_(_GOOD, delete=["CONFIG_DB/asic0/OCS_CROSS_CONNECT/1A-1B"]),
        *_NAMESPACES,
    ),
    Rule("set: only the prefix has elements", set_(update("", {}), before=CIRCUITS), *_NO_TARGET),
    Rule(
        "set: delete and update both without elements",
        set_(update("", {}), delete=[""]),
        *_NO_TARGET,
    ),
    Rule(
        "set: STATE_DB",
        set_(update(f"{STATE}/OCS_PORT/1A/status", "tuned")),
        Code.UNKNOWN,
        ("Set RPC does not support STATE_DB",),
    ),
    # Upstream tries the row on its checkpoint first, where a value of another kind is empty text.
    Rule("set: a row as json_val", set_(update(_ROW, _JSON)), *_NOT_IETF),
    Rule("set: a leaf as a string", set_(update(f"{_ROW}/b_side", _STRING)), *_NOT_IETF),
    Rule(
        "set: the root as json_val, beside others",
        set_(_GOOD, update("", _JSON)),
        Code.UNKNOWN,
        ("Value encoding is not IETF JSON",),
    ),
    Rule(
        "set: an update without a value",
        gnmi.SetRequest(prefix=prefix(), update=[gnmi.Update(path=path(_ROW))]),
        Code.UNKNOWN,
        ("Invalid update",),
    ),
    Rule("set: a row that is a word", set_(update(_ROW, "1B")), Code.UNKNOWN, ("Invalid entry",)),
    Rule(
        "set: a table that is a word",
        set_(update(CIRCUITS, "1B")),
        Code.UNKNOWN,
        ("Invalid table",),
    ),
    Rule(
        "set: a leaf that is a number",
        set_(update(f"{_ROW}/b_side", 1)),
        Code.UNKNOWN,
        ("Invalid field",),
    ),
    Rule(
        "set: replace a row that is not there",
        set_(replace=[update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B"))]),
        Code.UNKNOWN,
        ("Invalid entry",),
        (_FIRST,),
    ),
    Rule(
        "set: replace a table that is not there",
        set_(replace=[update(f"{CONFIG}/NO_SUCH", {"a": {"b": "c"}})]),
        Code.UNKNOWN,
        ("Invalid database",),
    ),
    Rule(
        "set: update all of the database by its path",
        set_(update(CONFIG, {"OCS_CROSS_CONNECT": {}})),
        Code.UNKNOWN,
        ("Invalid db table Path",),
    ),
    Rule(
        "set: remove a table and add a row to it",
        set_(_GOOD, delete=[CIRCUITS]),
        Code.UNKNOWN,
        ("Validate json patch", "not found"),
        (_FIRST,),
    ),
    Rule(
        "set: remove the last row of a table, and not the table",
        set_(delete=[_ROW]),
        Code.UNKNOWN,
        ("Failed to apply patch", "empty tables"),
        (_ONLY,),
    ),
    Rule(
        "set: a table without rows",
        set_(update(CIRCUITS, {})),
        Code.UNKNOWN,
        ("Failed to apply patch", "empty tables"),
        (_FIRST,),
    ),
]
_SUBSCRIPTIONS = [
    Rule("subscribe: two databases", subscribe(CIRCUITS, f"{STATE}/OCS_PORT"), *_TARGETS),
    Rule(
        "subscribe: two namespaces",
        subscribe(f"{STATE}/OCS_PORT", "STATE_DB/asic0/OCS_PORT"),
        *_NAMESPACES,
    ),
    Rule("subscribe: only the prefix has elements", subscribe("", before=CIRCUITS), *_NO_TARGET),
    Rule("subscribe: nothing", subscribe(), Code.NOT_FOUND, ("No Subscription",)),
    Rule(
        "subscribe: a poll first",
        gnmi.SubscribeRequest(poll=gnmi.Poll()),
        Code.INVALID_ARGUMENT,
        ("first message must be SubscriptionList",),
    ),
    Rule(
        "subscribe: let the switch choose the mode",
        subscribe(f"{STATE}/OCS_PORT", mode=gnmi.TARGET_DEFINED),
        Code.INVALID_ARGUMENT,
        ("unsupported subscription mode, TARGET_DEFINED",),
    ),
    Rule(
        "subscribe: no such table",
        subscribe(f"{STATE}/NO_SUCH"),
        Code.INVALID_ARGUMENT,
        ("Failed to find",),
    ),
    Rule(
        "subscribe: neither origin nor target",
        gnmi.SubscribeRequest(
            subscribe=gnmi.SubscriptionList(
                subscription=[gnmi.Subscription(path=path(CIRCUITS), mode=gnmi.ON_CHANGE)]
            )
        ),
        Code.UNIMPLEMENTED,
        ("Empty target data not supported",),
    ),
]
BREAKING = [*_GETS, *_SETS, *_SUBSCRIPTIONS]

_THIRD = update(f"{CIRCUITS}/3A-3B", circuit("3A", "3B"))
_LABEL = update(f"{CONFIG}/OCS_PORT/1A", {"label": "router1_port1", "state": "normal"})
_MACHINE = {"localhost": {"hostname": "other", "switch_type": "ocs", "type": "SonicOCS"}}
TAKEN = [
    Taken(
        "an update of a table replaces it",
        (_FIRST, _ONLY),
        CIRCUITS,
        {"1A-1B": circuit("1A", "1B")},
    ),
    Taken(
        "an update of a row leaves the others",
        (_ONLY, set_(_THIRD)),
        CIRCUITS,
        {"1A-1B": circuit("1A", "1B"), "3A-3B": circuit("3A", "3B")},
    ),
    Taken(
        "an update of a row replaces all its fields",
        (set_(_LABEL), set_(update(f"{CONFIG}/OCS_PORT/1A", {"state": "normal"}))),
        f"{CONFIG}/OCS_PORT/1A",
        {"state": "normal"},
    ),
    Taken(
        "an update of a leaf leaves the others",
        (_ONLY, set_(update(f"{_ROW}/b_side", "2B"))),
        _ROW,
        circuit("1A", "2B"),
    ),
    Taken(
        "elements of the prefix go before those of the path",
        (_ONLY, set_(update("2A-2B", circuit("2A", "2B")), before=CIRCUITS)),
        f"{CIRCUITS}/2A-2B",
        circuit("2A", "2B"),
    ),
    Taken(
        "what is not there is deleted in silence",
        (_ONLY, set_(delete=[f"{CIRCUITS}/4A-4B", f"{CONFIG}/NO_SUCH"])),
        CIRCUITS,
        {"1A-1B": circuit("1A", "1B")},
    ),
    Taken(
        "deletes come before updates",
        (_ONLY, set_(update(_ROW, circuit("1A", "3B")), delete=[_ROW])),
        CIRCUITS,
        {"1A-1B": circuit("1A", "3B")},
    ),
    Taken(
        "replaces come before updates",
        (
            _ONLY,
            set_(
                update(f"{_ROW}/b_side", "4B"),
                replace=[update(_ROW, circuit("1A", "3B"))],
            ),
        ),
        _ROW,
        circuit("1A", "4B"),
    ),
    Taken(
        "all rows may go where others come",
        (_FIRST, set_(_THIRD, delete=[_ROW, f"{CIRCUITS}/2A-2B"])),
        CIRCUITS,
        {"3A-3B": circuit("3A", "3B")},
    ),
    Taken("a table is deleted as a table", (_FIRST, set_(delete=[CIRCUITS])), CIRCUITS, None),
    Taken(
        "the first row of a table makes the table",
        (_ONLY, set_(delete=[CIRCUITS]), set_(_THIRD)),
        CIRCUITS,
        {"3A-3B": circuit("3A", "3B")},
    ),
    Taken(
        "a port may be in two circuits",
        (_ONLY, set_(update(f"{CIRCUITS}/1A-2B", circuit("1A", "2B")))),
        CIRCUITS,
        {"1A-1B": circuit("1A", "1B"), "1A-2B": circuit("1A", "2B")},
    ),
    Taken(
        "an empty path beside others replaces the whole configuration",
        (_ONLY, set_(_THIRD, update("", {"DEVICE_METADATA": _MACHINE}))),
        CONFIG,
        {"DEVICE_METADATA": _MACHINE},
    ),
    Taken(
        "delete and update of the whole database are only laid aside",
        (_ONLY, set_(update(CONFIG, {"DEVICE_METADATA": _MACHINE}), delete=[CONFIG])),
        CIRCUITS,
        {"1A-1B": circuit("1A", "1B")},
    ),
    Taken(
        "a replace of the whole database is not",
        (_ONLY, set_(replace=[update(CONFIG, {"DEVICE_METADATA": _MACHINE})])),
        CONFIG,
        {"DEVICE_METADATA": _MACHINE},
    ),
]
