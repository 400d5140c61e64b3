"""A digital twin of optically switched TPU pods: what should be, what is recorded, what is seen.

Nautobot asks this package for `config` and gets the App; nothing else here needs Django.
"""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load the App's configuration, and Django with it, only for who asks for it."""
    if name in {"config", "FabricTwinConfig"}:
        from fabric_twin.app_config import FabricTwinConfig

        return FabricTwinConfig
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
