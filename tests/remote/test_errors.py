"""What a server can refuse or fail to do, and the exact words it is told in."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import Result

ROOT = "/api/plugins/fabric-twin/"
JOB = {"id": "j", "name": "Sync pod", "enabled": True, "installed": True}
RESULT = "/api/extras/job-results/r/"


@pytest.fixture
def answer(nautobot):
    """How a test has the server answer."""
    return type(nautobot.answer("/api/"))


@pytest.fixture
def ask(run, nautobot):
    """Ask a server, and look that nobody is told the token; the exit code and the words."""

    def ask(*arguments: str) -> tuple[int, str]:
        result: Result = run("remote", *arguments)
        assert "0123456789abcdef" not in result.output
        assert "Traceback" not in result.output
        return result.exit_code, result.stderr.replace(nautobot.address, "SERVER")

    return ask


def sheet(ask):
    return ask("cutsheet", "--pod", "iw1")


def test_a_token_that_is_not_taken(ask, nautobot, answer):
    nautobot.say("/api/", answer({"detail": "Invalid token"}, 403))
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: it refuses the token (Invalid token). Make one on your profile "
        "page in Nautobot, and give it in NAUTOBOT_TOKEN or by --token-file.\n",
    )


def test_no_token(ask, monkeypatch):
    monkeypatch.delenv("NAUTOBOT_TOKEN")
    assert sheet(ask) == (
        2,
        "fabric-twin: the token: there is none. Set NAUTOBOT_TOKEN, or name a file with "
        "--token-file.\n",
    )


def test_a_token_is_read_from_a_file_and_never_from_the_command_line(ask, nautobot, tmp_path):
    file = tmp_path / "token"
    file.write_text("of-a-file\n")
    nautobot.say("/api/graphql/", {"data": {"devices": []}})
    ask("cutsheet", "--pod", "iw1", "--token-file", str(file))
    assert nautobot.tokens == {"Token of-a-file"}
    code, words = ask("cutsheet", "--pod", "iw1", "--token", "abc")
    assert (code, "No such option '--token'" in words) == (2, True)


def test_a_token_of_two_lines_is_refused_without_being_shown(ask, tmp_path):
    file = tmp_path / "token"
    file.write_text("0123456789abcdef\n0123456789abcdef\n")
    assert ask("cutsheet", "--pod", "iw1", "--token-file", str(file)) == (
        2,
        "fabric-twin: the token: it has characters that a token cannot have. Give the "
        "token alone, in one line.\n",
    )


@pytest.mark.parametrize(
    ("url", "words"),
    [
        (
            "nautobot.example.com",
            "--url: it is not the address of a server. Give one like https://nautobot.example.com.",
        ),
        (
            "https://user:0123456789abcdef@nautobot.example.com",
            "--url: the address holds more than a server and a path. Leave out user, password and "
            "all after ? or #: the token says who you are.",
        ),
    ],
)
def test_an_address_that_is_none(ask, url, words):
    assert ask("cutsheet", "--pod", "iw1", "--url", url) == (2, f"fabric-twin: {words}\n")


def test_nobody_answers(ask):
    code, words = ask("cutsheet", "--pod", "iw1", "--url", "http://127.0.0.1:9")
    assert code == 3
    lines = words.splitlines()
    assert len(lines) == 5
    assert lines[-1] == (
        "fabric-twin: http://127.0.0.1:9: it cannot be reached (connection refused). Check the "
        "address, and that nothing between here and there keeps you out."
    )


def test_a_server_that_speaks_no_tls(ask, nautobot):
    code, words = ask(
        "cutsheet", "--pod", "iw1", "--url", nautobot.address.replace("http", "https")
    )
    assert code == 3
    assert "its certificate is not trusted, or it speaks no TLS" in words.splitlines()[-1]


def test_a_redirect_is_not_followed(ask, nautobot, answer):
    elsewhere = {"Location": "https://elsewhere.example.com/api/"}
    nautobot.say("/api/", answer("moved", 302, elsewhere))
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: it redirects to https://elsewhere.example.com/api/. Give that "
        "server as --url if you trust it: no token follows a redirect.\n",
    )


def test_a_login_page(ask, nautobot, answer):
    nautobot.say("/api/", answer("<h1>Who are you?</h1>", headers={"API-Version": ""}))
    assert sheet(ask) == (
        3,
        "fabric-twin: SERVER: the answer is not what a Nautobot says. Check that --url is "
        "Nautobot's own address, and not a login page before it.\n",
    )


def test_json_that_is_none(ask, app, answer):
    app.say(f"{ROOT}pods/", answer('{"results": [', headers={"Content-Type": "application/json"}))
    code, words = sheet(ask)
    assert (code, words.partition(". ")[0]) == (
        3,
        "fabric-twin: SERVER: the answer is not what a Nautobot says",
    )


def test_an_object_that_lacks_what_every_nautobot_says(ask, app):
    app.say(f"{ROOT}pods/", {"items": []})
    code, words = sheet(ask)
    assert (code, words.partition(". ")[0]) == (
        3,
        "fabric-twin: SERVER: the answer is not what a Nautobot says",
    )


def test_an_old_nautobot(ask, nautobot, answer):
    nautobot.say("/api/", answer({}, headers={"API-Version": "2.4"}))
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: this is Nautobot 2.4, and the oldest that is understood is 3.2. Ask "
        "a newer one.\n",
    )


def test_a_nautobot_that_does_not_understand_the_question(ask, nautobot, answer):
    nautobot.say("/api/graphql/", answer({"errors": [{"message": "Unknown argument"}]}, 400))
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: it does not understand what it is asked. Bring Nautobot, the App "
        "there and this program to versions that fit.\n",
    )


def test_a_proxy_before_a_server_that_is_down(ask, nautobot, answer):
    nautobot.say("/api/", answer("<h1>502</h1>", 502))
    code, words = sheet(ask)
    assert code == 3
    assert len(nautobot.asked) == 5
    assert words.splitlines()[-1] == (
        "fabric-twin: SERVER: it answered 502 Bad Gateway. Try again later; if it stays so, see "
        "the logs of Nautobot and of its proxy."
    )


def test_a_nautobot_without_a_worker(ask, app, answer):
    app.say("/api/extras/jobs/", {"results": [JOB]})
    app.say("/api/extras/jobs/j/run/", answer({"detail": "Celery worker not running."}, 503))
    assert ask("sync", "--pod", "iw1") == (
        3,
        "fabric-twin: SERVER: it answered 503 Service Unavailable (Celery worker not running). Try "
        "again later; if it stays so, see the logs of Nautobot and of its proxy.\n",
    )


def test_cables_whose_status_is_hidden_are_not_taken_for_connected(ask, nautobot):
    cable = {"id": "c", "label": "", "length": None, "length_unit": None, "status": None}
    cable |= {"cable_type": None, "_custom_field_data": {}}
    at = {"id": "i", "name": "4.1.1/X+", "cable_termination": {"cable_end": "A", "cable": cable}}
    far = {"cable_end": "B", "interface": {"name": "1A", "device": {"name": "iw1-ocs-x-1-1"}}}
    device = {"id": "d", "name": "iw1-c001-t02", "interfaces": [at]}
    nautobot.say(
        "/api/graphql/",
        {"data": {"devices": [device]}},
        {"data": {"devices": [device]}},
        {"data": {"cables": [{"id": "c", "terminations": [far]}]}},
    )
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: you may not see the status of 1 cable. Ask for the permission "
        "extras.view_status: a planned cable would be taken for one that is there.\n",
    )


def test_devices_without_cables_are_told(ask, nautobot):
    device = {"id": "d", "name": "iw1-c001-t02", "interfaces": []}
    nautobot.say("/api/graphql/", {"data": {"devices": [device]}})
    assert sheet(ask) == (
        0,
        "fabric-twin: SERVER, pod iw1: its devices have no cables, or none that you may see.\n",
    )


def test_help_loads_no_library_of_http():
    script = "import sys, fabric_twin.cli.remote.audit; sys.exit('requests' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_no_such_pod(ask, app, nautobot):
    nautobot.say(f"{ROOT}pods/", {"results": []})
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: there is no pod iw1, or you may not see it. Check --pod, and that "
        "you have "
        "the permission fabric_twin.view_pod.\n",
    )


def test_no_such_pod_among_core_records(ask, nautobot):
    nautobot.say("/api/graphql/", {"data": {"devices": [{"id": "d", "name": "iw1-spare"}]}})
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER: no device is named after pod iw1, or none that you may see. Check "
        "--pod, and that you have the permission dcim.view_device.\n",
    )


def test_a_refusal_of_the_app_is_told_in_its_own_words(ask, app, answer):
    refusal = {
        "what": "may not view 3 of 9 cables",
        "where": "pod iw1",
        "remedy": "Ask for dcim.view_cable",
    }
    app.say(f"{ROOT}pods/p/cut-sheet/", answer(refusal, 403))
    assert sheet(ask) == (
        2,
        "fabric-twin: SERVER, pod iw1: may not view 3 of 9 cables. Ask for dcim.view_cable.\n",
    )


@pytest.mark.parametrize("verb", ["sync", "findings"])
def test_what_needs_the_app(ask, nautobot, verb):
    assert ask(verb, "--pod", "iw1") == (
        2,
        f"fabric-twin: SERVER: the App fabric_twin is not installed there, and {verb} needs it. "
        "Install it; cutsheet, audit and render work with core records alone.\n",
    )


@pytest.mark.parametrize(
    "arguments", [("audit",), ("render", "port-map", "--format", "txt", "-o", "-")]
)
def test_without_the_app_somebody_must_say_the_design(ask, nautobot, arguments):
    code, words = ask(*arguments, "--pod", "iw1")
    assert (code, "give " in words, "--design" in words) == (2, True, True)


def test_an_app_that_makes_no_audits_yet(ask, app):
    assert ask("audit", "--pod", "iw1") == (
        2,
        "fabric-twin: SERVER: the App there makes no audits. Bring it up to date.\n",
    )


def test_a_job_that_is_not_there(ask, app):
    app.say("/api/extras/jobs/", {"results": []})
    assert ask("sync", "--pod", "iw1") == (
        2,
        "fabric-twin: SERVER: there is no job Sync pod, or you may not see it. Ask for the "
        "permission to "
        "view and run it, or bring the App up to date.\n",
    )


def test_a_job_that_is_disabled(ask, app):
    app.say("/api/extras/jobs/", {"results": [JOB | {"enabled": False}]})
    assert ask("sync", "--pod", "iw1") == (
        2,
        "fabric-twin: SERVER: the job Sync pod is not enabled. Enable it on its page in "
        "Nautobot.\n",
    )


def test_a_job_that_one_may_not_run(ask, app, answer):
    app.say("/api/extras/jobs/", {"results": [JOB]})
    no = {"detail": "This user does not have permission to run this job."}
    app.say("/api/extras/jobs/j/run/", answer(no, 403))
    assert ask("sync", "--pod", "iw1") == (
        2,
        "fabric-twin: SERVER: you may not (This user does not have permission to run this job). "
        "Ask an administrator of this Nautobot for the permission.\n",
    )


@pytest.fixture
def begun(app):
    """The job runs, and its result is `r`."""
    app.say("/api/extras/jobs/", {"results": [JOB]})
    app.say("/api/extras/jobs/j/run/", {"job_result": {"id": "r"}, "scheduled_job": None})
    return app


def test_a_job_that_fails(ask, begun):
    begun.say(RESULT, {"status": {"value": "STARTED"}}, {"status": {"value": "FAILURE"}})
    begun.say("/api/extras/job-logs/", {"results": [{"message": "gateway:9339: no answer."}]})
    assert ask("sync", "--pod", "iw1") == (
        3,
        "fabric-twin: SERVER/extras/job-results/r/: the job Sync pod ended as failure: "
        "gateway:9339: no answer. See its log in Nautobot.\n",
    )


def test_a_job_that_nobody_begins(ask, begun):
    begun.say(RESULT, {"status": {"value": "PENDING"}})
    assert ask("sync", "--pod", "iw1", "--wait", "1") == (
        3,
        "fabric-twin: SERVER/extras/job-results/r/: the job Sync pod was waited for 1 s, and "
        "nobody began it. See that a worker runs, or wait longer with --wait; the job goes on.\n",
    )


def test_a_job_that_is_done(run, begun):
    done = {"status": {"value": "SUCCESS"}, "result": "iw1: 13,824 ports\niw1: 48 switches"}
    begun.say(RESULT, done)
    said = run("remote", "sync", "--pod", "iw1")
    assert (said.exit_code, said.stdout) == (0, "iw1: 13,824 ports\niw1: 48 switches\n")
    assert json.loads(run("remote", "sync", "--pod", "iw1", "--json").stdout) == {
        "version": 1,
        "pod": "iw1",
        "job_result": "r",
        "said": ["iw1: 13,824 ports", "iw1: 48 switches"],
        "warnings": [],
    }


def test_a_certificate_is_not_checked_only_if_somebody_says_so(ask, app, tmp_path: Path):
    app.say(f"{ROOT}pods/p/cut-sheet/", "cable,a_device,a_port,b_device,b_port\n")
    assert ask("cutsheet", "--pod", "iw1", "--no-verify") == (
        0,
        "fabric-twin: the certificate is not checked: anybody may answer, and read the token.\n",
    )
    missing = str(tmp_path / "ca.pem")
    code, words = ask("cutsheet", "--pod", "iw1", "--ca", missing)
    assert (code, f"{missing}: it cannot be read" in words) == (2, True)
