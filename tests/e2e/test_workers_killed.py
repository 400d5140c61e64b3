"""A ticket runs while its worker, a server or a switch is killed, stopped or restarted.

Real processes: `fabric-twin up` with PostgreSQL, Redis, Celery's worker and beat, and switches that
speak gNMI. The moment is chosen by the database, which waits within the transaction that writes a
line of the ticket's history; or by a switch that is broken. `docs/carrying-out.md` has the table.

The last file of its folder: what it kills and restarts is as before afterwards, and has other
process ids.
"""

import os
from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Running, wait_until
from tests.e2e.ticket_bench import NONE, PEOPLE, SWITCHES, Bench, back

#: What is written when nobody disturbs it: by people, and then by the worker.
STAGE = ["announce", "staged"]
#: One that is done is undone as it was begun: in an emergency.
ASKED = ["ask-undo", "hasten-undo"]
WHOLE = [*PEOPLE, "start", *STAGE, *STAGE, *STAGE, "finish"]
#: Stage 2 is sent to the others, and once more when a switch answers again.
SENT_TWICE = [*PEOPLE, "start", *STAGE, "announce", *STAGE, *STAGE, "finish"]
X = SWITCHES[0]
#: The suite tries a few moments; `make proof` tries all.
ALL = bool(os.environ.get("FABRIC_TWIN_ALL_CELLS"))
#: A line that is about to be written, and how many are.
KILLED = {
    "before the first write": ("start", "", 3),
    "between two stages": ("announce", "stage 2", 6),
}
RESTARTED = {"a stage begins": ("announce", "stage 2")}
if ALL:
    KILLED |= {
        "before the first Set": ("announce", "stage 1", 4),
        "when the last stage is switched, and not written": ("staged", "stage 3", 9),
        "when all is done, and not written": ("finish", "", 10),
    }
    RESTARTED |= {"a stage is verified": ("staged", "stage 2"), "it ends": ("finish", "")}


def with_take_over(history: list[str], after: int) -> list[str]:
    """The same, with another worker that goes on after so many lines."""
    return [*history[:after], "take-over", *history[after:]]


@pytest.fixture(scope="module")
def bench(stack: Running) -> Iterator[Bench]:
    """Circuits by hand on three switches; none of them is left."""
    bench = Bench(stack)
    yield bench
    bench.servers.let_go()
    bench.go_to(NONE)


@pytest.fixture(autouse=True)
def all_parts_run(bench: Bench) -> Iterator[None]:
    """What was restarted is ready before the next begins."""
    yield
    wait_until(bench.servers.is_ready)


def test_nobody_disturbs_it_and_the_answer_names_its_job_at_once(bench: Bench) -> None:
    with bench.turn() as (trial, moves):
        asked = trial.do("start", 202)
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == WHOLE
        assert asked["job_result"]["id"] == asked["ticket"]["job_result"]["id"] == trial.job()


@pytest.mark.parametrize("when", KILLED)
def test_its_worker_is_killed_and_the_next_one_goes_on(when: str, bench: Bench) -> None:
    what, said, written = KILLED[when]
    servers = bench.servers
    with bench.turn() as (trial, moves):
        with servers.held(what, said):
            trial.do("start", 202)
            servers.wait_held()
            servers.kill("worker")
            assert len(trial.history()) == written
        trial.let_lease_end()
        trial.wait_for("done")
        trial.check("done", moves)
        # Nobody had begun, so nobody is taken over from.
        history = WHOLE if what == "start" else with_take_over(WHOLE, written)
        assert trial.history() == history


def test_its_worker_is_killed_while_a_stage_is_qualified(bench: Bench) -> None:
    with bench.turn() as (trial, moves):
        [(port, _), *_] = sorted(moves[0][1])
        trial.breaks("dirty", device=X, port=port, loss_db=9)
        trial.do("start", 202)
        trial.wait_logged("waiting for light")
        bench.servers.kill("worker")
        trial.mend()
        trial.let_lease_end()
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == with_take_over(WHOLE, 5)


def test_its_worker_is_killed_while_it_is_undone(bench: Bench) -> None:
    servers = bench.servers
    with bench.turn() as (trial, moves):
        trial.do("start", 202)
        trial.wait_for("done")
        with servers.held("announce", "stage 2, going back"):
            trial.undo()
            servers.wait_held()
            servers.kill("worker")
        trial.let_lease_end()
        trial.wait_for("undone")
        trial.check("undone", (*moves, *back(moves)))
        history = [*WHOLE, *ASKED, "undo", *STAGE, "take-over", *STAGE, *STAGE, "take-back"]
        assert trial.history() == history


