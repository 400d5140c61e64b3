"""Designs as files: equal to modules cable by cable, or refused with the line of each mistake."""

import csv
import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.cube import Cube
from fabric_twin.core.design import Design
from fabric_twin.core.designs import design_names, find_design
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.rule import CubePorts, SwitchPorts
from fabric_twin.core.static_torus import static_torus
from fabric_twin.inventory.cutsheet import write_cut_sheet
from fabric_twin.inventory.designs.design_file import read_design
from fabric_twin.services.audits.audit import audit_sheet

ROOT = Path(__file__).parents[2]
EXAMPLES, WRONG = ROOT / "docs/examples/designs", ROOT / "tests/errors/designs"
#: Written as a file too; the modules say the same by rules of their own.
BOTH = sorted({path.stem for path in EXAMPLES.glob("*.yaml")} - {"pod-150", "v5e-hosts", "wrong"})


def read(path):
    return read_design(path.read_bytes(), str(path))


def cables(design):
    plant = intended_plant(design, "p")
    ends = [zip(*plant.names.ends(column), strict=True) for column in (plant.a, plant.b)]
    return list(zip(*ends, strict=True))


@pytest.mark.parametrize("name", BOTH)
def test_a_file_is_equal_to_the_module_cable_by_cable(name):
    written, module = read(EXAMPLES / f"{name}.yaml"), find_design(name)
    assert cables(written) == cables(module)
    assert written == module, "all the other facts of a design"
    assert written.layout.switches == module.layout.switches
    assert (written.layout.spare == module.layout.spare).all()


def test_every_design_of_ours_is_written_as_a_file():
    assert set(BOTH) == set(design_names()) - {"tpu-v2-static"}, "that is another package's"


def test_units_of_unequal_sides_are_laid_out_as_a_module_lays_them_out():
    module = static_torus("v5e-hosts", "", (4, 8), Cube((4, 2), (4, 2)))
    written = read(EXAMPLES / "v5e-hosts.yaml")
    assert cables(written) == cables(module)
    assert (written.slots, written.chips, written.cables) == (32, 256, 192)


def test_the_pod_of_150_cubes_has_the_ports_that_its_file_says():
    design = read(EXAMPLES / "pod-150.yaml")
    assert (design.slots, design.chips, design.cables) == (150, 9600, 14_400)
    assert len(design.layout.switches) == 48
    found = dict(cables(design))
    for slot in range(1, 151):
        assert found[f"p-c{slot:03d}-t08", "4.3.2/X+"] == ("p-ocs-x-3-2", f"{slot}")
        assert found[f"p-c{slot:03d}-t07", "1.3.2/X-"] == ("p-ocs-x-3-2", f"{slot + 150}")


