"""Rungs of a remedy: what is done only if the light test still fails after the gentler thing.

    inspect, clean, plug again ---> reseat ---> replace, one part after the other
                     light is asked after each; what it agrees to ends the climb

Only findings of light climb: a fan that is lost is not cleaned first.
"""

from collections.abc import Mapping, Sequence

from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.steps import end

Move = Mapping[str, object]
#: What light shows, and a technician mends by trying.
OF_LIGHT = frozenset({"dark", "high-loss", "high-reflection", "high-ber"})


def rungs(
    found: Found, remedy: Sequence[Move], plugged: Plugs, transceiver: str = ""
) -> list[list[Move]]:
    """A remedy from the gentlest to the last resort; the first rung is always done.

    What is beyond the remedy is what a hand tries next: a plug is reseated where cleaning did not
    help, a cable or a `transceiver` replaced where reseating did not.
    """
    if found.code not in OF_LIGHT:
        return [list(remedy)]
    gentle = [move for move in remedy if move["do"] not in ("reseat", "replace")]
    reseats = [move for move in remedy if move["do"] == "reseat"]
    replaced = [move for move in remedy if move["do"] == "replace"]
    if not replaced and not reseats:
        reseats = [_at(move, "reseat") for move in gentle if move["do"] == "clean"]
        replaced = _cables(gentle, plugged)
    elif not replaced:
        replaced = [_at(move, "replace", transceiver) for move in reseats if move.get("port")]
    # Which of two parts it is light does not tell: one, and the other if it was not that.
    found_rungs = [gentle, reseats, *([move] for move in replaced)]
    return [rung for rung in found_rungs if rung] or [[]]


def _cables(cleaned: Sequence[Move], plugged: Plugs) -> list[Move]:
    """A new cable for each whose plugs were cleaned, from where the technician was last."""
    last: dict[str, Move] = {}
    for move in cleaned:
        if move["do"] == "clean":
            for cable, _ in plugged.at.get(end((move["device"], move["port"])), ()):
                last[cable] = _at(move, "replace", "cable")
    return list(last.values())


def _at(move: Move, do: str, part: str = "") -> Move:
    where = {"do": do, "device": move["device"], "port": move["port"]}
    return where | ({"part": part} if do == "replace" else {})
