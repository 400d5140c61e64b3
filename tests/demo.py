"""`make demo`: one round through what there is, on this machine; it asserts what it shows.

Every feature adds its stage here.
"""

import faulthandler
import json
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path
from typing import Any

import pynautobot

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.names import Names
from fabric_twin.stack.demo.network import NETWORK, NEW, STRANDS
from fabric_twin.stack.demo.orders import CODES, PLUGGED
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets

PROGRAM = Path(sys.executable).with_name("fabric-twin")
#: Seconds after which it says where it stands still, and ends.
STANDS_STILL = 20 * 60
TEN_MISTAKES = Path(__file__).parents[1] / "docs/examples/ten-mistakes.csv"


def fabric_twin(*arguments: object, expect: int = 0, stderr: int | None = None) -> str:
    """Run the program, show the command, and hold it to its exit code."""
    print(f"\n$ fabric-twin {' '.join(map(str, arguments))}", flush=True)
    command = [PROGRAM, *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False)
    assert done.returncode == expect, f"exited {done.returncode}, not {expect}"
    return done.stdout


def a_pod_as_it_should_be(folder: Path) -> None:
    """A full Ironwood pod is written as a cut sheet, and the audit finds nothing wrong with it."""
    sheet = folder / "iw1.csv"
    fabric_twin("cutsheet", "--design", "ironwood", "--pod", "iw1", "-o", sheet)
    said = fabric_twin("audit", sheet, "--design", "ironwood", "--pod", "iw1")
    print(said, end="")
    assert "Clean: all 13,824 cables" in said


def ten_mistakes_explained(folder: Path) -> None:
    """Ten mistakes of ten kinds are ten findings, each with its cause and a remedy."""
    pod = ("--design", "tpu-v4", "--pod", "v4", "--slots", "1-8")
    report = json.loads(fabric_twin("audit", TEN_MISTAKES, *pod, "--json", expect=1))
    assert len(report["findings"]) == len(report["summary"]) == 10
    assert all(finding["remedy"] for finding in report["findings"])
    for finding in report["findings"]:
        print(f"  {finding['code']:14} {finding['cause'][:80]}")
    page = folder / "report.html"
    fabric_twin("audit", TEN_MISTAKES, *pod, "--html", "-o", page, expect=1)
    assert page.read_text().count("<svg class=") == 10


def a_slice_from_wish_to_map(folder: Path) -> None:
    """A slice finds its cubes, a plan builds it from nothing, and a port map shows whose it is."""
    pod = ("--design", "tpu-v4", "--pod", "v4")
    wanted, nothing = folder / "job-a.json", folder / "nothing.json"
    nothing.write_text('{"version": 1, "circuits": []}')
    fabric_twin("slice", *pod, "--shape", "8x8x16", "--name", "job-a", "--json", "-o", wanted)
    circuits = json.loads(wanted.read_text())["circuits"]
    change = ("--from", nothing, "--to", wanted, "--owner", "job-a")
    plan = json.loads(fabric_twin("plan", *pod, *change, "--json"))
    assert len(plan["add"]) == len(circuits) == plan["lower_bound"]
    print(f"  {len(plan['add']):,} circuits to add, in {len(plan['stages'])} stage")
    built = folder / "built.json"
    built.write_text(json.dumps({"version": 1, "circuits": plan["add"]}))
    maps = ("port-map", *pod, "--switch", "x-1-1", "--circuits", built, "--format", "txt")
    said = fabric_twin("render", *maps, "-o", "-")
    print("\n".join(said.splitlines()[:12]))
    assert "Port map of v4-ocs-x-1-1" in said
    assert "job-a" in said


def a_fabric_discovered_by_light(folder: Path) -> None:
    """A simulated fabric is switched in rounds, and light shows what hands did wrong."""
    pod, slots = ("--design", "ironwood", "--pod", "iw1"), ("--slots", "1-32")
    faults, sheet = folder / "faults.json", folder / "seen.csv"
    swapped = ("iw1-c007:4.3.2/X+", "iw1-c009:4.3.2/X+")
    made = [{"kind": "swapped", "cable": swapped[0], "other": swapped[1]}]
    faults.write_text(json.dumps({"version": 1, "mistakes": 0, "rates": {}, "faults": made}))
    simulate = ("simulate", *pod, *slots, "--insecure", "--json", "--faults", str(faults))
    with subprocess.Popen([PROGRAM, *simulate], stdout=subprocess.PIPE, text=True) as simulator:
        try:
            assert simulator.stdout
            target = json.loads(simulator.stdout.readline())["gnmi"]
            where = ("--target", target, "--insecure", "--journal", folder / "journal.json")
            said = json.loads(fabric_twin("discover", *pod, *slots, *where, "--json", "-o", sheet))
            assert said["summary"] == {"light": 3072}
            print(f"  3,072 cables seen in {said['rounds']} rounds")
        finally:
            simulator.terminate()
    report = json.loads(fabric_twin("audit", sheet, *pod, *slots, "--json", expect=1))
    assert report["summary"] == {"swapped": 1}
    print(f"  {report['findings'][0]['cause']}")


