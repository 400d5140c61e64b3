"""What `fabric-twin simulate` refuses before it answers anybody."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

POD = ("simulate", "--design", "ironwood", "--pod", "iw1", "--slots", "1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "Give either --tls DIR or --insecure."),
        (("--insecure", "--tls", "certificates"), "Give either --tls DIR or --insecure."),
        (("--insecure", "--pod", "iw1"), "Each pod needs a name of its own."),
        (("--tls", "certificates", "--polatis", "iw1-ocs-x-1-1"), "it needs --insecure"),
        (("--insecure", "--faults", "none.json"), "none.json: it cannot be read"),
        (("--insecure", "--polatis", "iw1-ocs-q-1-1"), "no pod has a switch 'iw1-ocs-q-1-1'"),
        (("--insecure", "--state", "no/such/folder.npz"), "the state cannot be kept there"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    run: Run, options: tuple[str, ...], words: str
) -> None:
    refused = run(*POD, *options)
    assert refused.exit_code == 2
    assert words in refused.stderr


BLOCKS = str(Path(__file__).parents[2] / "docs/examples/topology/four-blocks.json")
NETWORK = ("simulate", "--insecure", "--network", "dc1", "--blocks", BLOCKS)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("simulate", "--insecure"), "Give --design and --pod, or --network and --blocks."),
        ((*POD[:3], "--insecure"), "Give --design and --pod, or --network and --blocks."),
        (NETWORK[:-2], "Give --design and --pod, or --network and --blocks."),
        ((*NETWORK, "--slots", "1"), "--slots is of pods; the block file says which blocks"),
        ((*NETWORK, *POD[1:3], "--pod", "dc1"), "Each pod needs a name of its own."),
        ((*NETWORK, "--circuits", "none.json"), "none.json: it cannot be read"),
        ((*NETWORK[:-1], "none.json"), "none.json: it cannot be read"),
        ((*NETWORK, "--polatis", "dc1-ab01"), "no pod has a switch 'dc1-ab01'"),
    ],
)
def test_a_network_that_cannot_be_simulated_is_refused(
    run: Run, options: tuple[str, ...], words: str
) -> None:
    refused = run(*options)
    assert refused.exit_code == 2
    assert words in refused.stderr


def test_a_port_that_is_taken_is_refused(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run(*POD, "--insecure", "--port", str(port))
    assert refused.exit_code == 2
    assert f"port {port} of this machine is taken, or not allowed" in refused.stderr
