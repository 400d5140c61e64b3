"""What the simulator can break, where, and what it is found as."""

from dataclasses import dataclass
from typing import Any

SLOTS = (1, 2, 3, 4)
#: Kinds that nobody sees before a change is asked for.
UNSEEN = ("stuck-mirror", "ignores-changes", "idle-mirrors", "halves-changes")
#: What each kind is found as. `docs/diagnosis.md` has the same table.
FINDINGS = {
    "swapped": "swapped",
    "misplugged": "dark",
    "missing": "dark",
    "crossed": "crossed-pair",
    "broken": "dark",
    "dirty": "high-loss",
    "wrong-transceiver": "wrong-part",
    "dying-transceiver": "high-loss",
    "wrong-serial": "wrong-serial",
    "tray-down": "tray-down",
    "cube-down": "cube-down",
    "copper-down": "copper-down",
    "stuck-mirror": "port-failed",
    "lossy-mirror": "high-loss",
    "board-out": "board-out",
    "feed-lost": "power-lost",
    "fan-lost": "fan-lost",
    "switch-down": "switch-down",
    "switch-rebooting": "switch-down",
    "addresses-exchanged": "identity-exchanged",
    "ignores-changes": "circuit-missing",
    "idle-mirrors": "circuit-missing",
    "halves-changes": "circuit-missing",
    "loses-answers": "",
    "silent": "stale",
    "stale": "stale",
    "absent": "stale",
    "answers-late": "",
}
#: What is found so far of what real switches do though nobody expects it (`test_surprises.py`).
SURPRISES = {
    "boots-empty": "circuit-missing",
    "boots-old": "circuit-missing",
    "stale-circuit": "circuit-unexpected",
    "board-pulled": "port-failed",
    "answers-for-another": "wrong-serial",
    "saves-slowly": "",
}


@dataclass(frozen=True)
class Places:
    """Names of a pod where things are broken."""

    design: str

    @property
    def lane(self) -> str:
        return "/1" if self.design == "tpu-v4-duplex" else ""

    @property
    def paired(self) -> bool:
        return self.design in ("tpu-v4", "tpu-v4-duplex")

    def switch(self, name: str) -> str:
        return f"p1-ocs-{name}{'-1' if self.lane else ''}"

    def wish(self, kind: str) -> dict[str, Any]:
        """What to break."""
        here = self.switch("x-1-1")
        cable, other = (f"p1-c00{n}:4.1.1/X+{self.lane}" for n in (1, 2))
        module = {"device": "p1-c001-t02", "port": f"4.1.1/X+{self.lane}"}
        far = "" if self.paired else "A"
        wishes: dict[str, dict[str, Any]] = {
            "swapped": {"cable": cable, "other": other},
            "misplugged": {"cable": cable, "device": here, "port": f"60{far}"},
            "missing": {"cable": cable},
            "crossed": {"cable": cable},
            "broken": {"cable": cable},
            "dirty": {"device": here, "port": f"1{far}"},
            "wrong-transceiver": module,
            "dying-transceiver": module,
            "wrong-serial": module,
            "tray-down": {"device": "p1-c001-t02"},
            "cube-down": {"device": "p1-c001"},
            "copper-down": {"device": "p1-c001", "link": "1.1.1/Y+"},
            "stuck-mirror": {"device": here, "port": "1A"},
            "lossy-mirror": {"device": here, "port": "1A"},
            "board-out": {"device": here, "unit": 1},
            "feed-lost": {"device": here, "unit": 2},
            "fan-lost": {"device": here, "unit": 3},
            "switch-rebooting": {"device": here, "for": 600},
            "addresses-exchanged": {"device": here, "other": self.switch("y-2-1")},
            "absent": {"device": "p1-c001"},
        }
        return wishes.get(kind, {"device": here})
