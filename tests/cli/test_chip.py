"""`fabric-twin chip`: netlists, what is wrong with them, who hears whom, and drawings."""

import json
import xml.etree.ElementTree as ET

import pytest

ATAC = ("--design", "atac")
SMALL = ("--design", "docs/examples/chips/small.yaml")


@pytest.fixture
def small(run, monkeypatch, request):
    """The rows of a small chip, as its design wants them."""
    monkeypatch.chdir(request.config.rootpath)
    return run("chip", "netlist", *SMALL).stdout


def test_region_7_core_12_is_heard_as_the_source_says(run):
    said = run("chip", "hears", *ATAC, "--core", "7.12", "--bit", "5", "--across")
    assert (said.exit_code, said.stdout) == (
        0,
        "core 7.12, bit 5:\n"
        "  a0-07-d05, wavelength 12: heard by 63 cores, 1..11 13..64\n"
        "  a1-d05, wavelength 7: heard by 63 interface tiles of regions, 1..6 8..64\n",
    )


def test_only_two_send_to_all_cores_at_once(run):
    cores = ("--core", "7.12", "--core", "8.1", "--core", "9.1")
    assert run("chip", "hears", *ATAC, *cores).exit_code == 0
    assert run("chip", "hears", *ATAC, *cores[:4], "--across").exit_code == 0
    refused = run("chip", "hears", *ATAC, *cores, "--across")
    assert (refused.exit_code, refused.stdout, refused.stderr) == (
        1,
        "",
        "fabric-twin: broadcasts: 3 broadcasts to all cores cannot be at once: 2 values pass "
        "between the levels. Send 2 at once, or keep them within their regions.\n",
    )


@pytest.mark.parametrize("options", [("--bit", "0"), ("--bit", "33"), ("--core", "65.1")])
def test_what_is_not_there_is_refused(run, options):
    refused = run("chip", "hears", *ATAC, "--core", "7.12", *options)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "there is no" in refused.stderr


def test_one_ring_is_written_and_audited_alone(run, tmp_path):
    path = str(tmp_path / "ring.csv")
    assert run("chip", "netlist", *ATAC, "--ring", "a0-07", "-o", path).exit_code == 0
    clean = run("chip", "audit", path, *ATAC, "--ring", "a0-07")
    assert (clean.exit_code, clean.stdout) == (
        0,
        "Chip atac (ATAC: 64 rings of 64 cores on a chip, and one over them): "
        "135,143 parts recorded, 135,143 expected.\n"
        "Clean: all 135,143 parts are where the design wants them.\n",
    )
    others = run("chip", "audit", path, *ATAC).stdout.splitlines()
    assert others[1] == "1 finding: 1 ring-missing."
    assert others[4] == (
        "   a0-01, a0-02, 61 more and a1: nothing is there; its 64 endpoints have the mesh alone."
    )
    refused = run("chip", "netlist", *ATAC, "--ring", "a0-65")
    assert refused.stderr == (
        "fabric-twin: ring: there is no ring 'a0-65'. Use a0-01 to a0-64, or a1.\n"
    )


def test_a_sender_on_the_wavelength_of_another_is_told_in_each_form(run, small):
    as_designed = "a0-01..a0-06,modulator,1..12,,1..4,d01..d04,1..12"
    assert as_designed in small
    wrong = small.replace(
        as_designed,
        "a0-01..a0-06,modulator,1..8 10..12,,1..4,d01..d04,1..8 10..12\n"
        "a0-01..a0-06,modulator,9,,1..4,d01..d04,1",
    )
    found = run("chip", "audit", "-", *SMALL, stdin=wrong)
    assert (found.exit_code, found.stdout) == (
        1,
        "Chip small (6 regions of 12 cores on rings of 4 waveguides): "
        "4,478 parts recorded, 4,478 expected.\n"
        "1 finding: 1 wavelength-twice.\n"
        "\n"
        "1. wavelength-twice  error  ca50c4e30267\n"
        "   a0-01 to a0-06: endpoint 9 sends all bits on wavelength 1, as endpoint 1 does; nobody "
        "can tell them apart, and nobody hears endpoint 9.\n",
    )
    report = json.loads(run("chip", "audit", "-", *SMALL, "--json", stdin=wrong).stdout)
    [finding] = report["findings"]
    assert (report["cables"], finding["code"], finding["evidence"]["parts"]) == (
        4478,
        "wavelength-twice",
        24,
    )
    page = run("chip", "audit", "-", *SMALL, "--html", stdin=wrong).stdout
    assert "4,478 parts recorded, 4,478 expected" in page
    assert "cables" not in page
    rows = run("chip", "audit", "-", *SMALL, "--csv", stdin=wrong).stdout.splitlines()
    assert len(rows) == 2
    assert rows[1].split(",")[1:3] == ["wavelength-twice", "error"]


@pytest.mark.parametrize("ring", [(), ("--ring", "a0-02"), ("--ring", "a1")])
@pytest.mark.parametrize("design", [ATAC, SMALL])
def test_drawings_are_whole_and_stay_within_their_page(run, small, design, ring):
    drawn = run("chip", "draw", *design, *ring)
    assert drawn.exit_code == 0
    page = ET.fromstring(drawn.stdout)  # noqa: S314 - our own
    wide, tall = map(float, page.get("viewBox").split()[2:])
    svg = "{http://www.w3.org/2000/svg}"
    for part in page.iter(f"{svg}text"):
        if "transform" not in part.attrib:
            assert 0 <= float(part.get("x")) < wide
            assert 0 <= float(part.get("y")) < tall
    regions = {ATAC: 64, SMALL: 6}[design]
    cores = {ATAC: 64, SMALL: 12}[design]
    boxes = [part for part in page.iter(f"{svg}rect") if part.get("class") == "box"]
    assert len(boxes) == (cores if "a0-02" in ring else regions)
