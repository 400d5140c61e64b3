"""Every Set that came, a line of JSON each: what switches were asked for, taken or refused."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict

from fabric_twin.core.errors import UnusableInput

#: Hears a request.
Heard = Callable[[Any], None]


@contextmanager
def set_log(file: Path | None) -> Iterator[Heard]:
    """What is told of each Set, and adds it to a file; without one nothing is kept."""
    if file is None:
        yield lambda _request: None
        return
    try:
        out = file.open("a", buffering=1)
    except OSError as error:
        raise UnusableInput(
            f"no Set can be written there ({(error.strerror or '?').lower()})",
            where=str(file),
            remedy="Name a file in a folder that may be written to",
        ) from None
    with out:
        yield lambda request: print(json.dumps(MessageToDict(request)), file=out)
