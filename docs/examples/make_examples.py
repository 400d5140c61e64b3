"""Make the example of ten mistakes with its reports, and a drawing of every code.

Run `make refresh-docs` (or this file with the Python of `.venv`) after the audit's words change.
"""

# ruff: noqa: INP001 - a script, not a package

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

from fabric_twin.core.audit import Finding, Report
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.documents.audits import audit_report
from fabric_twin.documents.audits.finding_drawing import drawing
from fabric_twin.documents.environment import TEMPLATES, environment
from fabric_twin.inventory.cutsheet import HEADER, write_cut_sheet
from fabric_twin.services.audits.audit import audit_sheet

HERE = Path(__file__).parent
DRAWINGS = HERE.parent / "images" / "codes"

DESIGN, POD, SLOTS = "tpu-v4", "v4", range(1, 9)

LEGEND = """
<g transform="translate(224 {y})">
<path class="stands" d="M0 0H34"/><text class="head" x="42" y="4">as it is</text>
<path class="wanted" d="M110 0H144"/><text class="head" x="152" y="4">as it should be</text>
</g>
"""


class Sheet:
    """A cut sheet that can be broken, one mistake at a time."""

    def __init__(self, design: str = DESIGN, pod: str = POD, slots: range = SLOTS) -> None:
        self.design, self.pod, self.slots = find_design(design), pod, slots
        out = io.StringIO()
        write_cut_sheet(intended_plant(self.design, pod, slots), out)
        out.seek(0)
        self.rows = {row["cable"]: row for row in csv.DictReader(out)}

    def at(self, switch: str, port: int | str) -> str:
        """The cable on a switch port."""
        place = (f"{self.pod}-ocs-{switch}", str(port))
        return next(c for c, row in self.rows.items() if (row["b_device"], row["b_port"]) == place)

    def on(self, switch: str, ports: range) -> list[str]:
        """The cables on a run of switch ports."""
        return [self.at(switch, port) for port in ports]

    def permute(self, cables: list[str], places: list[str]) -> None:
        """Put every cable where another one stands now."""
        ends = [(self.rows[c]["b_device"], self.rows[c]["b_port"]) for c in places]
        for cable, (device, port) in zip(cables, ends, strict=True):
            self.rows[cable] |= {"b_device": device, "b_port": port}

    def plug(self, cable: str, port: int | str, switch: str = "") -> None:
        """Put the switch end of a cable on a port, of its own switch by default."""
        self.rows[cable]["b_port"] = str(port)
        if switch:
            self.rows[cable]["b_device"] = f"{self.pod}-ocs-{switch}"

    def remove(self, cable: str) -> None:
        """Take a cable away."""
        del self.rows[cable]

    def add(self, cable: str, *ends: str) -> None:
        """Lay a cable: device and port of one end, then of the other."""
        self.rows[cable] = dict(zip(HEADER, (cable, *ends, "connected", "", ""), strict=True))

    def csv(self) -> str:
        """The sheet as a file."""
        out = io.StringIO()
        writer = csv.DictWriter(out, HEADER, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows.values())
        return out.getvalue()

    def audit(self) -> Report:
        """What the product says about it."""
        data = self.csv().encode()
        return audit_sheet(self.design, self.pod, data, "example", slots=self.slots).report


def swapped(sheet: Sheet) -> None:
    """Two cables at one switch, each in the other's port."""
    two, five = sheet.at("x-1-1", 2), sheet.at("x-1-1", 5)
    sheet.permute([two, five], [five, two])


def swapped_between_switches(sheet: Sheet) -> None:
    """Neighbours in the cube, taken for one another: each stands at the other's switch."""
    one, other = sheet.at("x-2-2", 3), sheet.at("x-2-3", 3)
    sheet.permute([one, other], [other, one])


def rotated(sheet: Sheet) -> None:
    """Three cables in a circle."""
    one, two, three = (sheet.at("y-3-1", port) for port in (65, 68, 70))
    sheet.permute([one, two, three], [two, three, one])


def shifted(sheet: Sheet) -> None:
    """From port 4 on, one too far: ports 4..8 are on 5..9."""
    for port in range(8, 3, -1):
        sheet.plug(sheet.at("z-1-4", port), port + 1)


def reversed_run(sheet: Sheet) -> None:
    """A run of six counted from the wrong end."""
    run = sheet.on("z-4-1", range(65, 71))
    sheet.permute(run, run[::-1])


def bundle_swapped(sheet: Sheet) -> None:
    """The sixteen cables of Y+ of cube 3 and those of cube 6, exchanged as bundles."""
    ends = [f"y-{i}-{j}" for i in range(1, 5) for j in range(1, 5)]
    three, six = ([sheet.at(switch, slot) for switch in ends] for slot in (3, 6))
    sheet.permute(three + six, six + three)


def missing(sheet: Sheet) -> None:
    """One cable was never laid."""
    sheet.remove(sheet.at("x-4-4", 7))


def doubled_port(sheet: Sheet) -> None:
    """A second cable recorded on a port that is taken; its own port is empty."""
    sheet.plug(sheet.at("x-3-3", 4), 1)


def spare_in_use(sheet: Sheet) -> None:
    """A port went bad, somebody used a spare, and nobody wrote the substitution down."""
    sheet.plug(sheet.at("z-2-2", 5), 130)


def unknown_port(sheet: Sheet) -> None:
    """A typing mistake: the letter O for a zero."""
    sheet.plug(sheet.at("y-1-3", 70), "7O")


def unexpected(sheet: Sheet) -> None:
    """A cable for a cube that is not there: nothing is lost, but nobody needs it."""
    sheet.add("v4-c009:4.2.4/X+", "v4-c009-t14", "4.2.4/X+", "v4-ocs-x-2-4", "9")


