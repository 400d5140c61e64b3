"""The documentation tells the truth: commands run, examples are made, lists are whole."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from markdown.extensions.toc import slugify  # as MkDocs does it

from fabric_twin.cli import main
from fabric_twin.core.audit.codes import order_of
from fabric_twin.core.designs import find_design

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
DECISIONS = DOCS / "decisions"


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"docs_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh = load(DOCS / "refresh.py")
PAGES: list[Path] = refresh.PAGES
#: What several cables did together; what one did, in the order of a pod's keys.
TOGETHER = ("swapped", "rotated", "shifted", "reversed", "bundle-swapped")
ORDER = order_of(find_design("ironwood").layout.fabric)
TEXT = {page: page.read_text(encoding="utf-8") for page in PAGES}
ALL = "\n".join(TEXT.values())


def commands(group: click.Group, path: str = "") -> dict[str, click.Command]:
    """Every command by how it is called."""
    context = click.Context(group)
    found: dict[str, click.Command] = {}
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        found[f"{path}{name}"] = command
        if isinstance(command, click.Group):
            found |= commands(command, f"{path}{name} ")
    return found


def section(page: Path, title: str) -> str:
    """What a page says under a heading, up to the next one."""
    found = re.search(
        rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", TEXT[page], re.MULTILINE | re.DOTALL
    )
    assert found, f"{page.name} has no heading {title}"
    return found[1]


COMMANDS = commands(main)
OPTIONS = [
    (name, option)
    for name, command in COMMANDS.items()
    for parameter in command.params
    if isinstance(parameter, click.Option)
    for option in (*parameter.opts, *parameter.secondary_opts)
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_says_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    folder = refresh.Folder(tmp_path)
    for example in refresh.shown(TEXT[page]):
        if example.runs:
            said = folder.run(example.command)
            assert refresh.agrees(example.output, said), (
                f"{page.name}, line {example.line}: {example.command}\n{said}\n\nmake refresh-docs"
            )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_command_that_is_not_run_is_one_that_cannot_be(page: Path) -> None:
    not_run = {x.command.split()[0] for x in refresh.shown(TEXT[page]) if not x.runs}
    assert not_run <= {"eval", "git", "make", "source"}


def test_no_block_shows_fabric_twin_without_being_run() -> None:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", ALL, re.MULTILINE | re.DOTALL)
    assert not [body for kind, body in blocks if kind != "console" and "$ fabric-twin" in body]


def test_examples_and_pictures_are_what_their_scripts_make() -> None:
    made = refresh.made()
    stale = [
        path.relative_to(ROOT)
        for path, content in made.items()
        if not path.exists() or path.read_text(encoding="utf-8") != content
    ]
    assert not stale, "make refresh-docs"


def test_no_picture_is_left_over() -> None:
    pictures = {path for path in DOCS.rglob("*") if path.suffix in {".png", ".svg"}}
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT[page])
    }
    assert pictures == shown


def test_every_picture_is_described_and_every_png_is_small() -> None:
    assert not re.findall(r"!\[\]\([^)]*\)", ALL)
    assert all(path.stat().st_size < 300_000 for path in DOCS.rglob("*.png"))


def test_pictures_need_nothing_from_elsewhere() -> None:
    for path in DOCS.rglob("*.svg"):
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http" not in text, path.name
        assert "prefers-color-scheme: dark" in text, path.name


def test_every_make_target_that_is_named_is_there() -> None:
    targets = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"(?:`|\$ )make ([a-z][a-z-]*)", ALL))
    assert named <= set(targets)
    assert set(targets) <= named


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_explained(name: str) -> None:
    assert section(DOCS / "commands.md", name).strip()


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_every_option_is_named_where_its_command_is_explained(name: str, option: str) -> None:
    assert re.search(rf"`{option}[ `]", section(DOCS / "commands.md", name))


def test_no_option_is_explained_that_is_not_there() -> None:
    known = {option for _, option in OPTIONS} | {"--help", "--version"}
    named = set(re.findall(r"`(--[a-z][a-z-]*)", TEXT[DOCS / "commands.md"]))
    assert named <= known


@pytest.mark.parametrize("code", [*TOGETHER, *ORDER, "missing", "crossed-pair"])
def test_every_code_is_explained_with_a_drawing(code: str) -> None:
    said = section(DOCS / "audit.md", code)
    assert f"](images/codes/{code}.svg)" in said
    assert re.sub(r"!\[[^\]]*\]\([^)]*\)", "", said).strip()


def test_codes_of_one_cable_are_explained_in_the_order_in_which_they_are_used() -> None:
    headings = re.findall(r"^#### (.*)$", TEXT[DOCS / "audit.md"], re.MULTILINE)
    assert [heading for heading in headings if heading in ORDER] == list(ORDER)


def test_every_page_is_in_the_menu() -> None:
    navigation = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    listed = re.findall(r"[\w/-]+\.md", str(navigation))
    pages = [page for page in PAGES if page.parent == DOCS] + [DECISIONS / "index.md"]
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in pages)


def test_every_decision_is_in_the_table_by_its_number_and_title() -> None:
    row = r"^\| (\d{4}) \| \[(.*)\]\((.*)\) \| .* \|$"
    rows = re.findall(row, TEXT[DECISIONS / "index.md"], re.MULTILINE)
    records = sorted(DECISIONS.glob("[0-9]*.md"))
    assert [row[0] for row in rows] == [f"{number:04}" for number in range(1, len(records) + 1)]
    assert [row[2] for row in rows] == [record.name for record in records]
    for number, title, name in rows:
        text = TEXT[DECISIONS / name]
        assert name.startswith(f"{number}-")
        assert text.startswith(f"# {title}\n")
        parts = re.findall(r"^\*\*(\w+)(?:\.\*\*|\*\*$)", text, re.MULTILINE)
        assert parts == ["Context", "Decision", "Consequences"], name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_to_a_page_and_a_heading(page: Path) -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", TEXT[page]):
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{page.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {slugify(heading, "-") for heading in headings}


def test_the_example_of_a_design_is_the_package_that_is_tested() -> None:
    package = ROOT / "tests/packages/static-torus"
    source = (package / "static_torus/__init__.py").read_text()
    source += (ROOT / "fabric_twin/core/designs/ironwood.py").read_text()
    blocks = re.findall(
        r"^```python\n(.*?)^```$", TEXT[DOCS / "add-a-design.md"], re.MULTILINE | re.DOTALL
    )
    shown = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert shown
    assert [line for line in shown if line not in source] == []


def test_the_map_of_folders_is_whole() -> None:
    for page, folder in (("architecture.md", "fabric_twin"), ("contributing.md", "tests")):
        for path in sorted((ROOT / folder).iterdir()):
            if any(path.glob("**/*.py")) and not path.is_symlink() and path.name[0] != "_":
                assert f"`{folder}/{path.name}/`" in TEXT[DOCS / page], path.name


def test_the_map_of_rooms_is_whole() -> None:
    page = TEXT[DOCS / "architecture.md"]
    for folder, above in (("core", "fabric_twin/core/"), ("operations", "")):
        for room in (ROOT / "fabric_twin" / folder).rglob("__init__.py"):
            name = room.parent.relative_to(ROOT / "fabric_twin" / folder).as_posix()
            assert name == "." or f"`{above}{name}/`" in page, name


def test_the_readme_names_both_commands() -> None:
    readme = TEXT[ROOT / "README.md"]
    assert "`make up`" in readme
    assert "`make test`" in readme


@pytest.mark.parametrize(
    "synonym", ["fiber", "fibers", "superpod", "patch cord", "jumper", "cross-connects", "anomaly"]
)
def test_one_word_is_used_for_one_thing(synonym: str) -> None:
    assert not re.search(rf"\b{synonym}\b", ALL, re.IGNORECASE), "see docs/words.md"


def test_dots_in_shown_output_stand_for_any_lines() -> None:
    assert refresh.agrees("one\n...\nfour", "one\ntwo\nthree\nfour")
    assert refresh.agrees("one\n...", "one")
    assert not refresh.agrees("one\n...\nfour", "one\ntwo")
    assert not refresh.agrees("one", "one\ntwo")
