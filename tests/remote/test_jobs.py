"""Jobs of the App on a server: how they are asked for, what they refuse, and what is said of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from fabric_twin.cli import main
from tests.remote.conftest import Answer, Nautobot

APP = "/api/plugins/fabric-twin/"
JOB = {"id": "j", "name": "Load pod", "enabled": True, "installed": True}
RUN, RESULT, LOGS = "/api/extras/jobs/j/run/", "/api/extras/job-results/r/", "/api/extras/job-logs/"
LOCATIONS = "/api/dcim/locations/"
DONE = {"status": {"value": "SUCCESS"}, "result": "Pod iw1: loaded 1 pod.", "warning_log_count": 0}
SLICE = {
    "id": "s",
    "name": "train-1",
    "shape": "4x4x8",
    "twisted": True,
    "status": {"name": "Active"},
    "parts": [{"place": 1, "cube": {"slot": 3}}, {"place": 0, "cube": {"slot": 9}}],
}


def remote(*words: str, given: str = "") -> Result:
    result = CliRunner().invoke(main, ["remote", *words], input=given, prog_name="fabric-twin")
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused_with(kind: str, code: int) -> dict[str, Any]:
    """The result of a job that refused, as the App's jobs keep it."""
    said = {"what": "no cube is free", "where": "pod iw1", "remedy": "Release a slice"}
    return {
        "status": {"value": "FAILURE"},
        "result": {
            "exc_type": kind,
            "exc_module": "fabric_twin.core.errors",
            "exc_message": "pod iw1: no cube is free. Release a slice.",
            "refused": said,
            "exit_code": code,
        },
    }


@pytest.fixture
def jobs(app: Nautobot) -> Nautobot:
    """A server whose jobs run, and end as result `r` says."""
    app.say("/api/extras/jobs/", {"results": [JOB]})
    app.say(RUN, {"job_result": {"id": "r"}, "scheduled_job": None})
    app.say(RESULT, DONE)
    app.say(LOCATIONS, {"results": [{"id": "l"}]})
    app.say("/api/graphql/", {"data": {"slices": [SLICE]}})
    return app


LOAD = ("load", "--pod", "iw1", "--design", "ironwood", "--location", "hall-1")
MAKE = ("slice", "make", "--pod", "iw1", "--shape", "4x4x8")


@pytest.mark.parametrize(
    ("words", "kind", "code", "exits"),
    [
        (MAKE, "UnusableInput", 2, 2),
        (MAKE, "NotPermitted", 2, 2),
        (MAKE, "NotPossible", 1, 1),
        (MAKE, "NoAnswer", 3, 3),
        (("sync", "--pod", "iw1"), "PodRefused", 2, 2),
        (("sync", "--pod", "iw1"), "NotPossible", 1, 2),
    ],
)
def test_a_job_that_refuses_exits_as_the_refusal_does(
    jobs: Nautobot, words: tuple[str, ...], kind: str, code: int, exits: int
) -> None:
    jobs.say(RESULT, refused_with(kind, code))
    said = remote(*words, "--json")
    where = f"{jobs.address}, pod iw1"
    assert (said.exit_code, said.stderr) == (
        exits,
        f"fabric-twin: {where}: no cube is free. Release a slice.\n",
    )
    assert json.loads(said.stdout) == {
        "error": {"what": "no cube is free", "where": where, "remedy": "Release a slice"}
    }


def test_a_job_that_breaks_is_a_server_that_failed(jobs: Nautobot) -> None:
    broke = {"exc_type": "KeyError", "exc_message": ["x"], "exc_module": "builtins"}
    jobs.say(RESULT, {"status": {"value": "FAILURE"}, "result": broke})
    jobs.say(LOGS, {"results": [{"message": "KeyError: 'x'"}]})
    said = remote(*MAKE)
    assert (said.exit_code, said.stdout) == (3, "")
    assert said.stderr == (
        f"fabric-twin: {jobs.address}/extras/job-results/r/: the job Make slice ended as failure: "
        "KeyError: 'x'. See its log in Nautobot.\n"
    )


def test_a_job_that_somebody_must_approve(jobs: Nautobot) -> None:
    jobs.say(RUN, {"job_result": None, "scheduled_job": {"id": "w"}})
    said = remote(*LOAD)
    assert (said.exit_code, said.stdout) == (3, "")
    assert said.stderr == (
        f"fabric-twin: {jobs.address}/extras/scheduled-jobs/w/: the job Load pod waits for "
        "somebody to approve it. Have it approved in Nautobot: it is done then.\n"
    )


def test_what_the_form_of_a_job_refuses(jobs: Nautobot) -> None:
    jobs.say(RUN, Answer({"errors": {"design": ["Choose one."], "address": ["Too long."]}}, 400))
    said = remote(*LOAD)
    assert (said.exit_code, said.stderr) == (
        2,
        f"fabric-twin: {jobs.address}: the job cannot be given this (design: Choose one; address: "
        "Too long). Check what you asked for.\n",
    )


def test_a_file_goes_with_the_job_and_its_warnings_come_back(
    jobs: Nautobot, tmp_path: Path
) -> None:
    jobs.say(RESULT, DONE | {"warning_log_count": 1})
    jobs.say(LOGS, {"results": [{"message": "3 rows were left out."}]})
    sheet = tmp_path / "iw1.csv"
    sheet.write_text("cable,a_device,a_port,b_device,b_port\n")
    for words, given in ((str(sheet), ""), ("-", sheet.read_text())):
        said = remote(*LOAD, "--cut-sheet", words, given=given)
        assert (said.exit_code, said.stdout, said.stderr) == (
            0,
            "Pod iw1: loaded 1 pod.\n",
            "fabric-twin: warning: 3 rows were left out.\n",
        )
    assert jobs.asked.count(f"POST {RUN}") == 2


