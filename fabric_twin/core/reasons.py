"""The reason that some acts need: one check and one refusal for every door."""

from fabric_twin.core.errors import UnusableInput

#: Characters of a reason: an explanation, not a file.
LONGEST = 4_000


def check_reason(said: str, where: str, *, needed: bool, longest: int = LONGEST) -> None:
    """Refuse what is not said though it has to be, or more than anybody reads."""
    if needed and not said.strip():
        raise UnusableInput(
            "no reason is given", where=where, remedy="Give one: the history keeps it"
        )
    if len(said) > longest:
        raise UnusableInput(
            f"the reason has {len(said):,} characters",
            where=where,
            remedy=f"Say it in at most {longest:,}",
        )
