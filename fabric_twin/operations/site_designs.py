"""The design files of a site: the folder `PLUGINS_CONFIG["fabric_twin"]["designs_folder"]`.

The web server, workers and commands each read it, and read a file again when it has changed.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks

from fabric_twin.core.design import Design
from fabric_twin.core.designs import look_in
from fabric_twin.inventory.designs.folder import DesignFolder

SETTING = 'PLUGINS_CONFIG["fabric_twin"]["designs_folder"]'


def site_folder() -> DesignFolder | None:
    """The folder that is set; checked when Nautobot starts."""
    given = settings.PLUGINS_CONFIG.get("fabric_twin", {}).get("designs_folder")
    return _folder(str(given)) if given else None


@cache
def _folder(path: str) -> DesignFolder:
    return DesignFolder(Path(path))


class SiteDesigns:
    """The designs of the folder that is set when they are asked for."""

    def names(self) -> Iterable[str]:
        """The names of its files."""
        folder = site_folder()
        return folder.names() if folder else ()

    def find(self, name: str) -> Design | None:
        """The design of a file, or its refusal; None where there is none."""
        folder = site_folder()
        return folder.find(name) if folder else None


def offer_site_designs() -> None:
    """Let them be found by name, and their files be checked with everything else at a start."""
    look_in("site", SiteDesigns())
    checks.register(check_design_files)


def wrong_design_files() -> Iterator[tuple[str, str]]:
    """What is wrong with each file that cannot be used, with its lines, and what to do."""
    folder = site_folder()
    for refusal in folder.refusals() if folder else ():
        told = "; ".join((f"{refusal.where}: {refusal.what}", *refusal.details))
        yield told, refusal.remedy


def check_design_files(**_: Any) -> list[checks.CheckMessage]:
    """For `nautobot-server check`: a wrong file takes its own design away, and stops nothing."""
    return [
        checks.Warning(told, hint=remedy, id="fabric_twin.W001")
        for told, remedy in wrong_design_files()
    ]
