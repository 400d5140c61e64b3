"""So many of something, in words."""


def counted(many: int, what: str) -> str:
    """A number with what it counts.

    >>> counted(1, "cable"), counted(13_824, "cable"), counted(2, "switch"), counted(2, "entry")
    ('1 cable', '13,824 cables', '2 switches', '2 entries')
    """
    if many != 1 and what.endswith("ry"):
        return f"{many:,} {what[:-1]}ies"
    end = "" if many == 1 else "es" if what.endswith(("ch", "sh", "x", "s")) else "s"
    return f"{many:,} {what}{end}"
