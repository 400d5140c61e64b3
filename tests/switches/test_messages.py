"""gNMI's messages are what OpenConfig's definition says, apart from anybody else's."""

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from pygnmi.spec.v080 import gnmi_pb2

from fabric_twin.dialects import gnmi


@pytest.mark.integration
def test_the_compiled_messages_are_those_of_the_definition(tmp_path: Path) -> None:
    folder = Path(str(files(gnmi)))
    options = ("--include_imports", "-I.", "-Igithub.com/openconfig/gnmi/proto/gnmi_ext=.")
    out = f"--descriptor_set_out={tmp_path / 'made'}"
    protoc = [sys.executable, "-m", "grpc_tools.protoc", *options, out, "gnmi.proto"]
    subprocess.run(protoc, cwd=folder, check=True)
    assert (tmp_path / "made").read_bytes() == (folder / "gnmi.binpb").read_bytes(), "make messages"


def test_another_gnmi_of_another_version_is_there_beside_ours() -> None:
    ours = gnmi.Path(origin="sonic-db", elem=[gnmi.PathElem(name="CONFIG_DB", key={"a": "b"})])
    theirs = gnmi_pb2.Path.FromString(ours.SerializeToString())
    assert str(theirs) == str(ours)
    assert "union_replace" in gnmi.SetRequest.DESCRIPTOR.fields_by_name
    assert "union_replace" not in gnmi_pb2.SetRequest.DESCRIPTOR.fields_by_name


def test_what_gnmi_does_not_have_is_no_message() -> None:
    with pytest.raises(AttributeError, match="gNMI has no Plath"):
        gnmi.Plath  # noqa: B018
