"""Another vendor's switch behind the same seam: RESTCONF, read and changed like any other."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from fabric_twin.core.errors import NoAnswer, TooLate
from fabric_twin.switches.changes import Change, Hold, Outcome
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.fabric import open_fabric, shared_targets

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

P, G = "iw-ocs-x-1-1", "iw-ocs-x-1-2"
QUICK = Patience(request=5, tuning=1, tries=2, pause=0.01)


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate("--polatis", P, slots="1-2")


def test_a_pod_may_mix_vendors(simulator: Any) -> None:
    targets = [
        Target(P, simulator.said["polatis"][P], driver="polatis"),
        *shared_targets(simulator.said["gnmi"], [G]),
    ]
    cubes = shared_targets(simulator.said["gnmi"], ["iw-c001"])
    with open_fabric(targets, cubes, Access(insecure=True), QUICK) as fabric:
        ring = Change(add=frozenset({("1A", "2B"), ("2A", "1B")}))
        assert all(done.is_done for done in fabric.apply({P: ring, G: ring}).all().values())
        states = fabric.read_switches().all()
        assert states[P].tuned == states[G].tuned == ring.add
        assert len(states[P].ports) == 288
        heard = fabric.cubes["iw-c001"].neighbours().neighbours
        assert {heard[port].device for port in ("4.1.1/X+", "4.1.2/X+")} <= {
            "iw-c002-t01",
            "iw-c002-t05",
        }
        refused = fabric.apply({P: Change(add=frozenset({("1A", "7B")}))}).all()[P]
        assert [report.outcome for report in refused.circuits] == [Outcome.REFUSED]
        late = fabric.apply({P: Change(delete=ring.add)}, until=0.0)
        assert isinstance(late.missing[P], TooLate)
        gone = fabric.apply({P: Change(delete=ring.add)}).all()[P]
        assert gone.is_done
        watch = fabric.switches[P].watch()
        assert not next(watch).configured


def test_a_port_is_kept_dark_and_let_go_whatever_the_vendor(simulator: Any) -> None:
    targets = [
        Target(P, simulator.said["polatis"][P], driver="polatis"),
        *shared_targets(simulator.said["gnmi"], [G]),
    ]
    both = ("3A", "3B")
    with open_fabric(targets, [], Access(insecure=True), QUICK) as fabric:

        def held(**hold: frozenset[str]) -> set[tuple[str, str]]:
            states = fabric.hold(dict.fromkeys((P, G), Hold(**hold))).all()
            return {
                (n, p) for n, s in states.items() for p, i in s.ports.items() if i.force_blocked
            }

        assert held(block=frozenset(both)) == {(name, port) for name in (P, G) for port in both}
        assert held(release=frozenset({"3A"})) == {(P, "3B"), (G, "3B")}
        assert held(block=frozenset({"3B"})) == {(P, "3B"), (G, "3B")}
        assert held() == {(P, "3B"), (G, "3B")}
        late = fabric.hold(dict.fromkeys((P, G), Hold(block=frozenset({"4A"}))), until=0.0)
        assert {type(error) for error in late.missing.values()} == {TooLate}
        assert held(release=frozenset(both)) == set()
        unknown = fabric.hold(dict.fromkeys((P, G), Hold(block=frozenset({"999A"}))))
        assert all(isinstance(error, NoAnswer) for error in unknown.missing.values())
        # SONiC takes a row of any name: that it is no port is seen by who looks for it.
        assert set(unknown.missing) == {P}
        assert "999A" not in unknown.given[G].ports


def test_a_switch_that_is_down_is_no_answer(simulator: Any) -> None:
    fault = simulator.control("/faults", kind="switch-down", device=P)
    target = Target(P, simulator.said["polatis"][P], driver="polatis")
    with (
        open_fabric([target], [], Access(insecure=True), QUICK) as fabric,
        pytest.raises(NoAnswer, match="status 503"),
    ):
        fabric.read_switches().all()
    simulator.control("/mend", number=fault["number"])


class Stranger(BaseHTTPRequestHandler):
    """Something else that answers JSON."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"hello": 1}')

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def test_what_is_no_polatis_is_refused_in_words_and_hides_no_other(simulator: Any) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever).start()
        targets = [
            Target(P, f"127.0.0.1:{stranger.server_port}", driver="polatis"),
            *shared_targets(simulator.said["gnmi"], [G]),
        ]
        with open_fabric(targets, [], Access(insecure=True), QUICK) as fabric:
            answers = fabric.read_switches()
        stranger.shutdown()
    assert list(answers.given) == [G]
    assert str(answers.missing[P]).startswith(f"{P}: its answer cannot be read (KeyError(")
