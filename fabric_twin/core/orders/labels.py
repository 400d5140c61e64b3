"""When a label that was read is the one that is meant.

People type in the case that their phone offers, and scanners add spaces: neither is another cable.
The phone's page has the same rule for when there is not a network (`doing.js`, `sameLabel`).
"""


def is_same_label(read: str, meant: str) -> bool:
    """Whether two texts of a label name the same cable, in any case and with spaces around."""
    return read.strip().casefold() == meant.strip().casefold()