def wrong_axis(sheet: Sheet) -> None:
    """On a free port of a switch of another axis."""
    sheet.plug(sheet.at("x-1-2", 4), 10, "y-1-2")


def wrong_index(sheet: Sheet) -> None:
    """On a free port of a switch of the same axis and another index."""
    sheet.plug(sheet.at("x-3-2", 4), 10, "x-3-3")


def wrong_side(sheet: Sheet) -> None:
    """A `+` cable on a free port that is for `-`."""
    sheet.plug(sheet.at("x-3-2", 4), 76)


def wrong_port(sheet: Sheet) -> None:
    """On the right switch and the right side, but the port of another slot."""
    sheet.plug(sheet.at("x-3-2", 4), 12)


def wrong_lane(sheet: Sheet) -> None:
    """A `/1` cable on a free port of the `-2` switch."""
    sheet.plug(sheet.at("x-3-2-1", 4), 10, "x-3-2-2")


def dark(sheet: Sheet) -> None:
    """Discovery saw no light at the far end, and left both cells empty."""
    sheet.rows[sheet.at("x-3-2", 4)] |= {"b_device": "", "b_port": ""}


def crossed_pair(sheet: Sheet) -> None:
    """Strand 1 of a pair on B and strand 2 on A."""
    cable = sheet.at("x-3-2", 4)
    row = sheet.rows.pop(cable)
    for strand, side in (("1", "B"), ("2", "A")):
        sheet.rows[f"{cable}:{strand}"] = row | {
            "cable": f"{cable}:{strand}",
            "a_port": f"{row['a_port']}:{strand}",
            "b_port": f"{row['b_port']}{side}",
        }


#: What makes `spare_in_use` right: written down, the spare is part of what is intended.
SUBSTITUTIONS = {
    "version": 1,
    "substitutions": [
        {"switch": "v4-ocs-z-2-2", "port": "5", "spare": "130", "reason": "port 5 is dark"}
    ],
}

Mistake = Callable[[Sheet], None]

#: The example: ten mistakes, no two of them alike.
TEN: tuple[Mistake, ...] = (
    bundle_swapped,
    reversed_run,
    shifted,
    rotated,
    swapped_between_switches,
    missing,
    doubled_port,
    spare_in_use,
    unknown_port,
    unexpected,
)

#: One mistake for every code of cabling.
BY_CODE: dict[str, Mistake] = {
    "swapped": swapped,
    "rotated": rotated,
    "shifted": shifted,
    "reversed": reversed_run,
    "bundle-swapped": bundle_swapped,
    "unknown-port": unknown_port,
    "doubled-port": doubled_port,
    "wrong-axis": wrong_axis,
    "wrong-index": wrong_index,
    "wrong-lane": wrong_lane,
    "wrong-side": wrong_side,
    "spare-in-use": spare_in_use,
    "wrong-port": wrong_port,
    "missing": missing,
    "unexpected": unexpected,
    "dark": dark,
    "crossed-pair": crossed_pair,
}


def example(code: str) -> Finding:
    """The one finding of a sheet with one mistake."""
    sheet = Sheet("tpu-v4-duplex") if code == "wrong-lane" else Sheet()
    BY_CODE[code](sheet)
    [finding] = sheet.audit().findings
    if finding.code != code:
        raise SystemExit(f"the example of {code} is found as {finding.code}")
    return finding


def picture(finding: Finding) -> str:
    """The product's own drawing as a file that needs nothing else, in light and dark."""
    macro = environment().get_template("audit/finding.svg").module.finding_svg
    svg = str(macro(drawing(finding, POD), f"{finding.code}: {finding.cause}"))
    page = (TEMPLATES / "audit" / "report.html").read_text()
    style = "\n".join(
        [
            *re.findall(
                r"^:root \{[^}]*\}|^@media \(prefers-color-scheme[^}]*\} \}", page, re.MULTILINE
            ),
            *re.findall(r"^svg (?!finding).*$", page, re.MULTILINE),
        ]
    )
    [wide, high] = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
    box = f'viewBox="0 0 {wide} {high + 26}" width="{wide}" height="{high + 26}"'
    card = (
        f"<style>\n{style}\n</style>\n"
        f'<rect width="{wide}" height="{high + 26}" rx="8" fill="var(--card)"/>'
        f"{LEGEND.format(y=high + 10)}"
    )
    svg = re.sub(r'viewBox="[^"]*"', box, svg, count=1)
    return svg.strip().replace("</title>\n", f"</title>\n{card}", 1) + "\n"


def files() -> dict[Path, str]:
    """Every file that is made here, and what is in it."""
    sheet = Sheet()
    for mistake in TEN:
        mistake(sheet)
    report = sheet.audit()
    if len(report.findings) != len(TEN):
        raise SystemExit(f"{len(TEN)} mistakes make {len(report.findings)} findings")
    text = io.StringIO()
    audit_report.write_text(report, text, style=lambda said, **_: said)
    made = {
        HERE / "ten-mistakes.csv": sheet.csv(),
        HERE / "substitutions.json": json.dumps(SUBSTITUTIONS, indent=2) + "\n",
        HERE / "report.txt": text.getvalue(),
        HERE / "report.json": json.dumps(report.as_json(), indent=2, ensure_ascii=False) + "\n",
        HERE / "report.html": audit_report.html(report),
    }
    return made | {DRAWINGS / f"{code}.svg": picture(example(code)) for code in BY_CODE}


def main() -> None:
    """Write them."""
    DRAWINGS.mkdir(parents=True, exist_ok=True)
    for path, content in files().items():
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
