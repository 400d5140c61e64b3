"""Where servers listen that have no port: in their folder, unless its path is too long for that."""

import os
import tempfile
from hashlib import sha256
from pathlib import Path

from fabric_twin.core.errors import StackRefused

#: The longest path of a folder that a socket may be in, so that 107 bytes hold both.
_LONGEST = 80


def socket_folder(folder: Path, owner: int | None = None) -> Path:
    """A folder for the socket of a server, that only its owner may enter."""
    resolved = str(folder.resolve())
    if len(os.fsencode(resolved)) <= _LONGEST:
        return Path(resolved)
    owner = os.geteuid() if owner is None else owner
    # Anybody can reckon this name, so whose folder it is must be looked at.
    short = sha256(f"{owner}:{resolved}".encode()).hexdigest()[:16]
    place = Path(tempfile.gettempdir(), f"fabric-twin-{short}")
    place.mkdir(mode=0o700, exist_ok=True)
    if place.stat().st_uid == os.geteuid() != owner:
        os.chown(place, owner, -1)
    if place.is_symlink() or place.stat().st_uid != owner or place.stat().st_mode & 0o077:
        raise StackRefused(
            f"another user's folder is where its socket should be: {place}",
            where=resolved,
            remedy="Remove that folder, or choose a shorter --state",
        )
    return place
