"""Photos of why a step cannot be done: read with suspicion, made small, and written anew.

What comes from a phone may be a file of another kind, larger than any screen, or tell where it was
made: only its pixels are kept.

    header: format, pixels --> of all photos of a request not too many --> one by one unpacked
"""

import contextlib
import io
import warnings
from collections.abc import Iterator, Mapping

from PIL import Image, UnidentifiedImageError

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.reports import LARGEST_PHOTO, MOST_PIXELS

#: Pixels of the longer side that are kept.
LONGEST = 1600
#: What is unpacked: formats that phones write.
FORMATS = ("JPEG", "PNG", "WEBP")
_QUALITY = 80
#: What is kept.
KEPT = "image/jpeg"
#: How a phone was held, by EXIF, and what sets its picture upright.
_ORIENTATION = 0x112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def photos_of(sent: Mapping[str, bytes]) -> dict[str, bytes]:
    """The pictures of one request as they are kept, or a refusal before any is unpacked."""
    pixels = sum(map(_pixels, sent.values()))
    if pixels > MOST_PIXELS:
        raise UnusableInput(
            f"its photos have {pixels:,} pixels, at most {MOST_PIXELS:,} are unpacked at once",
            where="photo",
            remedy="Make them smaller, or send fewer at once",
        )
    return {name: _kept(data) for name, data in sent.items()}


def _pixels(data: bytes) -> int:
    """How many there are by the header, which is all that is read."""
    if len(data) > LARGEST_PHOTO:
        raise _refused(f"it has {len(data):,} bytes, at most {LARGEST_PHOTO:,} are read")
    with _opened(data) as found:
        return found.width * found.height


def _kept(data: bytes) -> bytes:
    with _opened(data) as found:
        found.thumbnail((LONGEST, LONGEST))
        turned = _UPRIGHT.get(_orientation(found))
        upright = (found if turned is None else found.transpose(turned)).convert("RGB")
    upright.info.clear()  # a comment would be written again
    written = io.BytesIO()
    upright.save(written, "JPEG", quality=_QUALITY, optimize=True)
    return written.getvalue()


def _orientation(found: Image.Image) -> int:
    """How the phone was held; upright where its EXIF is broken, in whichever way."""
    try:
        said: object = found.getexif().get(_ORIENTATION)
    except Exception:  # noqa: BLE001 - Pillow names no errors of EXIF
        return 1
    return said if isinstance(said, int) else 1


@contextlib.contextmanager
def _opened(data: bytes) -> Iterator[Image.Image]:
    try:
        with warnings.catch_warnings():
            # What is too large is refused by our own bound, and in our words.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as found:
                yield found
    except (
        *(UnidentifiedImageError, Image.DecompressionBombError),
        *(OSError, ValueError, SyntaxError),
    ):
        raise _refused("it is not a picture that can be read") from None


def _refused(what: str) -> UnusableInput:
    return UnusableInput(
        what, where="photo", remedy=f"Send a {', '.join(FORMATS[:-1])} or {FORMATS[-1]} picture"
    )
