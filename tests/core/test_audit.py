"""What the audit says of single mistakes, word for word.

The laws that hold for any mixture of mistakes are in tests/laws.
"""

import pytest

from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import Substitution, intended_plant, recorded_plant
from fabric_twin.core.designs import find_design


class Pod:
    """The cables of a pod as rows to make mistakes in."""

    def __init__(self, design: str, slots=None, substitutions=()):
        self.intended = intended_plant(find_design(design), "p", slots, substitutions)
        names, a, b = self.intended.names, self.intended.a, self.intended.b
        ends = zip(*names.ends(a), *names.ends(b), strict=True)
        self.rows = dict(zip(names.cables(a), map(list, ends), strict=True))

    def plug(self, cable: str, device: str, port: str) -> None:
        self.rows[cable][2:] = [device, port]

    def exchange(self, one: str, other: str) -> None:
        first, second = self.rows[one], self.rows[other]
        first[2:], second[2:] = second[2:], first[2:]

    def audit(self):
        columns = zip(*([name, *ends] for name, ends in self.rows.items()), strict=True)
        return audit_cabling(self.intended, recorded_plant(self.intended.names, *columns))

    def only_finding(self):
        (finding,) = self.audit().findings
        return finding


def say(finding) -> list[str]:
    return [f"{finding.code}: {finding.cause}", *map(str, finding.remedy)]


def test_two_cables_exchanged_on_one_switch():
    pod = Pod("ironwood")
    pod.exchange("p-c005:4.3.2/X+", "p-c020:4.3.2/X+")
    assert say(pod.only_finding()) == [
        "swapped: p-c005:4.3.2/X+ and p-c020:4.3.2/X+ are exchanged, "
        "at p-ocs-x-3-2 ports 5A and 20A",
        "unplug p-c005:4.3.2/X+ from p-ocs-x-3-2 port 20A",
        "move p-c020:4.3.2/X+ on p-ocs-x-3-2 from port 5A to port 20A",
        "plug p-c005:4.3.2/X+ into p-ocs-x-3-2 port 5A",
    ]


def test_two_cables_exchanged_between_switches_are_mended_in_the_rack_they_share():
    pod = Pod("ironwood")
    pod.exchange("p-c005:4.3.2/X+", "p-c005:1.4.2/Y+")
    assert say(pod.only_finding()) == [
        "swapped: p-c005:1.4.2/Y+ and p-c005:4.3.2/X+ are exchanged "
        "between p-ocs-x-3-2 and p-ocs-y-1-2, "
        "at p-c005-t07 port 1.4.2/Y+ and p-c005-t08 port 4.3.2/X+",
        "unplug p-c005:1.4.2/Y+ from p-c005-t07 port 1.4.2/Y+",
        "move p-c005:4.3.2/X+ from p-c005-t08 port 4.3.2/X+ to p-c005-t07 port 1.4.2/Y+",
        "plug p-c005:1.4.2/Y+ into p-c005-t08 port 4.3.2/X+",
    ]


def test_two_cables_of_different_racks_are_mended_at_the_switches():
    pod = Pod("ironwood")
    pod.exchange("p-c005:4.3.2/X+", "p-c009:1.4.2/Y+")
    assert say(pod.only_finding()) == [
        "swapped: p-c005:4.3.2/X+ and p-c009:1.4.2/Y+ are exchanged "
        "between p-ocs-x-3-2 and p-ocs-y-1-2, "
        "at p-ocs-x-3-2 port 5A and p-ocs-y-1-2 port 9A",
        "unplug p-c005:4.3.2/X+ from p-ocs-y-1-2 port 9A",
        "move p-c009:1.4.2/Y+ from p-ocs-x-3-2 port 5A to p-ocs-y-1-2 port 9A",
        "plug p-c005:4.3.2/X+ into p-ocs-x-3-2 port 5A",
    ]


