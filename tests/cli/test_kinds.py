"""What a kind of fabric cannot do, every command refuses in the words of the one table."""

import json

import pytest

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.change import plan_change
from fabric_twin.core.designs import find_design
from fabric_twin.core.discovery import Discovery
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Kind, Verb, why_not
from fabric_twin.core.proposals.targets import out_of

STATIC = ("--design", "tpu-v2-static", "--pod", "t2")
#: How each is asked for what a static pod cannot do.
ASKED = {
    Verb.TWIST: ("slice", "--shape", "16x16", "--twisted"),
    Verb.BEAR: ("slice", "--shape", "16x16", "--bear", "1"),
    Verb.PLAN: ("plan", "--from", "none.json", "--to", "none.json"),
    Verb.LET_BEAR: ("maintenance", "--in-use", "in-use.json", "--cube", "1", "--bear", "1"),
    Verb.TAKE_SWITCH: ("maintenance", "--in-use", "in-use.json", "--switch", "ocs-x-1-1"),
    Verb.RENDER_SWITCH: ("render", "cut-list", "--switch", "x-1-1", "--format", "txt", "-o", "a"),
    Verb.FAIL_SWITCHES: ("replay", "trace.csv", "--switch-availability", "0.999"),
    Verb.PORT_MAP: ("render", "port-map", "--all", "--format", "txt", "-o", "maps"),
    Verb.TAKE_BACK: ("discover", "--target", "127.0.0.1:1", "--insecure", "--restore"),
    Verb.RINGS: ("rings", "ask", "--job", "a", "--sequence", "5"),
}

#: Wishes that a pod with switches could grant: the answer to them is no (1), not bad input (2).
WISHES = {Verb.TWIST, Verb.BEAR, Verb.LET_BEAR, Verb.FAIL_SWITCHES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("static")
    (path / "none.json").write_text(json.dumps({"version": 1, "circuits": []}))
    (path / "in-use.json").write_text(json.dumps({"version": 1, "slices": []}))
    (path / "trace.csv").write_text("job,arrival_s,shape,twisted,duration_s\na,0,16x16,,100\n")
    (path / "sheet.csv").write_text("cable,a_device,a_port,b_device,b_port\n")
    return path


def test_all_that_a_static_pod_cannot_do_is_asked_for_here():
    without_design = {Verb.DISCOVER_BY_JOB, Verb.TOPOLOGY, Verb.CHIP}
    assert set(ASKED) | without_design == {verb for verb in Verb if why_not(Kind.STATIC, verb)}
    of_pods = [verb for verb in Verb if why_not(Kind.POD, verb)]
    assert of_pods == [Verb.ANYWHERE, Verb.TOPOLOGY, Verb.RINGS, Verb.CHIP]


def test_a_pod_with_switches_has_no_places_to_choose_from(run):
    refused = run("slice", "--shape", "8x8x8", "--anywhere", "--design", "tpu-v4", "--pod", "v4")
    assert (refused.exit_code, refused.stderr) == (
        2,
        "fabric-twin: design tpu-v4: any free cubes make a slice, so there are no places to choose "
        "from. Leave it out.\n",
    )


@pytest.mark.parametrize("verb", ASKED, ids=str)
def test_what_a_kind_cannot_do_is_refused_in_the_words_of_the_table(run, folder, monkeypatch, verb):
    monkeypatch.chdir(folder)
    refused = run(*ASKED[verb], *STATIC)
    no = why_not(Kind.STATIC, verb)
    assert refused.exit_code == (1 if verb in WISHES else 2)
    assert refused.stderr.splitlines()[-1].endswith(f"{no.why}. {no.remedy}.")


CLUSTER = ("--design", "groups-a", "--pod", "pg1")
#: How a cluster is asked for what it cannot do; files are not read before.
ASKED_OF_A_CLUSTER = {
    Verb.DIAGNOSE: ("audit", "sheet.csv", "--target", "127.0.0.1:1", "--insecure"),
    Verb.SLICE: ("slice", "--shape", "4x4x4"),
    Verb.PLAN: ("plan", "--from", "none.json", "--to", "none.json"),
    Verb.MAINTENANCE: ("maintenance", "--in-use", "in-use.json", "--cube", "1"),
    Verb.REPLAY: ("replay", "trace.csv"),
    Verb.PORT_MAP: ("render", "port-map", "--all", "--format", "txt", "-o", "maps"),
    Verb.MOVE: ("order", "move", "none.json", "-o", "order"),
    Verb.CIRCUITS: ("order", "install", "--cubes", "1", "--circuits", "none.json", "-o", "order"),
    Verb.TAKE_BACK: ("discover", "--restore", "--target", "127.0.0.1:1", "--insecure"),
}


def test_all_that_a_cluster_cannot_do_is_asked_for_here():
    options = {Verb.TWIST, Verb.BEAR, Verb.ANYWHERE, Verb.LET_BEAR}
    options |= {Verb.FAIL_SWITCHES}
    in_nautobot = {Verb.CONFIRM_BY_CIRCUIT}
    refused = {verb for verb in Verb if why_not(Kind.GROUPS, verb)}
    assert {*ASKED_OF_A_CLUSTER, *options, *in_nautobot, Verb.TOPOLOGY, Verb.CHIP} == refused


@pytest.mark.parametrize("verb", ASKED_OF_A_CLUSTER, ids=str)
def test_a_cluster_refuses_in_the_words_of_the_table(run, folder, monkeypatch, verb):
    monkeypatch.chdir(folder)
    refused = run(*ASKED_OF_A_CLUSTER[verb], *CLUSTER)
    no = why_not(Kind.GROUPS, verb)
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"fabric-twin: design groups-a: {no.why}. {no.remedy}.\n",
    )


