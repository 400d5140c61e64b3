"""A server that is busy, breaks off or is slow: what only reads is asked again."""

import pytest

SHEET = "cable,a_device,a_port,b_device,b_port,status,length_m,label\n"
CUT_SHEET = "/api/plugins/fabric-twin/pods/p/cut-sheet/"


@pytest.fixture
def answer(app):
    """How a test has the server answer."""
    return type(app.answer("/api/"))


def asked_again(result, why, times=1):
    """Whether standard error says so often why something was asked again."""
    said = [line for line in result.stderr.splitlines() if "asked again in" in line]
    return len(said) == times and all(why in line for line in said)


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_a_busy_server_is_asked_again(status, run, app, answer):
    app.say(CUT_SHEET, answer("busy", status), answer("busy", status), SHEET)
    result = run("remote", "cutsheet", "--pod", "iw1")
    assert (result.exit_code, result.stdout) == (0, SHEET)
    assert asked_again(result, f"it answered {status}", times=2)


def test_an_answer_that_breaks_off_is_asked_for_again(run, app, answer):
    app.say(CUT_SHEET, answer(SHEET, reset=True), SHEET)
    result = run("remote", "cutsheet", "--pod", "iw1")
    assert (result.exit_code, result.stdout) == (0, SHEET)
    assert asked_again(result, "")


def test_a_server_that_is_too_slow_is_asked_again(run, app, answer):
    app.say(CUT_SHEET, answer(never=True), SHEET)
    result = run("remote", "cutsheet", "--pod", "iw1", "--timeout", "0.3")
    assert (result.exit_code, result.stdout) == (0, SHEET)
    assert asked_again(result, "it did not answer within 0.3 s")


def test_the_server_says_how_long_it_wants_to_be_left_alone(run, app, answer, monkeypatch):
    pauses = []
    monkeypatch.setattr("fabric_twin.remote.patience.sleep", pauses.append)
    app.say(CUT_SHEET, answer("busy", 503, {"Retry-After": "7"}), SHEET)
    result = run("remote", "cutsheet", "--pod", "iw1")
    assert asked_again(result, "it answered 503 Service Unavailable; asked again in 7.0 s")
    assert pauses == [7.0]


def test_a_server_that_wants_to_be_left_alone_for_long_is_left_alone(run, app, answer):
    app.say(CUT_SHEET, answer("busy", 503, {"Retry-After": "Fri, 01 Jan 2100 00:00:00 GMT"}))
    result = run("remote", "cutsheet", "--pod", "iw1")
    assert result.exit_code == 3
    assert app.asked.count(f"GET {CUT_SHEET}") == 1


def test_what_changes_something_is_asked_for_once(run, app, answer):
    app.say("/api/plugins/fabric-twin/pods/p/audit/", answer("bad gateway", 502))
    result = run("remote", "audit", "--pod", "iw1")
    assert result.exit_code == 3
    assert result.stderr == (
        f"fabric-twin: {app.address}: it answered 502 Bad Gateway. Try again later; if it stays "
        "so, see the logs of Nautobot and of its proxy.\n"
    )
    assert app.asked.count("POST /api/plugins/fabric-twin/pods/p/audit/") == 1


def test_a_question_is_asked_again_though_it_is_posted(run, nautobot, app, answer):
    nautobot.say("/api/plugins/fabric-twin/", answer({}, 404))
    nautobot.say("/api/graphql/", answer("busy", 503), {"data": {"devices": []}})
    result = run("remote", "cutsheet", "--pod", "iw1")
    assert result.exit_code == 2
    assert nautobot.asked.count("POST /api/graphql/") == 2


def test_who_is_sent_away_was_not_heard_and_asks_again(run, app, answer):
    app.say("/api/plugins/fabric-twin/pods/p/audit/", answer("too many", 429), answer({}, 403))
    result = run("remote", "audit", "--pod", "iw1")
    assert result.exit_code == 2
    assert asked_again(result, "it answered 429 Too Many Requests")
    assert app.asked.count("POST /api/plugins/fabric-twin/pods/p/audit/") == 2


def test_a_server_is_asked_five_times(run, app, answer):
    app.say(CUT_SHEET, answer("busy", 503, {"Retry-After": "a while"}))
    result = run("remote", "cutsheet", "--pod", "iw1")
    assert result.exit_code == 3
    assert asked_again(result, "it answered 503", times=4)
    assert app.asked.count(f"GET {CUT_SHEET}") == 5