def test_a_run_pushed_along_its_panel_loses_its_last_cable():
    pod = Pod("ironwood")
    del pod.rows["p-c023:4.1.1/X+"]
    for slot in (20, 21, 22):
        pod.plug(f"p-c{slot:03d}:4.1.1/X+", "p-ocs-x-1-1", f"{slot + 1}A")
    assert say(pod.only_finding()) == [
        "shifted: p-c020:4.1.1/X+, p-c021:4.1.1/X+ and p-c022:4.1.1/X+ "
        "are shifted along the panel, at p-ocs-x-1-1 ports 20A to 22A; "
        "p-c023:4.1.1/X+ is missing",
        "move p-c020:4.1.1/X+ on p-ocs-x-1-1 from port 21A to port 20A",
        "move p-c021:4.1.1/X+ on p-ocs-x-1-1 from port 22A to port 21A",
        "move p-c022:4.1.1/X+ on p-ocs-x-1-1 from port 23A to port 22A",
        "lay a cable from p-c023-t02 port 4.1.1/X+ to p-ocs-x-1-1 port 23A",
    ]


@pytest.mark.parametrize(
    ("design", "cable", "far", "words"),
    [
        (
            "ironwood",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-2", "999A"),
            "unknown-port: p-c005:4.3.2/X+ is on p-ocs-x-3-2 port 999A, "
            "which the design does not have (is it written right?), "
            "and belongs on p-ocs-x-3-2 port 5A",
        ),
        (
            "ironwood",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-2", "6A"),
            "doubled-port: p-c005:4.3.2/X+ is on p-ocs-x-3-2 port 6A, "
            "where another cable is, and belongs on p-ocs-x-3-2 port 5A",
        ),
        (
            "tpu-v4",
            "p-c005:4.3.2/X+",
            ("p-ocs-y-3-2", "9"),
            "wrong-axis: p-c005:4.3.2/X+ is on p-ocs-y-3-2 port 9, "
            "which serves another axis, and belongs on p-ocs-x-3-2 port 5",
        ),
        (
            "tpu-v4",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-3", "131"),
            "wrong-index: p-c005:4.3.2/X+ is on p-ocs-x-3-3 port 131, "
            "which serves another index, and belongs on p-ocs-x-3-2 port 5",
        ),
        (
            "tpu-v4-cwdm8",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-1", "9A"),
            "wrong-index: p-c005:4.3.2/X+ is on p-ocs-x-3-1 port 9A, "
            "which serves another index, and belongs on p-ocs-x-3-1 port 69A",
        ),
        (
            "tpu-v4-duplex",
            "p-c005:4.3.2/X+/1",
            ("p-ocs-x-3-2-2", "9"),
            "wrong-lane: p-c005:4.3.2/X+/1 is on p-ocs-x-3-2-2 port 9, "
            "which serves the other lane, and belongs on p-ocs-x-3-2-1 port 5",
        ),
        (
            "tpu-v5p",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-2", "141B"),
            "wrong-side: p-c005:4.3.2/X+ is on p-ocs-x-3-2 port 141B, "
            "which is for the other sign, and belongs on p-ocs-x-3-2 port 5A",
        ),
        (
            "tpu-v4-cwdm8",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-1", "129A"),
            "spare-in-use: p-c005:4.3.2/X+ is on p-ocs-x-3-1 port 129A, "
            "a spare that no substitution names, and belongs on p-ocs-x-3-1 port 69A",
        ),
        (
            "ironwood",
            "p-c005:4.3.2/X+",
            ("p-ocs-x-3-2", "9A"),
            "wrong-port: p-c005:4.3.2/X+ is on p-ocs-x-3-2 port 9A, "
            "and belongs on p-ocs-x-3-2 port 5A",
        ),
        (
            "ironwood",
            "p-c005:4.3.2/X+",
            ("", ""),
            "dark: p-c005:4.3.2/X+ is recorded without a far end, "
            "and belongs on p-ocs-x-3-2 port 5A",
        ),
    ],
)
def test_a_cable_on_a_wrong_port_is_called_by_the_first_rule_it_breaks(design, cable, far, words):
    pod = Pod(design, slots=(5, 6))
    pod.plug(cable, *far)
    finding = pod.only_finding()
    assert f"{finding.code}: {finding.cause}" == words
    (step,) = finding.remedy
    assert step.as_json()["do"] == "move"


