"""Every check, one after the other; one that fails is an answer too, and hides no other."""

from collections.abc import Callable, Iterable, Iterator

from fabric_twin.operations.doctor.checked import Checked, How, bad
from fabric_twin.operations.doctor.guarded import check_guarded
from fabric_twin.operations.doctor.in_time import in_words
from fabric_twin.operations.doctor.installed import check_installed
from fabric_twin.operations.doctor.running import check_running
from fabric_twin.operations.doctor.ways_in import check_ways_in

#: By what it is called where it fails as a whole.
_CHECKS: tuple[tuple[str, Callable[[], Iterable[Checked]]], ...] = (
    ("installation", check_installed),
    ("services", check_running),
    ("ways in", check_ways_in),
    ("people and settings", check_guarded),
)


def examine() -> Iterator[Checked]:
    """What is installed, who runs, how devices are reached, and who may do what.

    Without the App's tables nothing else can be looked at.
    """
    for what, check in _CHECKS:
        try:
            for one in check():
                yield one
                if one.what == "tables" and one.how is How.BAD:
                    return
        except Exception as error:  # noqa: BLE001  # a database that is away, rights that are not there
            told = f"it cannot be checked ({in_words(error)})"
            yield bad(what, told, "Mend what it names, then ask again")
