"""What a fabric of each kind can do. What it cannot, and why, is said here and nowhere else."""

from dataclasses import dataclass
from enum import StrEnum

from fabric_twin.core.errors import FabricTwinError, UnusableInput


class Kind(StrEnum):
    """What a fabric is made of."""

    #: Cubes, joined by optical switches.
    POD = "pod"
    #: Cubes, cabled to each other.
    STATIC = "static"
    #: Blocks, joined by optical switches.
    NETWORK = "network"
    #: Groups of processors, joined by packet switches.
    GROUPS = "groups"
    #: Cores on one chip, joined by rings of light.
    CHIP = "chip"

    @property
    def noun(self) -> str:
        """What a fabric of this kind is called."""
        nouns = {Kind.NETWORK: "network", Kind.GROUPS: "cluster", Kind.CHIP: "chip"}
        return nouns.get(self, "pod")


class Verb(StrEnum):
    """What can be done with a fabric, as the command line or Nautobot calls it."""

    CUT_SHEET = "cutsheet"
    AUDIT = "audit"
    DIAGNOSE = "audit --target"
    SLICE = "slice"
    TWIST = "slice --twisted"
    BEAR = "slice --bear"
    ANYWHERE = "slice --anywhere"
    PLAN = "plan"
    MAINTENANCE = "maintenance"
    TAKE_SWITCH = "maintenance --switch"
    LET_BEAR = "maintenance --bear"
    REPLAY = "replay"
    FAIL_SWITCHES = "replay --switch-availability"
    PORT_MAP = "render port-map"
    RENDER_SWITCH = "render --switch"
    RENDER = "render"
    INSTALL = "order install"
    REPAIR = "order repair"
    MOVE = "order move"
    DECOMMISSION = "order decommission"
    SIMULATE = "simulate"
    DISCOVER = "discover"
    TAKE_BACK = "discover --restore"
    TOPOLOGY = "topology"
    RINGS = "rings"
    CHIP = "chip"
    DISCOVER_BY_JOB = "Discover cables, in Nautobot"
    CONFIRM_BY_CIRCUIT = "Confirm switch, in Nautobot"
    RECORD = "records, in Nautobot"
    CIRCUITS = "circuits, in Nautobot"


@dataclass(frozen=True)
class No:
    """Why something cannot be done, and what to do instead."""

    why: str
    remedy: str