def test_a_cable_that_is_not_there():
    pod = Pod("tpu-v4")
    del pod.rows["p-c005:4.3.2/X+"]
    assert say(pod.only_finding()) == [
        "missing: p-c005:4.3.2/X+ is missing "
        "between p-c005-t08 port 4.3.2/X+ and p-ocs-x-3-2 port 5",
        "lay a cable from p-c005-t08 port 4.3.2/X+ to p-ocs-x-3-2 port 5",
    ]


def test_a_cube_that_is_not_cabled_is_one_finding():
    pod = Pod("ironwood")
    pod.rows = {name: ends for name, ends in pod.rows.items() if "-c007:" not in name}
    finding = pod.only_finding()
    assert finding.cause == "The 96 cables of cube 7 are missing"
    assert (finding.code, len(finding.cables), len(finding.remedy)) == ("missing", 96, 96)


def test_a_cube_that_is_cabled_before_its_time_is_one_warning():
    pod = Pod("ironwood", slots=range(1, 8))
    pod.intended = intended_plant(find_design("ironwood"), "p", range(1, 7))
    finding = pod.only_finding()
    assert (finding.code, finding.severity, len(finding.cables)) == ("unexpected", "warning", 96)


def test_cubes_exchanged_are_one_finding_and_so_are_faces_and_switches():
    def exchanged(pick):
        pod = Pod("ironwood")
        for name in list(pod.rows):
            if (other := pick(name)) and name < other:
                pod.exchange(name, other)
        return pod.only_finding()

    def renamed(old, new):
        return lambda name: name.replace(old, new) if old in name else None

    cubes = exchanged(renamed("-c003:", "-c007:"))
    assert (cubes.code, len(cubes.cables)) == ("bundle-swapped", 192)
    assert cubes.cause == "The 192 cables of cubes 3,7 are exchanged as a bundle"
    faces = exchanged(
        lambda name: name.replace("-c003:", "-c007:") if "-c003:" in name and "Y-" in name else None
    )
    assert (faces.code, len(faces.cables)) == ("bundle-swapped", 32)
    assert faces.cause.startswith("The 32 cables of faces Y- of cube 3 and Y- of cube 7 are ")
    switches = exchanged(renamed(":4.1.1/X+", ":4.1.2/X+"))
    assert (switches.code, len(switches.cables)) == ("bundle-swapped", 288)


def test_a_pair_whose_strands_are_exchanged_is_flipped():
    pod = Pod("tpu-v4")
    device, port, switch, far = pod.rows.pop("p-c005:4.3.2/X+")
    pod.rows["p-c005:4.3.2/X+:1"] = [device, f"{port}:1", switch, f"{far}B"]
    pod.rows["p-c005:4.3.2/X+:2"] = [device, f"{port}:2", switch, f"{far}A"]
    finding = pod.only_finding()
    assert say(finding) == [
        "crossed-pair: The two strands of p-c005:4.3.2/X+ are exchanged",
        "flip the two strands of p-c005:4.3.2/X+",
    ]
    assert finding.remedy[0].as_json() == {"do": "flip", "cable": "p-c005:4.3.2/X+"}


def test_strands_that_are_straight_are_one_cable():
    pod = Pod("tpu-v4", slots=(5,))
    for name, (device, port, switch, far) in list(pod.rows.items()):
        del pod.rows[name]
        pod.rows[f"{name}:1"] = [switch, f"{far}A", device, f"{port}:1"]
        pod.rows[f"{name}:2"] = [device, f"{port}:2", switch, f"{far}B"]
    report = pod.audit()
    assert (report.findings, report.cables, report.expected) == ((), 96, 96)


def test_a_cable_left_on_a_port_whose_spare_took_over_is_wrong():
    substitution = Substitution("p-ocs-x-3-2", "5", "130")
    pod = Pod("tpu-v4", substitutions=[substitution])
    pod.plug("p-c005:4.3.2/X+", "p-ocs-x-3-2", "5")
    assert say(pod.only_finding()) == [
        "wrong-port: p-c005:4.3.2/X+ is on p-ocs-x-3-2 port 5, and belongs on p-ocs-x-3-2 port 130",
        "move p-c005:4.3.2/X+ on p-ocs-x-3-2 from port 5 to port 130",
    ]


