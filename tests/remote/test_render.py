"""`fabric-twin remote render`: what it says where a pod is not drawn by it."""

import pytest
from click.testing import CliRunner

from fabric_twin.cli import main
from tests.remote.conftest import Nautobot


@pytest.mark.parametrize(
    ("design", "why"),
    [
        (
            "network-16",
            "it is a network of blocks, and this command renders pods of cubes. Run the job "
            "Render documents there, or `fabric-twin network render` here.",
        ),
        (
            "unheard-of",
            "the pod follows the design unheard-of, which is not on this machine. Give --design "
            "the server's design file, or install the package of the design.",
        ),
    ],
)
def test_a_design_that_is_not_here_is_refused_with_what_to_do(
    app: Nautobot, design: str, why: str
) -> None:
    pod = {"id": "p", "name": "dc1", "design": design}
    app.say("/api/plugins/fabric-twin/pods/", {"results": [pod]})
    words = ["render", "labels", "--pod", "dc1", "--format", "csv", "-o", "-"]
    done = CliRunner().invoke(main, ["remote", *words], prog_name="fabric-twin")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == f"fabric-twin: {app.address}: {why}\n"
