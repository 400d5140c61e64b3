"""Who imports whom: that the contracts in pyproject.toml refuse, and what they cannot say."""

import ast
import os
import shutil
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fabric_twin"
#: One wrong import for each sentence of the contracts: who, and whom.
PLANTED = {
    "a door in a use case": ("operations.pods.load", "views.pod"),
    "a use case in a repository": ("repositories.lease", "operations.pods.load"),
    "a record in a service": ("services.audits.audit", "models.pod"),
    "an adapter in another": ("inventory.text", "documents.sheet"),
    "tickets that know orders": ("operations.tickets.history", "operations.orders.history"),
    "audits that know orders": ("operations.audits.run", "operations.orders.history"),
    "audits that know tickets": ("operations.audits.observe", "operations.tickets.history"),
    "pods that know audits": ("operations.pods.poll", "operations.audits.touches"),
    "slices that know pods": ("operations.slices.occupancy", "operations.pods.poll"),
    "hooks that know who registers": ("operations.hooks", "operations.tickets.audit_hook"),
    "a use case on files in a repository": ("repositories.floor", "services.audits.audit"),
    "paper in a repository": ("repositories.pod_record", "documents.sheet"),
    "a cut sheet in a repository": ("repositories.cable_reading", "inventory.cutsheet"),
    "a worker in a repository": ("repositories.transactions", "celery"),
    "paper in a use case": ("operations.tickets.actions", "documents.sheet"),
    "HTTP in a use case": ("operations.orders.actions", "rest_framework"),
    "a worker in a use case": ("operations.audits.touches", "celery"),
    "a presenter that writes": ("presenters.ticket", "repositories.bulk_insert"),
    "Django in the core": ("core.slots", "django"),
    "Django in a service": ("services.slices.replay", "django"),
    "the stack in the App": ("presenters.attention", "stack.parts"),
    "a door that waits for light": ("api.orders", "operations.orders.fabric.check_bundles"),
    "an act that waits for light": ("operations.orders.actions", "operations.audits.run"),
    "a door that speaks to switches": ("views.pod", "switches.fabric"),
    "a cube in the frame of all fabrics": ("core.fabric.fabric", "core.cube"),
    "a pod in the audit of any fabric": ("core.audit.codes", "core.pods.layout"),
    "a cycle in the core": ("core.pods.layout", "core.cabling.plant"),
    "a cycle in the repositories": ("repositories.ports", "repositories.pod_record"),
    "a cycle in the presenters": ("presenters.visible_pod", "presenters.attention"),
    "a cycle in the services": ("services.slices.allocate", "services.tickets.slice_wish"),
    "a cycle in a room": ("operations.orders.history", "operations.orders.actions"),
}
#: Folders of pages and commands grow by one file for each kind of record or command.
MOST_FILES, MOST_LINES = 22, 400
#: What writes, called on records or sets of them.
WRITES = {"bulk_create", "bulk_update", "create", "delete", "get_or_create", "save", "update",
          "update_or_create", "validated_save"}  # fmt: skip


def _full(name: str) -> str:
    return f"fabric_twin.{name}" if "." in name else name


@pytest.fixture(scope="module")
def refused(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What lint-imports says of a copy with all of them planted, in one line."""
    copy = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, copy / "fabric_twin", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for importer, imported in PLANTED.values():
        file = copy / "fabric_twin" / f"{importer.replace('.', '/')}.py"
        file.write_text(f"{file.read_text()}\nimport {_full(imported)}\n")
    (copy / "fabric_twin" / "helpers").mkdir()
    (copy / "fabric_twin" / "helpers" / "__init__.py").touch()
    (copy / "fabric_twin" / "operations" / "helpers.py").touch()
    linted = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert linted.returncode == 1, linted.stderr
    return " ".join(linted.stdout.split())


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_import_is_refused(refused: str, planted: str) -> None:
    importer, imported = map(_full, PLANTED[planted])
    if planted.startswith("a cycle"):
        found = f"No cycles are allowed in {_above(importer, imported)}."
    else:
        found = f"{importer} -> {imported} (l."
    assert found in refused


def _above(one: str, other: str) -> str:
    """The room of both."""
    pairs = zip(one.split("."), other.split("."), strict=False)
    shared = takewhile(lambda pair: pair[0] == pair[1], pairs)
    return ".".join(name for name, _ in shared)


def test_a_folder_that_no_contract_places_is_refused(refused: str) -> None:
    assert "fabric_twin.helpers" in refused
    assert "fabric_twin.operations.helpers" in refused


def test_no_room_is_crowded_and_no_file_is_long() -> None:
    files = [path for path in PACKAGE.rglob("*.py") if "migrations" not in path.parts]
    files += (ROOT / "tasks").glob("*.py")
    rooms = {path.parent: list(path.parent.glob("[!_]*.py")) for path in files}
    assert {room: len(held) for room, held in rooms.items() if len(held) > MOST_FILES} == {}
    files += PACKAGE.glob("static/fabric_twin/*.js")  # folders in it hold others' work
    long = {path: many for path in files if (many := path.read_text().count("\n")) > MOST_LINES}
    assert long == {}


def test_presenters_call_nothing_that_writes() -> None:
    written = [
        f"{path.name}:{call.lineno} {call.func.attr}"
        for path in (PACKAGE / "presenters").glob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if call.func.attr in WRITES
    ]
    assert written == []


def test_one_file_asks_for_jobs_and_one_listens() -> None:
    listening = {"receiver", "post_save", "pre_delete"}
    asking = {"apply_async", "delay", "enqueue_job", "send_task"}
    named = {
        (path.relative_to(PACKAGE).as_posix(), name)
        for path in {*PACKAGE.rglob("*.py"), *(PACKAGE / "tasks").glob("*.py")}
        for node in ast.walk(ast.parse(path.read_text()))
        if (name := getattr(node, "attr", getattr(node, "id", "")))
    }
    assert {file for file, name in named if name in asking} == {"operations/dispatch.py"}
    assert {file for file, name in named if name in listening} == {"change_signals.py"}


def test_who_writes_a_state_has_asked_a_table_for_it() -> None:
    graph = grimp.build_graph("fabric_twin", cache_dir=None)
    writers = graph.find_modules_that_directly_import("fabric_twin.repositories.states")
    assert {name.removeprefix("fabric_twin.") for name in writers} == {
        "operations.audits.finding_life",  # core/findings/life.py
        "operations.orders.fabric.release_ports",  # released after the end, whatever was told
        "operations.orders.lifecycle",  # core/orders/life.py, by Progress.after
        "operations.orders.record",  # steps, as Progress has them
        "operations.tickets.drafts.revise",  # core/tickets/life.py, as those below
        "operations.tickets.lifecycle",
        "operations.tickets.running.carry_out",
        "repositories.lease",  # of a run: it waits, runs or has ended
    }


def test_the_core_imports_python_and_numpy_only() -> None:
    graph = grimp.build_graph("fabric_twin", include_external_packages=True, cache_dir=None)
    core = {"fabric_twin.core", *graph.find_descendants("fabric_twin.core")}
    used = {name for module in core for name in graph.find_modules_directly_imported_by(module)}
    outside = {name.partition(".")[0] for name in used} - {"fabric_twin", "numpy"}
    assert outside <= sys.stdlib_module_names | {"scipy"}
    solvers = graph.find_modules_that_directly_import("scipy")
    assert {name.rpartition(".")[0] for name in solvers} == {"fabric_twin.core.topology"}


def test_the_command_line_starts_without_django() -> None:
    script = "import sys, fabric_twin.cli; sys.exit('django' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)