def a_fabric_that_answers(folder: Path) -> None:
    """A simulated pod is lit over gNMI, a fibre breaks, and the cubes at both ends hear nobody."""
    quiet = folder / "quiet.json"
    quiet.write_text('{"version": 1, "rates": {}}')
    pod = ("--design", "ironwood", "--pod", "iw1", "--slots", "1-4")
    command = ("simulate", *pod, "--faults", quiet, "--insecure", "--json")
    print(f"\n$ fabric-twin {' '.join(map(str, command))}", flush=True)
    with subprocess.Popen([PROGRAM, *map(str, command)], stdout=subprocess.PIPE) as simulator:
        try:
            assert simulator.stdout
            said = json.loads(simulator.stdout.readline())
            light_and_break(said["gnmi"], said["control"])
        finally:
            simulator.terminate()
    assert simulator.returncode == 0


def light_and_break(address: str, control: str) -> None:
    """Join every cube to the next one; break a cable by the control port; look again."""
    names = Names(DESIGN.layout, "iw1")
    cubes = [names.cube(slot) for slot in range(1, 5)]
    ring = frozenset({("1A", "2B"), ("2A", "3B"), ("3A", "4B"), ("4A", "1B")})
    switches = shared_targets(address, names.switches)
    with open_fabric(switches, shared_targets(address, cubes), Access(insecure=True)) as fabric:
        done = fabric.apply(dict.fromkeys(names.switches, Change(add=ring))).all()
        assert all(applied.is_done for applied in done.values())
        heard = sum(len(c.neighbours) for c in fabric.read_neighbours().all().values())
        print(f"  {len(done)} switches carry {len(ring)} circuits each; {heard} ports hear another")
        assert heard == 4 * 96
        fault = json.dumps({"kind": "broken", "cable": "iw1-c001:4.3.2/X+"}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{control}/faults", fault, headers)
        urllib.request.urlopen(request, timeout=10).close()
        dark = {
            f"{name}:{port}"
            for name, cube in fabric.read_cubes().all().items()
            for port in cube.ports
            if not cube.up[cube.rows[port]]
        }
        print(f"  a cable broke; dark: {', '.join(sorted(dark))}")
        assert dark == {"iw1-c001:4.3.2/X+", "iw1-c002:1.3.2/X-"}


def the_whole_stack(folder: Path) -> None:
    """The whole stack starts in an empty folder with its demo, answers, and stops."""
    state = ("--state", folder / "state")
    print(f"\n$ fabric-twin up {state[0]} {state[1]}", flush=True)
    command = [PROGRAM, "up", *map(str, state)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as up:
        try:
            assert up.stderr
            for line in up.stderr:  # it stays; what it says after this is logs
                print(line, end="", flush=True)
                assert "The demo is not complete" not in line
                if line.startswith("  The demo is there"):
                    break
            threading.Thread(target=up.stderr.read, daemon=True).start()
            facts = json.loads(fabric_twin("status", *state, "--json"))
            assert {part["state"] for part in facts["parts"]} == {"ready"}
            print(", ".join(part["name"] for part in facts["parts"]) + ": ready")
            token = (folder / "state" / "api-token").read_text().strip()
            what_the_demo_left(pynautobot.api(facts["address"], token=token))
            what_the_audit_found(pynautobot.api(facts["address"], token=token))
            what_the_tickets_did(pynautobot.api(facts["address"], token=token))
            how_the_network_stands(pynautobot.api(facts["address"], token=token))
            what_the_work_orders_are(pynautobot.api(facts["address"], token=token))
            what_the_fabric_carries(folder / "state")
            print(fabric_twin("down", *state, stderr=subprocess.STDOUT), end="")
            assert up.wait(60) == 0
        finally:
            up.send_signal(signal.SIGTERM)
    fabric_twin("status", *state, expect=3)


def what_the_demo_left(nautobot: Any) -> None:
    """Ask over the API that everybody uses."""
    twin = nautobot.plugins.fabric_twin
    pod = twin.pods.get(name="iw1")
    cubes, circuits = twin.cubes.count(pod=pod.id), twin.optical_circuits.count(pod=pod.id)
    cables = nautobot.dcim.cables.count()
    names = sorted(found.name for found in twin.slices.filter(pod=pod.id))
    print(f"  {cubes} cubes, {cables:,} cables, {circuits:,} circuits for {', '.join(names)}")
    # A cube is being brought, and so far of its cables hang from it; blocks have theirs.
    assert (cubes, cables) == (64 + 1, 64 * 96 + PLUGGED + 4 * STRANDS)
    assert names == ["debug-1", "eval-3", "eval-4", "train-12"]
    assert circuits == (32 + 2 + 2) * 48


def how_the_network_stands(nautobot: Any) -> None:
    """Four blocks that are joined as they ask for, and an order for the fifth."""
    twin = nautobot.plugins.fabric_twin
    blocks = {one.name: one.status.display for one in twin.blocks.filter(pod=NETWORK)}
    links = twin.optical_circuits.count(pod=NETWORK)
    [order] = twin.work_orders.filter(pod=NETWORK)
    print(f"  {NETWORK}: {', '.join(blocks)}, {links} links; {order.name}: {order.title}")
    assert blocks == dict.fromkeys(("ab01", "ab02", "ab03", "ab04"), "Active") | {NEW: "Planned"}
    assert (links, order.title) == (24, f"Install block {NEW} of {NETWORK}")
    assert twin.findings.count(pod=NETWORK) == 0


def what_the_audit_found(nautobot: Any) -> None:
    """The five faults of the demo's fabric, each by its cause, and nothing else."""
    found = list(nautobot.plugins.fabric_twin.findings.filter(pod="iw1", is_there=True))
    for finding in found:
        print(f"  {finding.code:10} {finding.cause[:80]}")
    assert {(finding.code, where(finding.cause)) for finding in found} == {
        ("swapped", "iw1-c007:4.3.2/X+"),
        ("dark", "iw1-c003:2.4.1/Y+"),
        ("high-loss", "iw1-c012:4.1.2/X+"),
        ("wrong-part", "iw1-c021-t02"),
        ("fan-lost", "iw1-ocs-z-2-4"),
    }
    assert len(found) == 5


def what_the_tickets_did(nautobot: Any) -> None:
    """A slice came by a ticket, stage by stage; a release waits, and nobody approves their own."""
    twin = nautobot.plugins.fabric_twin
    found = {ticket.name: ticket for ticket in twin.tickets.filter(pod="iw1")}
    for name, ticket in sorted(found.items()):
        print(f"  {name}: {ticket.title}, {ticket.state.value}")
    assert {name: ticket.state.value for name, ticket in found.items()} == {
        "iw1-t1": "done",
        "iw1-t2": "submitted",
    }
    assert found["iw1-t1"].author != found["iw1-t1"].approved_by
    stages = twin.ticket_stages.filter(ticket=found["iw1-t1"].id)
    assert [(stage.state, stage.adds) for stage in stages] == [("done", 2 * 48)]
    assert twin.reservations.count(ticket=found["iw1-t1"].id) == 0
    assert twin.reservations.count(ticket=found["iw1-t2"].id) == 2 * 96 + 2


def what_the_work_orders_are(nautobot: Any) -> None:
    """A cube is being installed; a repair is planned, and says what must be drained first."""
    twin = nautobot.plugins.fabric_twin
    found = {order.name: order for order in twin.work_orders.filter(pod="iw1")}
    for name, order in sorted(found.items()):
        print(f"  {name}: {order.title}, {order.state.value}")
    assert {name: (order.title, order.state.value) for name, order in found.items()} == {
        "iw1-w1": ("Install cube 65 of iw1", "under way"),
        "iw1-w2": ("Repair 4 findings of iw1", "drafted"),
    }
    done = twin.order_steps.count(order=found["iw1-w1"].id, state="done")
    print(f"  {done} steps of the first are done")
    assert done == twin.step_reports.count(order=found["iw1-w1"].id) > 4 * PLUGGED
    worked_on = twin.findings.filter(pod="iw1", state="working")
    assert sorted(finding.code for finding in worked_on) == sorted(CODES)


def where(cause: str) -> str:
    """The first cable or device that a cause names."""
    return next(word for word in cause.split() if word.startswith("iw1-"))


def what_the_fabric_carries(state: Path) -> None:
    """Ask the switches themselves, as any driver would."""
    address = f"127.0.0.1:{(state / 'fabric-port').read_text().strip()}"
    password = (state / "fabric-password").read_text().strip()
    trusted = (state / "fabric" / "fabric-twin.pem").read_bytes()
    switches = shared_targets(address, Names(DESIGN.layout, "iw1").switches)
    with open_fabric(switches, (), Access("demo", password, trusted)) as fabric:
        carried = sum(len(switch.tuned) for switch in fabric.read_switches().all().values())
    print(f"  {len(switches)} switches say that they carry {carried:,} circuits")
    assert carried == (32 + 2 + 2) * 48


def main() -> None:
    """Show every stage."""
    stages = (
        a_pod_as_it_should_be,
        ten_mistakes_explained,
        a_slice_from_wish_to_map,
        a_fabric_that_answers,
        a_fabric_discovered_by_light,
        the_whole_stack,
    )
    faulthandler.dump_traceback_later(STANDS_STILL, exit=True)
    with tempfile.TemporaryDirectory(prefix="fabric-twin-demo-") as folder:
        Path(folder).chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        for stage in stages:
            print(f"\n== {stage.__doc__}", flush=True)
            stage(Path(folder))
    print(f"\nDone: {len(stages)} stages, each as it should be.")


if __name__ == "__main__":
    main()