def test_redis_loses_all_it_has_while_a_ticket_runs(bench: Bench) -> None:
    servers = bench.servers
    with bench.turn() as (trial, moves):
        with servers.held("announce", "stage 2"):
            trial.do("start", 202)
            servers.wait_held()
            servers.lose_redis()
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == WHOLE


def test_redis_loses_the_call_for_a_worker(bench: Bench) -> None:
    servers = bench.servers
    with bench.turn() as (trial, moves):
        with servers.stopped(servers.processes("worker")):
            servers.lose_redis()  # so that the worker hears nobody
            trial.do("start", 202)
            wait_until(lambda: servers.redis().llen("default"))
            servers.lose_redis()
            assert trial.state == "scheduled"
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == WHOLE


@pytest.mark.parametrize("when", RESTARTED)
def test_the_database_is_restarted_in_the_middle_of_a_write(when: str, bench: Bench) -> None:
    servers, before = bench.servers, bench.servers.part("worker")["restarts"]
    with bench.turn() as (trial, moves):
        with servers.held(*RESTARTED[when]):
            trial.do("start", 202)
            servers.wait_held()
            servers.restart_database()
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == WHOLE
        assert servers.part("worker")["restarts"] == before


def test_a_worker_that_was_stopped_past_its_lease_does_nothing_more(bench: Bench) -> None:
    """Its lease ends by the clock. A switch answers late, so that it is still to be told of stage 2
    when it is stopped; when it goes on the ticket is done and undone, and to tell it would harm."""
    servers = bench.servers
    first = servers.processes("worker")
    with bench.turn() as (trial, moves):
        with servers.held("announce", "stage 2"):
            trial.do("start", 202)
            servers.wait_held()
            trial.breaks("answers-late", device=X, seconds=30)
        wait_until(lambda: trial.row()[1:] == (2, "forward", 1))
        with servers.stopped(first):
            assert moves[1] not in trial.ledger.moves()[X]
            trial.mend()
            with servers.second_worker():
                trial.wait_for("done")
                trial.undo()
                trial.wait_for("undone")
                there_and_back = (*moves, *back(moves))
                # While it is there: what it changed last is still to be audited.
                trial.check("undone", there_and_back)
                history = trial.history()
        done = [*PEOPLE, "start", *STAGE, "announce", "take-over", *STAGE, *STAGE, "finish"]
        assert history == [*done, *ASKED, "undo", *STAGE, *STAGE, *STAGE, "take-back"]
        # The job of the one that goes on ends by itself, with how the ticket ended; a call that was
        # left in the second worker's hands is heard again, and finds nothing to do.
        wait_until(lambda: {"SUCCESS"} <= set(trial.jobs()) <= {"SUCCESS", "FAILURE"})
        trial.check("undone", there_and_back)
        assert trial.history() == history


def test_two_workers_are_given_the_same_ticket(bench: Bench) -> None:
    """The first waits for a switch, and holds no lock that others of the worker could wait for."""
    servers = bench.servers
    with bench.turn() as (trial, moves):
        with servers.held("announce", "stage 2"):
            trial.do("start", 202)
            servers.wait_held()
            trial.breaks("silent", device=X)
        trial.wait_logged(f"waiting for {X}")
        again = bench.run_job(trial)
        wait_until(lambda: bench.job_state(again) == "FAILURE")
        trial.wait_logged("another worker carries it out, or it does not run")
        trial.mend()
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == SENT_TWICE


def test_a_switch_restarts_in_the_middle_of_a_stage(bench: Bench) -> None:
    with bench.turn() as (trial, moves):
        with bench.servers.held("announce", "stage 2"):
            trial.do("start", 202)
            bench.servers.wait_held()
            trial.breaks("switch-rebooting", device=X)
        trial.wait_logged(f"waiting for {X}")
        trial.mend()
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == SENT_TWICE


def test_the_answer_of_a_switch_is_lost(bench: Bench) -> None:
    with bench.turn() as (trial, moves):
        with bench.servers.held("announce", "stage 2"):
            trial.do("start", 202)
            bench.servers.wait_held()
            trial.breaks("loses-answers", device=X)
        trial.wait_for("done")
        trial.check("done", moves)
        assert trial.history() == WHOLE
