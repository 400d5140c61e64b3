"""A folder of design files: each is found by its name, and one that is wrong hides no other."""

import shutil
from pathlib import Path

import pytest

from fabric_twin.core import designs
from fabric_twin.core.designs import design_names, find_design, look_in
from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.inventory.designs.folder import DesignFolder, folder_of

EXAMPLES = Path(__file__).parents[2] / "docs/examples/designs"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with one good file and one that is wrong, which designs are found in."""
    monkeypatch.setattr(designs, "_FOLDERS", {})
    for name in ("pod-150", "wrong"):
        shutil.copy(EXAMPLES / f"{name}.yaml", tmp_path)
    look_in("test", DesignFolder(tmp_path))
    return tmp_path


def test_a_file_is_a_design_beside_the_installed_ones(folder):
    assert find_design("pod-150").chips == 9600
    assert find_design("pod-150") is find_design("pod-150"), "read once"
    assert {"pod-150", "wrong", "ironwood"} < set(design_names())


def test_a_wrong_file_is_refused_by_its_name_and_hides_no_other(folder):
    for _ in range(2):
        with pytest.raises(UnusableInput) as refusal:
            find_design("wrong")
        file = folder / "wrong.yaml"
        assert str(refusal.value) == (
            f"{file}: it has 3 mistakes, the first on line 4: `slots` is '12 cubes', and not a "
            "whole number from 1 to 200,000. Write `slots: 150`. "
            f"`fabric-twin designs --check {file}` lists them all."
        )
    assert find_design("pod-150").slots == 150


def test_a_file_that_has_changed_is_read_again_and_one_that_is_gone_is_no_design(folder):
    assert find_design("pod-150").slots == 150
    file = folder / "pod-150.yaml"
    file.write_text(file.read_text().replace("slots: 150", "slots: 149"))
    assert find_design("pod-150").slots == 149
    file.unlink()
    with pytest.raises(UnusableInput, match="there is no design 'pod-150'"):
        find_design("pod-150")


def test_a_file_that_cannot_be_looked_at_is_not_one_that_is_not_there(folder):
    (folder / "looped.yaml").symlink_to("looped.yaml")
    with pytest.raises(
        UnusableInput, match=r"it cannot be read \(too many levels of symbolic links"
    ):
        find_design("looped")


def test_an_installed_design_is_never_hidden_by_a_file_of_its_name(folder):
    ours = find_design("tpu-v2-static")
    for name in ("ironwood", "tpu-v2-static"):
        (folder / f"{name}.yaml").write_text("title: another")
    assert find_design("tpu-v2-static") is ours
    assert find_design("ironwood").slots == 144


def test_all_that_is_wrong_in_a_folder_is_told_at_once(folder):
    (folder / "ironwood.yaml").write_text("")
    (folder / "later.yml").write_text("")
    (folder / "README.md").write_text("not read")
    (folder / "a-folder.yaml").mkdir()
    (folder / "Odd name.yaml").write_bytes((folder / "pod-150.yaml").read_bytes())
    assert [
        str(refusal).replace(f"{folder}/", "") for refusal in DesignFolder(folder).refusals()
    ] == [
        "Odd name.yaml, line 1: the design is `pod-150`, but its file is Odd name.yaml. "
        "Call the file pod-150.yaml, or change the name.",
        "a-folder.yaml: it is not a file. Take it away.",
        "ironwood.yaml: an installed package brings a design of this name, and that is used. "
        "Give yours another name.",
        "later.yml: it is not read. Call it later.yaml.",
        "wrong.yaml: it has 3 mistakes. Correct them all.",
    ]


def test_a_folder_that_is_not_there_is_told_and_holds_nothing(tmp_path):
    away = DesignFolder(tmp_path / "away")
    assert (away.names(), away.find("pod-150")) == ([], None)
    assert [str(refusal) for refusal in away.refusals()] == [
        f"{tmp_path}/away: the folder cannot be read (no such file or directory). "
        "Let all that use it read it, or correct what names it."
    ]


@pytest.mark.parametrize("name", ["../pod-150", "{}/pod-150", "pod-150.yaml", "", "--init--"])
def test_a_name_never_leads_out_of_the_folder(folder, tmp_path, name):
    """A good design stands beside the folder, and where a whole path leads."""
    inside = tmp_path / "in"
    inside.mkdir()
    assert (tmp_path / "pod-150.yaml").exists()
    assert DesignFolder(inside).find(name.format(tmp_path)) is None
    with pytest.raises(FabricTwinError, match="there is no design"):
        find_design(name.format(tmp_path))


def test_a_setting_is_the_whole_path_of_a_folder():
    assert folder_of(None, "there") is folder_of("", "there") is None
    assert folder_of("/srv/designs", "there").path == Path("/srv/designs")
    for given in ("designs", 7, ["/srv/designs"]):
        with pytest.raises(UnusableInput) as refusal:
            folder_of(given, "there")
        assert str(refusal.value) == (
            f"there: {str(given)!r} is not the whole path of a folder. "
            "Write it like /srv/fabric-designs, or None."
        )


def test_the_command_line_finds_files_by_name_in_a_folder_of_its_environment(
    run, folder, monkeypatch
):
    monkeypatch.setenv("FABRIC_TWIN_DESIGNS", str(folder))
    listed = run("designs")
    assert "pod-150        pod       150   9,600  14,400        48  150 cubes" in listed.stdout
    assert (listed.exit_code, listed.stderr) == (
        2,
        f"fabric-twin: {folder}/wrong.yaml: it has 3 mistakes. Correct them all.\n"
        "fabric-twin:   line 4: `slots` is '12 cubes', and not a whole number from 1 to 200,000. "
        "Write `slots: 150`.\n"
        "fabric-twin:   line 7: there is no key `spars`. Perhaps `spares` is meant.\n"
        "fabric-twin:   line 9: 'k' is no key of a cube port. Use slot, sign, lane, i, j, or a "
        "part of one such as j/2 (which pair) and j%2 (which of it).\n",
    )
    (folder / "wrong.yaml").unlink()
    assert run("designs", "--json").exit_code == 0
    assert run("cutsheet", "--design", "pod-150", "--pod", "p", "--slots", "1").exit_code == 0
