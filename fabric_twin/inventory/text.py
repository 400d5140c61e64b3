"""The text of a file, or a refusal that says which line cannot be read."""

import re

from fabric_twin.core.errors import UnusableInput

_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069]"
)


def decoded(
    data: bytes, source: str, largest: int, smaller: str, what: str = "sheet", form: str = "CSV"
) -> str:
    """UTF-8 with or without a mark, without characters that would deceive a reader."""
    if len(data) > largest:
        size = f"{largest // 2**20} MiB" if largest >= 2**20 else f"{largest // 2**10} KiB"
        raise UnusableInput(f"the file is larger than {size}", where=source, remedy=smaller)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnusableInput(
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            where=f"{source}, line {line}",
            remedy=f"Save the {what} as {form} in UTF-8",
        ) from None
    if odd := _CONTROL.search(text):
        line = text.count("\n", 0, odd.start()) + 1
        raise UnusableInput(
            f"there is a control character (U+{ord(odd[0]):04X})",
            where=f"{source}, line {line}",
            remedy=f"Save the {what} as plain {form}, or take the character out",
        )
    return text
