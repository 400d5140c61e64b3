"""Nautobot Jobs, one verb a file; each is registered here."""

from typing import Any

name = "Fabric Twin"

jobs: list[Any] = []
