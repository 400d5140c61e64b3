"""Nautobot's settings, as mypy's Django plugin reads them to know models and their fields.

Nautobot makes its settings when it starts, so no module of its own has them. Models are enough:
nothing is connected to, and no app gets ready, which would import all there is.
"""

import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from nautobot.core.cli import load_settings

PLUGINS_CONFIG: dict[str, dict[str, Any]]
CONFIG = Path(__file__).parents[2] / "fabric_twin" / "stack" / "nautobot_config.py"

os.environ.setdefault("NAUTOBOT_SECRET_KEY", "of a check")
warnings.simplefilter("ignore")
with tempfile.TemporaryDirectory() as folder:
    os.environ.setdefault("NAUTOBOT_ROOT", folder)
    load_settings(str(CONFIG))
made = vars(sys.modules["nautobot_config"])
globals().update({name: value for name, value in made.items() if name.isupper()})

_create = AppConfig.create


def _without_getting_ready(entry: str) -> AppConfig:
    app = _create(entry)
    app.ready = lambda: None  # type: ignore[method-assign]
    return app


AppConfig.create = _without_getting_ready  # type: ignore[method-assign]
