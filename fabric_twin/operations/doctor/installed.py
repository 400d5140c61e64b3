"""What is installed: versions, tables, jobs, static files, drivers."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from nautobot import __version__ as nautobot_version
from nautobot.extras.models import Job

from fabric_twin import __version__
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Pod
from fabric_twin.operations.calls.unheard_calls import OURS
from fabric_twin.operations.doctor.checked import Checked, bad, good, look
from fabric_twin.operations.site_designs import site_folder, wrong_design_files
from fabric_twin.switches.finding import driver_names, find_driver

#: A file of ours that pages need.
STATIC = "fabric_twin/doing.css"


def check_installed() -> Iterator[Checked]:
    """Everything that an installation or an upgrade brings."""
    yield good("versions", f"fabric-twin {__version__} in Nautobot {nautobot_version}")
    yield _tables()
    yield _jobs()
    yield _static_files()
    yield from map(_driver, driver_names())
    yield from _design_files()
    yield from _designs_of_pods()


def _tables() -> Checked:
    executor = MigrationExecutor(connection)
    leaves = [key for key in executor.loader.graph.leaf_nodes() if key[0] == "fabric_twin"]
    if plan := executor.migration_plan(leaves):
        names = ", ".join(migration.name for migration, _ in plan)
        return bad("tables", f"not yet made: {names}", "Run nautobot-server post_upgrade")
    return good("tables", "as this version wants them")


def _jobs() -> Checked:
    jobs = Job.objects.filter(module_name__startswith=OURS).order_by("name")
    gone = jobs.filter(installed=False)
    if not jobs.exists():
        return bad("jobs", "none is there", "Run nautobot-server post_upgrade")
    if gone.exists():
        names = ", ".join(gone.values_list("name", flat=True))
        return look("jobs", f"not in this version: {names}", "Delete them, if nothing names them")
    off = list(jobs.filter(enabled=False).values_list("name", flat=True))
    if off:
        return look("jobs", f"not enabled: {', '.join(off)}", "Enable those that are needed")
    return good("jobs", f"{jobs.count()} installed and enabled")


def _static_files() -> Checked:
    if not finders.find(STATIC):
        return bad("static files", f"the package has no {STATIC}", "Install the wheel again")
    if settings.DEBUG or (Path(settings.STATIC_ROOT or ".") / STATIC).exists():
        return good("static files", "collected")
    return bad("static files", "not collected", "Run nautobot-server post_upgrade")


def _driver(name: str) -> Checked:
    try:
        find_driver(name)
    except FabricTwinError as refusal:
        return bad(f"driver {name}", refusal.what, refusal.remedy)
    return good(f"driver {name}", "loads")


def _design_files() -> Iterator[Checked]:
    """Every file of the site's designs that cannot be used, if it has a folder of them."""
    if (folder := site_folder()) is None:
        return
    wrong = list(wrong_design_files())
    for told, remedy in wrong:
        yield bad("design files", told, remedy)
    if not wrong:
        yield good("design files", f"{counted(len(folder.names()), 'file')} in {folder.path}")


def _designs_of_pods() -> Iterator[Checked]:
    """Every pod that its design can no longer be asked about: it is gone, wrong, or changed."""
    well = 0
    for pod in Pod.objects.order_by("name"):
        try:
            pod.to_core()
        except FabricTwinError as refusal:
            yield bad(f"design of {pod}", f"{refusal.where}: {refusal.what}", refusal.remedy)
            continue
        if pod.layout or not pod.ports.exists():
            well += 1
        else:
            found = "no layout is kept of it, so a change of its design would not be seen"
            remedy = "Load or adopt the pod again by its design: what is there stays"
            yield look(f"design of {pod}", found, remedy)
    yield good("designs of pods", f"{counted(well, 'pod')} by the design that numbered its ports")
