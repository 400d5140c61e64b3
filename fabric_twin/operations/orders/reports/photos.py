"""Photos of why a step cannot be done: read with suspicion, made small, and written anew.

What comes from a phone may be a file of another kind, larger than any screen, or tell where it was
made: only its pixels are kept.
"""

import io
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.reports import LARGEST_PHOTO

#: Pixels that are unpacked, and those of the longer side that are kept.
MOST_PIXELS, LONGEST = 60_000_000, 1600
#: What is unpacked: formats that phones write.
FORMATS = ("JPEG", "PNG", "WEBP")
_QUALITY = 80
#: What is kept.
KEPT = "image/jpeg"


def photo_of(data: bytes) -> bytes:
    """The picture that somebody sent as it is kept, or a refusal."""
    if len(data) > LARGEST_PHOTO:
        raise _refused(f"it has {len(data):,} bytes, at most {LARGEST_PHOTO:,} are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as found:
                if found.width * found.height > MOST_PIXELS:
                    raise _refused(f"it has {found.width:,} x {found.height:,} pixels")
                found.draft("RGB", (LONGEST, LONGEST))
                upright = ImageOps.exif_transpose(found).convert("RGB")
    except (
        *(UnidentifiedImageError, Image.DecompressionBombError, Image.DecompressionBombWarning),
        *(OSError, ValueError, SyntaxError),
    ):
        raise _refused("it is no picture that can be read") from None
    upright.thumbnail((LONGEST, LONGEST))
    written = io.BytesIO()
    upright.save(written, "JPEG", quality=_QUALITY, optimize=True)
    return written.getvalue()


def _refused(what: str) -> UnusableInput:
    return UnusableInput(
        what, where="photo", remedy=f"Send a {', '.join(FORMATS[:-1])} or {FORMATS[-1]} picture"
    )