def test_an_empty_file_is_refused_before_the_server_is_asked_for_the_job(
    jobs: Nautobot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remedy = "Name another file; standard input can be read for one option alone."
    sheet = tmp_path / "iw1.csv"
    sheet.touch()
    said = remote(*LOAD, "--cut-sheet", str(sheet))
    assert (said.exit_code, said.stderr) == (2, f"fabric-twin: {sheet}: it is empty. {remedy}\n")
    monkeypatch.delenv("NAUTOBOT_TOKEN", raising=False)
    said = remote(*LOAD, "--token-file", "-", "--cut-sheet", "-", given="0123456789\n")
    assert (said.exit_code, said.stderr) == (
        2,
        f"fabric-twin: standard input: it is empty. {remedy}\n",
    )
    assert f"POST {RUN}" not in jobs.asked


def test_a_pod_that_is_there_needs_no_design_and_no_location(jobs: Nautobot) -> None:
    pod = {"id": "p", "name": "iw1", "design": "ironwood", "location": {"id": "l"}}
    jobs.say(f"{APP}pods/", {"results": [pod]})
    assert remote("load", "--pod", "iw1", "--slots", "1-8").exit_code == 0
    jobs.say(f"{APP}pods/", {"results": []})
    said = remote("load", "--pod", "iw1", "--slots", "1-8")
    assert (said.exit_code, said.stderr.splitlines()[-1]) == (
        2,
        "Error: There is no pod iw1, or you may not see it: a new one needs its --design and "
        "--location.",
    )


def test_a_name_that_several_locations_have(jobs: Nautobot) -> None:
    jobs.say(LOCATIONS, {"results": [{"id": f"l{n}"} for n in range(6)]})
    said = remote(*LOAD)
    assert (said.exit_code, said.stderr) == (
        2,
        f"fabric-twin: {jobs.address}: there are several locations hall-1. Give the id of "
        "one as --location: l0, l1, l2, l3, l4, ...\n",
    )


def test_who_may_see_no_location(jobs: Nautobot) -> None:
    jobs.say(LOCATIONS, Answer({"detail": "You do not have permission."}, 403))
    said = remote(*LOAD)
    assert (said.exit_code, said.stderr) == (
        2,
        f"fabric-twin: {jobs.address}: there is no location hall-1, or you may not see it. Check "
        "--location, and that you have the permission dcim.view_location.\n",
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            ("remove", "--pod", "iw1"),
            "Give --dry-run to see what would be removed, or --yes to remove it.",
        ),
        (
            ("slice", "release", "train-1", "--pod", "iw1", "--yes", "--dry-run"),
            "Give --dry-run to see what would be removed, or --yes to remove it.",
        ),
        (
            ("adopt", "--pod", "iw1"),
            "Give either --binding, or --cube-ports and --switch-ports.",
        ),
        (
            ("adopt", "--pod", "iw1", "--cube-ports", "{slot}", "--filter", "role"),
            "--filter 'role': write it like role='Optical port'.",
        ),
    ],
)
def test_what_is_not_said_in_full_is_not_asked_for(
    jobs: Nautobot, words: tuple[str, ...], why: str
) -> None:
    said = remote(*words)
    assert (said.exit_code, said.stderr.splitlines()[-1]) == (2, f"Error: {why}")
    assert not any(asked.startswith("POST") for asked in jobs.asked)


def test_slices_are_listed_for_people(jobs: Nautobot) -> None:
    said = remote("slice", "list", "--pod", "iw1")
    assert (said.exit_code, said.stdout) == (0, "train-1  active  twisted 4x4x8  slots 3,9\n")


def test_who_may_see_neither_cubes_nor_statuses_sees_slices_all_the_same(jobs: Nautobot) -> None:
    hidden = [{"place": 0, "cube": None}, {"place": 1, "cube": None}]
    rows = [SLICE | {"status": None, "parts": hidden, "twisted": False}]
    jobs.say("/api/graphql/", {"data": {"slices": rows}})
    said = remote("slice", "list", "--pod", "iw1")
    assert (said.exit_code, said.stdout) == (0, "train-1  4x4x8\n")


def test_who_may_see_no_pod_at_all(jobs: Nautobot) -> None:
    jobs.say(f"{APP}pods/", Answer({"detail": "You do not have permission."}, 403))
    said = remote("slice", "list", "--pod", "iw1")
    assert (said.exit_code, said.stderr) == (
        2,
        f"fabric-twin: {jobs.address}: there is no pod iw1, or you may not see it. Check --pod, "
        "and that "
        "you have the permission fabric_twin.view_pod.\n",
    )


def test_a_token_that_ended_meanwhile_is_not_taken_for_a_permission(jobs: Nautobot) -> None:
    jobs.say(f"{APP}pods/", Answer({"detail": "Token expired"}, 403))
    said = remote("slice", "list", "--pod", "iw1")
    assert (said.exit_code, "it refuses the token" in said.stderr) == (2, True)


def test_who_may_read_no_files_gets_the_words_alone(jobs: Nautobot) -> None:
    jobs.say("/api/extras/file-proxies/", Answer({"detail": "You do not have permission."}, 403))
    said = json.loads(remote(*MAKE, "--json").stdout)
    assert (said["said"], said["slice"]) == (["Pod iw1: loaded 1 pod."], None)


@pytest.mark.parametrize("verb", ["load", "adopt", "remove"])
def test_what_needs_the_app(nautobot: Nautobot, verb: str) -> None:
    given = {"adopt": ("--cube-ports", "{slot}"), "remove": ("--yes",)}.get(verb, ())
    said = remote(verb, "--pod", "iw1", *given)
    assert (said.exit_code, f"and {verb} needs it" in said.stderr) == (2, True)