def test_a_record_of_nothing_is_one_mistake():
    pod = Pod("ironwood")
    pod.rows = {}
    report = audit_cabling(pod.intended, recorded_plant(pod.intended.names, [], [], [], [], []))
    assert report.summary == {"missing": 1}
    assert report.findings[0].cause == "The 13,824 cables of cubes 1-144 are missing"


@pytest.mark.parametrize("design", ["ironwood", "tpu-v2-static"])
def test_one_mistake_everywhere_is_still_explained(design):
    pod = Pod(design)
    ends = [row[2:] for row in pod.rows.values()]
    for row, far in zip(pod.rows.values(), ends[1:] + ends[:1], strict=True):
        row[2:] = far
    finding = pod.only_finding()
    assert finding.code == "rotated"
    assert len(finding.cables) == len(ends)


class StrandPod(Pod):
    """A pod of which some cables are recorded strand by strand."""

    def __init__(self, *cables: str):
        super().__init__("tpu-v4", slots=(5, 9))
        for cable in cables:
            device, port, switch, far = self.rows.pop(cable)
            for strand, side in enumerate("AB", 1):
                row = [device, f"{port}:{strand}", switch, f"{far}{side}"]
                self.rows[f"{cable}:{strand}"] = row


FIRST, SECOND = "p-c005:4.3.2/X+", "p-c009:4.3.2/X+"


def test_half_a_cable_is_not_a_cable():
    pod = StrandPod(FIRST)
    del pod.rows[f"{FIRST}:1"]
    assert say(pod.only_finding()) == [
        "missing: p-c005:4.3.2/X+:1 is missing "
        "between p-c005-t08 port 4.3.2/X+:1 and p-ocs-x-3-2 port 5A",
        "lay a cable from p-c005-t08 port 4.3.2/X+:1 to p-ocs-x-3-2 port 5A",
    ]


def test_strands_of_two_cables_exchanged_are_one_mistake():
    pod = StrandPod(FIRST, SECOND)
    pod.exchange(f"{FIRST}:1", f"{SECOND}:1")
    assert say(pod.only_finding()) == [
        "swapped: p-c005:4.3.2/X+:1 and p-c009:4.3.2/X+:1 are exchanged, "
        "at p-ocs-x-3-2 ports 5A and 9A",
        "unplug p-c005:4.3.2/X+:1 from p-ocs-x-3-2 port 9A",
        "move p-c009:4.3.2/X+:1 on p-ocs-x-3-2 from port 5A to port 9A",
        "plug p-c005:4.3.2/X+:1 into p-ocs-x-3-2 port 5A",
    ]


def test_whole_cables_recorded_by_strand_are_exchanged_as_cables():
    pod = StrandPod(FIRST, SECOND)
    for strand in (1, 2):
        pod.exchange(f"{FIRST}:{strand}", f"{SECOND}:{strand}")
    finding = pod.only_finding()
    assert (finding.code, finding.cables) == ("swapped", (FIRST, SECOND))


def test_a_strand_on_the_port_of_a_whole_cable_takes_that_one_apart():
    pod = StrandPod(FIRST)
    pod.rows[f"{FIRST}:2"][3] = "9B"
    assert say(pod.only_finding()) == [
        "doubled-port: p-c005:4.3.2/X+:2 is on p-ocs-x-3-2 port 9B, where another cable is, "
        "and belongs on p-ocs-x-3-2 port 5B",
        "move p-c005:4.3.2/X+:2 on p-ocs-x-3-2 from port 9B to port 5B",
    ]


def test_every_cable_recorded_by_strand_is_counted_once():
    pod = StrandPod(*Pod("tpu-v4", slots=(5, 9)).rows)
    report = pod.audit()
    assert (report.findings, report.cables, report.expected) == ((), 192, 192)
    del pod.rows[f"{FIRST}:2"]
    report = pod.audit()
    assert (report.summary, report.cables) == ({"missing": 1}, 192)
