"""The cables of a cluster on the command line: sheet, audit, maps, lists and labels."""

import pytest

from tests.core.groups.examples import EXAMPLES

DESIGN = str(EXAMPLES / "cross-links.yaml")
OF = ("--design", DESIGN, "--pod", "pg1")


def rendered(run, document, *options, form="txt", of=OF):
    return run("render", document, *of, *options, "--format", form, "-o", "-")


def test_a_wrong_cable_is_told_by_its_cause(run):
    sheet = run("cutsheet", *OF).stdout
    at = "pg1-r01c01:1.4/E1,pg1-r01c01,1.4/E1,pg1-row-01-1-"
    assert f"{at}1,2," in sheet
    result = run("audit", "-", *OF, stdin=sheet.replace(f"{at}1,2,", f"{at}2,40,"))
    assert result.exit_code == 1
    assert result.stdout == (
        "Cluster pg1 (cross-links): 2,208 cables recorded, 2,208 expected.\n"
        "1 finding: 1 crossed-lane.\n"
        "\n"
        "1. crossed-lane  error  e64917f5dfa4\n"
        "   pg1-r01c01:1.4/E1 is on pg1-row-01-1-2 port 40, which serves another lane, and "
        "belongs on pg1-row-01-1-1 port 2.\n"
        "     1  move pg1-r01c01:1.4/E1 from pg1-row-01-1-2 port 40 to pg1-row-01-1-1 port 2\n"
    )


def test_a_page_of_findings_says_what_was_audited(run):
    sheet = run("cutsheet", *OF).stdout
    assert "<h1>Audit of cluster pg1</h1>" in run("audit", "-", *OF, "--html", stdin=sheet).stdout


def test_a_map_of_a_switch_says_what_is_on_each_port(run):
    told = rendered(run, "switch-map", "--switch", "row-02-1-3")
    assert told.exit_code == 0
    head, *rows = told.stdout.splitlines()
    assert head == "Switch map of pg1-row-02-1-3"
    assert [row.split() for row in rows[5:7]] == [
        ["1", "cabled", "pg1-r02c01", "1.1/W3", "pg1-r02c01:1.1/W3"],
        ["2", "cabled", "pg1-r02c01", "1.4/E3", "pg1-r02c01:1.4/E3"],
    ]
    assert [row.split() for row in rows[13:15]] == [
        ["9", "to", "48", "free"],
        ["49", "cabled", "pg1-row-t1-1-3-1", "3", "pg1-row-02-1-3:49"],
    ]
    assert rows[-1].split() == ["64", "cabled", "pg1-col-03-1-3", "64", "pg1-row-02-1-3:64"]


def test_the_other_end_of_a_cross_link_has_its_name_too(run):
    told = rendered(run, "switch-map", "--switch", "pg1-col-03-1-3").stdout
    assert told.splitlines()[-1].split() == [
        *("64", "cabled", "pg1-row-02-1-3", "64", "pg1-row-02-1-3:64")
    ]


def test_a_map_of_a_group_says_where_each_port_goes(run):
    told = rendered(run, "group-map", "--group", "r02c03").stdout.splitlines()
    assert told[:3] == ["Group map of pg1-r02c03", "Cluster pg1", "48 of 48 ports have a cable"]
    assert told[-1].split() == ["1.4/N3", "cabled", "pg1-col-03-4-3", "3", "pg1-r02c03:1.4/N3"]


def test_lists_and_labels_are_of_all_of_one_device_or_of_each(run, tmp_path):
    whole = rendered(run, "labels", form="csv").stdout.splitlines()
    assert len(whole) == 1 + 2 * 2208
    one = rendered(run, "cut-list", "--switch", "row-02-1-3", form="csv").stdout.splitlines()
    assert one[0] == "device,port,to,port there,cable"
    assert len(one) == 1 + 8 + 14 + 2
    each = run("render", "labels", *OF, "--all", "--format", "csv", "-o", str(tmp_path / "labels"))
    written = sorted((tmp_path / "labels").iterdir())
    assert (each.exit_code, len(written)) == (0, 16 + 96)
    assert sum(len(file.read_text().splitlines()) - 1 for file in written) == 2 * 2208
    maps = run("render", "group-map", *OF, "--all", "--format", "html", "-o", str(tmp_path / "g"))
    assert (maps.exit_code, len(list((tmp_path / "g").iterdir()))) == (0, 16)