CHIP = ("--design", "atac", "--pod", "a1")
#: How a chip is asked for what it cannot do; there, options are refused with their command.
ASKED_OF_A_CHIP = {
    Verb.CUT_SHEET: ("cutsheet",),
    Verb.AUDIT: ("audit", "sheet.csv"),
    Verb.RENDER: ("render", "cut-list", "--format", "txt", "-o", "a"),
    Verb.SIMULATE: ("simulate",),
    Verb.DISCOVER: ("discover", "--target", "127.0.0.1:1", "--insecure"),
    **{verb: ASKED_OF_A_CLUSTER[verb] for verb in (Verb.DIAGNOSE, Verb.SLICE, Verb.PLAN)},
    **{verb: ASKED_OF_A_CLUSTER[verb] for verb in (Verb.MAINTENANCE, Verb.REPLAY, Verb.MOVE)},
    Verb.INSTALL: ("order", "install", "--cubes", "1", "-o", "order"),
    Verb.REPAIR: ("order", "repair", "none.json", "-o", "order"),
    Verb.DECOMMISSION: ("order", "decommission", "--cubes", "1", "-o", "order"),
}


@pytest.mark.parametrize("verb", ASKED_OF_A_CHIP, ids=str)
def test_a_chip_refuses_in_the_words_of_the_table(run, folder, monkeypatch, verb):
    monkeypatch.chdir(folder)
    refused = run(*ASKED_OF_A_CHIP[verb], *CHIP)
    no = why_not(Kind.CHIP, verb)
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"fabric-twin: design atac: {no.why}. {no.remedy}.\n",
    )


@pytest.mark.parametrize("command", ["netlist", "audit none.csv", "hears --core 1.1", "draw"])
@pytest.mark.parametrize(
    ("design", "kind"),
    [("ironwood", Kind.POD), ("tpu-v5e", Kind.STATIC), ("groups-a", Kind.GROUPS)],
)
def test_what_is_no_chip_has_no_netlist(run, command, design, kind):
    refused = run("chip", *command.split(), "--design", design)
    no = why_not(kind, Verb.CHIP)
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"fabric-twin: design {design}: {no.why}. {no.remedy}.\n",
    )


def test_core_refuses_alike_whichever_door_asks():
    static = intended_plant(find_design("tpu-v5e"), "e5")
    for verb, ask in {
        Verb.PLAN: lambda: plan_change(static.design, "e5", [], []),
        Verb.TAKE_SWITCH: lambda: out_of(static, {"switches": ["x-1-1"]}),
        Verb.TAKE_BACK: lambda: Discovery(static),
    }.items():
        with pytest.raises(FabricTwinError) as refused:
            ask()
        no = why_not(Kind.STATIC, verb)
        assert str(refused.value) == f"design tpu-v5e: {no.why}. {no.remedy}."


def test_the_medium_decides_the_kind():
    designs = map(find_design, ("ironwood", "tpu-v4", "tpu-v2-static", "atac"))
    assert [(design.medium.value, design.kind.value) for design in designs] == [
        ("optical", "pod"),
        ("optical", "pod"),
        ("none", "static"),
        ("ring", "chip"),
    ]