_NONE_TO_SPARE = "this plant is static: it has no switches that a slice could do without"
_NO_SWITCHES = "it has no switches"
_NO_SLICES = No(
    "slices are of cubes, and a network has blocks",
    "Ask for links of blocks: a ticket for a topology, or `fabric-twin topology`",
)
_NO_BLOCKS = No(
    "it has no blocks, between which links could follow demand",
    "Ask for slices: they say which cubes are joined",
)
_FILES = "Work on its cables: `cutsheet`, `audit` and `render` of the command line"
_NO_CUBES = No(
    "slices are of cubes, and a cluster has groups of processors",
    "Ask for a job with rings: by a ticket in Nautobot, or with `fabric-twin rings ask`",
)
_NO_GROUPS = No(
    "rings are of groups of processors over packet switches", "Ask for slices, or for a topology"
)
_NO_OPTICS = No("circuits are of light, and its switches forward packets", _FILES)
_NO_LIGHT = No(
    "the light of its cables is not measured",
    "Discover it by neighbours, and audit what that shows",
)
_NOTHING_MADE = No(
    "its cables are read from neighbours, and discovery changes nothing in it",
    "Discover it again",
)
_NO_MOVES = No(
    "each of its cables belongs on one port, as the rule says",
    "Repair the finding that says that a cable is elsewhere; to move a group, take it out by an "
    "order and install it again",
)
_NO_CHIP = No(
    "it is made of cables, and a netlist is of a chip", "Work on its cables: `cutsheet` and `audit`"
)
_NO_CABLES = No(
    "it is one chip, on which nothing is cabled or switched",
    "Work on its netlist: `fabric-twin chip netlist`, `chip audit`, `chip draw` and `chip hears`",
)
_NO: dict[tuple[Kind, Verb], No] = {
    **{(kind, Verb.CHIP): _NO_CHIP for kind in Kind if kind is not Kind.CHIP},
    **{(Kind.CHIP, verb): _NO_CABLES for verb in Verb if verb is not Verb.CHIP},
    (Kind.STATIC, Verb.TWIST): No(
        "the cables of a static plant close every ring without a shift",
        "Ask for the torus that is not twisted",
    ),
    (Kind.POD, Verb.ANYWHERE): No(
        "any free cubes make a slice, so there are no places to choose from", "Leave it out"
    ),
    (Kind.STATIC, Verb.BEAR): No(_NONE_TO_SPARE, "Ask for a slice that bears none"),
    (Kind.STATIC, Verb.PLAN): No(
        "it has no switches, so there are no circuits to change",
        "Move cables instead: a work order does that",
    ),
    (Kind.STATIC, Verb.TAKE_SWITCH): No(_NO_SWITCHES, "Name a cube"),
    (Kind.STATIC, Verb.LET_BEAR): No(_NONE_TO_SPARE, "Let slices bear none"),
    (Kind.STATIC, Verb.FAIL_SWITCHES): No(
        "this plant is static: it has no switches that fail",
        "Leave the availability of switches out",
    ),
    (Kind.STATIC, Verb.PORT_MAP): No(_NO_SWITCHES, "Render face maps"),
    (Kind.STATIC, Verb.RENDER_SWITCH): No(_NO_SWITCHES, "Name a cube"),
    (Kind.STATIC, Verb.TAKE_BACK): No(
        "it has no switches, so discovery makes no circuits",
        "Ask its cubes for their neighbours: a fixed cable shows both its ends at once",
    ),
    (Kind.STATIC, Verb.DISCOVER_BY_JOB): No(
        "it has no switches, so each audit by light sees both ends of every cable",
        "Audit it by light; `fabric-twin discover` writes its cut sheet",
    ),
    **dict.fromkeys(
        [(kind, Verb.RINGS) for kind in (Kind.POD, Kind.STATIC, Kind.NETWORK)], _NO_GROUPS
    ),
    (Kind.POD, Verb.TOPOLOGY): _NO_BLOCKS,
    (Kind.STATIC, Verb.TOPOLOGY): _NO_BLOCKS,
    (Kind.NETWORK, Verb.PLAN): No(
        "its circuits follow from the links that blocks should have",
        "Ask for a topology: a ticket of that kind, or `fabric-twin topology`",
    ),
    (Kind.NETWORK, Verb.PORT_MAP): No("its switches have a map of their own", "Render switch-map"),
    (Kind.NETWORK, Verb.RENDER_SWITCH): No(
        "one option names blocks and switches", "Name the switch with --device"
    ),
    (Kind.NETWORK, Verb.MOVE): No(
        "where its cables belong follows from the ports of blocks",
        "Repair the finding that says that a cable is elsewhere; to move a block, take it out by "
        "an order and install it again",
    ),
    **dict.fromkeys(
        [
            (Kind.NETWORK, verb)
            for verb in (
                *(Verb.SLICE, Verb.TWIST, Verb.BEAR, Verb.ANYWHERE, Verb.LET_BEAR),
                *(Verb.REPLAY, Verb.FAIL_SWITCHES),
            )
        ],
        _NO_SLICES,
    ),
    (Kind.NETWORK, Verb.DISCOVER): No(
        "the command line discovers pods of cubes",
        "Discover it in Nautobot, or ask it with `fabric-twin network audit --target`",
    ),
    (Kind.NETWORK, Verb.CONFIRM_BY_CIRCUIT): No(
        "a test circuit that confirms a switch is between idle cubes, and a network has blocks",
        "Confirm it by what its label says",
    ),
    (Kind.GROUPS, Verb.PORT_MAP): No("its switches have a map of their own", "Render switch-map"),
    (Kind.GROUPS, Verb.TOPOLOGY): No(_NO_BLOCKS.why, _FILES),
    **{
        (Kind.GROUPS, verb): no
        for no, verbs in (
            (_NO_CUBES, (Verb.SLICE, Verb.TWIST, Verb.BEAR, Verb.ANYWHERE, Verb.LET_BEAR)),
            (_NO_CUBES, (Verb.REPLAY, Verb.FAIL_SWITCHES)),
            (_NO_OPTICS, (Verb.PLAN, Verb.CIRCUITS, Verb.MAINTENANCE)),
            (_NO_LIGHT, (Verb.DIAGNOSE,)),
            (_NOTHING_MADE, (Verb.TAKE_BACK,)),
            (_NO_MOVES, (Verb.MOVE,)),
            (_NO_OPTICS, (Verb.CONFIRM_BY_CIRCUIT,)),
        )
        for verb in verbs
    },
}


def why_not(kind: Kind, verb: Verb) -> No | None:
    """Why a fabric of some kind cannot do something; None where it can."""
    return _NO.get((kind, verb))


def check_can(
    kind: Kind, verb: Verb, where: str, refusal: type[FabricTwinError] = UnusableInput
) -> None:
    """Refuse what a fabric of some kind cannot do."""
    if no := why_not(kind, verb):
        raise refusal(no.why, where=where, remedy=no.remedy)