@pytest.mark.parametrize(
    ("document", "options", "told"),
    [
        ("group-map", (), "group-map: a group-map is of a group. Name a group, or ask for all."),
        (
            *("group-map", ("--switch", "row-01-1-1")),
            "group-map: a group-map is of a group, not of a switch. Name a group, or ask for all.",
        ),
        (
            *("group-map", ("--group", "r09c01")),
            "device: pg1 has no group 'pg1-r09c01'. Name a group or a switch as a cut sheet does.",
        ),
        (
            *("labels", ("--cube", "1")),
            "labels: a document of a cluster is not of a cube. Leave the cube out.",
        ),
        (
            *("face-map", ("--cube", "1")),
            "face-map: a document of a cluster is not of a cube. Leave the cube out.",
        ),
        (
            *("bill-of-materials", ()),
            "bill-of-materials: a cluster has no bill-of-materials. Use one of group-map, "
            "switch-map, cut-list, labels.",
        ),
        (
            *("cut-list", ("--cables", "-")),
            "render: documents of a cluster are made from its design, not from --cables. "
            "Leave it out.",
        ),
    ],
)
def test_what_a_cluster_has_no_document_of_is_refused(run, document, options, told):
    refused = rendered(run, document, *options, form="csv")
    assert (refused.exit_code, refused.stderr) == (2, f"fabric-twin: {told}\n")


def test_a_pod_has_no_map_of_groups(run):
    of = ("--design", "ironwood", "--pod", "iw1", "--all")
    refused = rendered(run, "group-map", of=of)
    assert refused.stderr == (
        "fabric-twin: group-map: a group-map is of a cluster of groups. Ask for a face map.\n"
    )
    refused = rendered(run, "labels", "--group", "r01c01", form="csv", of=of[:-1])
    assert refused.stderr == (
        "fabric-twin: labels: a labels is not of a group. Leave the group out.\n"
    )


def test_a_design_file_is_summed_up_or_refused_with_all_its_mistakes(run, tmp_path):
    good = run("designs", "--check", DESIGN)
    assert good.stderr == f"fabric-twin: {DESIGN}: clusters can be built of this design.\n"
    assert good.stdout.splitlines()[1:8] == [
        "plant       packet",
        "groups      4 rows of 4, each of 4x4 processors",
        "processors  256",
        "ports       768 on groups",
        "switches    96 on tier 0 and 168 on tier 1, each of 64 ports",
        "cables      768 of groups and 1,440 between switches",
        "copper      1,152 inside groups",
    ]
    bad = tmp_path / "bad.yaml"
    head = "name: bad\ntitle: x\nplant: packet\n"
    bad.write_text(head + "group: 4x3\nrows: 4\ncolumns: 4\njoined: a\n")
    refused = run("designs", "--check", str(bad))
    assert (refused.exit_code, refused.stderr) == (
        2,
        f"fabric-twin: {bad}, line 4: a group has as many rows as columns. Write `group: 4x4`.\n",
    )
    bad.write_text(head + "rows: 4\ncolumns: 3\njoined: z\nslots: 4\n")
    refused = run("designs", "--check", str(bad))
    assert refused.stderr.splitlines()[1:] == [
        "fabric-twin:   line 6: `joined` is 'z', and not one of nothing, a, b, each-other, core. "
        "Write `joined: a`.",
        "fabric-twin:   line 7: a packet plant has no `slots`. Leave it out, or write "
        "`plant: paired or split`.",
    ]
    bad.write_text(head + "rows: 4\ncolumns: 3\njoined: a\n")
    refused = run("designs", "--check", str(bad))
    assert refused.stderr == (
        f"fabric-twin: {bad}, line 3: groups are squares or chains, and one of `group` and `chain` "
        "says which. Write `group: 4x4`, or `chain: 5`.\n"
    )
    bad.write_text(head + "group: 3x3\nrows: 4\ncolumns: 3\njoined: a\ncross_links: yes\n")
    refused = run("designs", "--check", str(bad))
    assert refused.stderr == (
        f"fabric-twin: {bad}, line 8: each row has a column of its number, and there are 4 rows "
        "and 3 columns. Give as many rows as columns, or leave cross links out.\n"
    )
