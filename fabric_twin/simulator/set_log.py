"""Every Set that came, a line of JSON each: what switches were asked for, taken or refused.

A Set that cannot be written down is refused: the log would be no proof.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToDict

from fabric_twin.core.errors import UnusableInput
from fabric_twin.simulator.gnmi.refusals import unavailable

#: Is called with each request.
Heard = Callable[[Any], None]


@contextmanager
def set_log(file: Path | None) -> Iterator[Heard]:
    """What adds each Set to a file; without one nothing is kept."""
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

    def write_down(request: Any) -> None:
        line = json.dumps(MessageToDict(request))
        try:
            print(line, file=out)
        except OSError as error:
            raise unavailable(f"the log of Sets cannot be written ({error.strerror})") from None

    try:
        yield write_down
    finally:
        with suppress(OSError):  # what was refused for it may still wait to be written
            out.close()
