"""A packet switch: who it is, its ports, and its table of flows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fabric_twin.simulator.openflow.flow_table import FlowRow, FlowTable
from fabric_twin.simulator.openflow.matching import Match
from fabric_twin.simulator.openflow.refusal import Refusal


@dataclass(eq=False)
class PacketSwitch:
    """One of a cluster; what happens to it is the pod's to say."""

    name: str
    datapath: int
    #: Its ports by number, and what it calls them.
    ports: Mapping[int, str]
    table: FlowTable
    #: Its rows while another one stands in its place; none where it stands there itself.
    aside: list[dict[str, Any]] | None = None
    #: How many changes it was sent.
    changes: int = 0
    #: How often it began anew; then nobody is connected any more.
    boots: int = 0

    @classmethod
    def new(
        cls, name: str, datapath: int, ports: Mapping[int, str], now: Callable[[], float]
    ) -> "PacketSwitch":
        """As delivered: without a row."""
        return cls(name, datapath, ports, FlowTable(now))

    @property
    def datapath_id(self) -> str:
        """Its datapath id as people write it."""
        return f"{self.datapath:016x}"

    def restart(self) -> None:
        """Begin anew: rows are lost with power."""
        self.boots += 1
        self.table.put(())

    def as_json(self) -> dict[str, Any]:
        """What a restart of the simulation must not lose."""
        return {
            "datapath": self.datapath,
            "full": self.table.is_full,
            "rows": self.rows_as_json(),
            "aside": self.aside,
        }

    def rows_as_json(self) -> list[dict[str, Any]]:
        """Its rows as JSON."""
        return [
            {**vars(row), "match": row.match.data.hex(), "instructions": row.instructions.hex()}
            for row in self.table.rows()
        ]

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Have again what was kept."""
        self.datapath, self.aside = int(kept["datapath"]), kept.get("aside")
        self.table.is_full = bool(kept.get("full"))
        self.put(kept["rows"])

    def put(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Have these rows that were kept, and no others."""
        self.table.put([row_of(row) for row in rows])


def row_of(kept: Mapping[str, Any]) -> FlowRow:
    """A row that was kept as JSON."""
    match, instructions = (bytes.fromhex(kept[key]) for key in ("match", "instructions"))
    row = FlowRow(**{**kept, "match": Match(match), "instructions": instructions})
    try:
        hash(row.match)
    except Refusal as refusal:
        raise ValueError(str(refusal)) from None
    return row
