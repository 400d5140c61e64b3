"""What the package can do only where an extra of it is installed."""

from importlib.util import find_spec

from fabric_twin.core.errors import NotInstalled


def require_extra(extra: str, *modules: str, where: str) -> None:
    """Refuse where modules are missing that an extra brings."""
    missing = [name for name in modules if not find_spec(name)]
    if missing:
        *others, last = missing
        named = f"{', '.join(others)} and {last} are" if others else f"{last} is"
        raise NotInstalled(
            f"{named} not installed", where=where, remedy=f"Install fabric-twin[{extra}]"
        )