def rule_with_all(port: CubePorts) -> SwitchPorts:
    """`-` on A; switches of two cubes each; eight ports a lane, counted back from port 20."""
    return SwitchPorts(
        axis=port.axis,
        number=np.column_stack([(port.slot + 1) // 2, port.index[:, 0]]),
        side=1 - port.sign,
        port=20 - 2 * (port.slot - 1) % 4 - 8 * (port.lane - 1),
    )


def test_every_part_of_a_rule_is_counted_as_a_rule_of_arrays_counts_it():
    text = (
        "name: all\ntitle: All parts\nplant: split\nslots: 3\ncube: 2x2\ntray: 2x1\nlanes: 2\n"
        "radix: 24\nspares: 1-3,24\nlargest_offer: 8\n"
        "rule:\n"
        "  switch: [slot/2, i]\n"
        "  port: {first: 20, slot%2: -2, lane: -8}\n"
        "  side: {+: B, -: A}\n"
    )
    assert cables(read_design(text.encode(), "all.yaml")) == cables(
        Design(
            name="all",
            title="All parts",
            slots=3,
            cube=Cube((2, 2), (2, 1)),
            lanes=2,
            radix=24,
            spares=(1, 2, 3, 24),
            rule=rule_with_all,
        )
    )


@pytest.mark.parametrize("path", sorted(WRONG.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_wrong_file_is_refused_with_its_lines_and_what_to_write(run, path, monkeypatch):
    monkeypatch.chdir(WRONG)
    refused = run("designs", "--check", path.name)
    assert refused.stderr == path.with_suffix(".txt").read_text()
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"{path.name}, line " in refused.stderr or "\nfabric-twin:   line " in refused.stderr


def test_every_mistake_is_told_to_programs_too(run):
    refused = run("designs", "--check", str(WRONG / "odd-values.yaml"), "--json")
    told = json.loads(refused.stdout)["error"]
    assert (told["what"], told["remedy"]) == ("it has 4 mistakes", "Correct them all")
    assert [mistake["line"] for mistake in told["mistakes"]] == [2, 3, 4, 5]


def test_a_file_is_summed_up(run):
    checked = run("designs", "--check", str(EXAMPLES / "tpu-v4-cwdm8.yaml"))
    assert (checked.exit_code, checked.stdout) == (
        0,
        "design      tpu-v4-cwdm8: TPU v4, one strand a port\n"
        "plant       split\n"
        "cubes       64, each of 4x4x4 chips on 16 trays of 2x2x1\n"
        "chips       4,096\n"
        "ports       6,144 on cubes, 1 cable each\n"
        "switches    24, each of 2 sides of 136 ports, 8 spares\n"
        "cables      6,144\n"
        f"layout      {find_design('tpu-v4-cwdm8').digest[:8]}, which a pod keeps to know it by\n",
    )
    assert checked.stderr.endswith(
        "from a folder it is not used: a package brings a design of this name.\n"
    )
    static = run("designs", "--check", str(EXAMPLES / "tpu-v3.yaml")).stdout
    assert "switches    none: cables join cubes\n" in static
    as_json = run("designs", "--check", str(EXAMPLES / "tpu-v4-cwdm8.yaml"), "--json").stdout
    assert json.loads(as_json)["designs"] == [find_design("tpu-v4-cwdm8").as_json()]


def test_a_file_is_used_by_its_path_wherever_a_design_is_asked_for(run, tmp_path, monkeypatch):
    shutil.copy(EXAMPLES / "pod-150.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    base = ("--design", "pod-150.yaml", "--pod", "p", "--slots", "1-8")
    sheet = run("cutsheet", *base).stdout
    assert run("audit", "-", *base, stdin=sheet).stdout == (
        "Pod p (pod-150): 768 cables recorded, 768 expected.\n"
        "Clean: all 768 cables are where the wiring rule wants them.\n"
    )
    assert run("slice", *base, "--shape", "8x8x8").exit_code == 0
    assert run("render", "cut-list", *base, "--format", "csv", "-o", "-").exit_code == 0
    away = run("cutsheet", "--design", "./away.yaml", "--pod", "p")
    assert (away.exit_code, away.stderr) == (
        2,
        "fabric-twin: ./away.yaml: it cannot be read (no such file or directory). "
        "Name a file that is there and may be read.\n",
    )


def test_a_design_may_come_from_standard_input(run):
    piped = (EXAMPLES / "pod-150.yaml").read_bytes()
    assert run("designs", "--check", "-", stdin=piped).exit_code == 0


COUNTED = ["slot", "sign", "lane", "i", "j"]
WORDS = st.sampled_from([*COUNTED, "i/2", "i%2", "j/2", "j%2", "slot/3", "slot%3"])


@st.composite
def rules(draw, many, radix):
    """Names of switches and steps of ports: any, or such that every cable has a port of its own."""
    if draw(st.integers(0, 3)) == 0:
        port = draw(st.dictionaries(WORDS, st.integers(-3, 70), max_size=3))
        return draw(st.lists(WORDS, max_size=4)), port, radix
    keys = draw(st.permutations(sorted(many)))
    cut, step, port = draw(st.integers(0, len(keys))), 1, {}
    for key in keys[cut:]:
        port[key], step = step, step * many[key]
    return keys[:cut], port, max(radix, step)


@st.composite
def files(draw):
    """Files that are well formed; no pod can be built from some of them."""
    side, axes = draw(st.sampled_from([2, 3, 4])), draw(st.sampled_from([2, 3]))
    tray = draw(st.sampled_from(["1", "1", "2"]))
    plant = draw(st.sampled_from(["split", "paired", "static"]))
    lanes, slots = draw(st.integers(1, 2)), draw(st.integers(1, 9))
    lines = [f"name: any\ntitle: Any\nplant: {plant}\nlanes: {lanes}"]
    lines.append(f"cube: {'x'.join([str(side)] * axes)}\ntray: {'x'.join([tray] * axes)}")
    if plant == "static":
        sides = draw(st.lists(st.integers(1, 4), min_size=axes, max_size=3))
        lines.append(f"grid: {'x'.join(map(str, sides))}")
        lines.append(f"optical_wraps: {draw(st.sampled_from(['yes', 'no']))}")
        return "\n".join(lines)
    many = {"slot": slots, "lane": lanes, "i": side} | ({"j": side} if axes == 3 else {})
    many |= {"sign": 2} if plant == "paired" else {}
    switch, port, radix = draw(rules(many, draw(st.integers(1, 90))))
    lines.append(f"slots: {slots}\nradix: {radix}")
    if draw(st.integers(0, 3)) == 0:
        lines.append(f"spares: {draw(st.integers(1, 90))}")
    steps = ", ".join(f"{key}: {step}" for key, step in port.items())
    lines.append(f"rule:\n  switch: [{', '.join(switch)}]\n  port: {{{steps}}}")
    return "\n".join(lines)


def audited(design, swapped=()):
    """The report of a full pod, with the far ends of two cables exchanged."""
    out = io.StringIO()
    write_cut_sheet(intended_plant(design, "p"), out)
    header, *rows = csv.reader(io.StringIO(out.getvalue()))
    if swapped:
        one, other = (rows[row] for row in swapped)
        one[3:5], other[3:5] = other[3:5], one[3:5]
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return audit_sheet(design, "p", out.getvalue().encode(), "sheet").report, rows


def line_in(refusal: FabricTwinError) -> list[int]:
    mistakes = getattr(refusal, "mistakes", ())
    return [mistake.line for mistake in mistakes] or [int(refusal.where.rpartition("line ")[2])]


@given(text=files(), data=st.data())
def test_a_well_formed_file_is_a_pod_with_the_laws_of_the_audit_or_is_refused_with_a_line(
    text, data
):
    try:
        design = read_design(text.encode(), "any.yaml")
    except FabricTwinError as refusal:
        assert all(1 <= line <= text.count("\n") + 1 for line in line_in(refusal))
        assert str(refusal).startswith("any.yaml")
        return
    clean, rows = audited(design)
    assert (clean.findings, clean.cables, clean.expected) == ((), len(rows), design.cables)
    last = st.integers(0, len(rows) - 1)
    swapped = data.draw(st.lists(last, min_size=2, max_size=2, unique=True))
    report, _ = audited(design, swapped)
    named = [cable for finding in report.findings for cable in finding.cables]
    assert sorted(named) == sorted(rows[row][0] for row in swapped)


@given(
    line=st.integers(0, 13),
    put=st.text(st.characters(codec="utf-8"), max_size=12),
    at=st.integers(0, 30),
)
def test_a_file_in_which_anything_is_typed_is_a_design_or_refused_with_a_line(line, put, at):
    lines = (EXAMPLES / "pod-150.yaml").read_text().splitlines()
    lines[line] = lines[line][:at] + put + lines[line][at:]
    text = "\n".join(lines)
    try:
        design = read_design(text.encode(), "pod-150.yaml")
    except FabricTwinError as refusal:
        found = line_in(refusal)
        assert found
        assert all(1 <= one <= len(text.splitlines()) for one in found)
        assert str(refusal).startswith("pod-150.yaml")
    else:  # what was typed is a comment, or another value that fits
        assert design.name == "pod-150"
        assert design.cables == len(design.layout.cable_a) > 0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"a" * 2**17, "f.yaml: the file is larger than 64 KiB. Keep one design in a file."),
        (
            b"name: \xff",
            "f.yaml, line 1: byte 0xff is not UTF-8. Save the file as YAML in UTF-8.",
        ),
        (
            b"[" * 60_000,
            "f.yaml, line 1: lists and keys are nested more than 8 deep. "
            "Write it as docs/design-files.md shows.",
        ),
    ],
)
def test_what_would_take_long_to_read_is_refused_at_once(data, words):
    with pytest.raises(FabricTwinError) as refusal:
        read_design(data, "f.yaml")
    assert str(refusal.value) == words


#: A design that is right.
WHOLE = (
    b"name: t\ntitle: T\nplant: split\nslots: 4\nradix: 8\n"
    b"rule: {switch: [i, j], port: {slot: 1}}\n"
)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (b'title: "\\U00110000"\n', "this is not YAML (a number or a character is too large)"),
        (b"%YAML 1." + b"9" * 5000 + b"\n---\na: b\n", "this is not YAML (a number or"),
        (WHOLE.replace(b"[i, j]", b"[i, i, j]"), "a key is written twice"),
        (
            WHOLE.replace(b"title", b"cube: 9999x9999\ntray: 1x1\ntitle"),
            "more than 1,000,000 chips",
        ),
    ],
)
def test_what_no_pod_can_be_is_refused_before_it_is_laid_out(wrong, said):
    with pytest.raises(FabricTwinError) as refused:
        read_design(wrong, "t.yaml")
    told = [mistake.what for mistake in getattr(refused.value, "mistakes", ())]
    assert said in f"{refused.value} {told}"
