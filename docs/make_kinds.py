"""Make the page that says what a fabric of each kind can do: `core/kinds.py` as a table."""

# ruff: noqa: INP001 - a script, not a package

from pathlib import Path

from fabric_twin.core.kinds import Kind, Verb, why_not

PAGE = Path(__file__).with_name("kinds.md")
TEXT = """\
# Kinds of fabric

A [design](add-a-design.md) is of a kind, which `fabric-twin designs` shows. The kind follows from
the medium: what joins two cables. A [network](topology.md) has no design but a block file; its
commands are `fabric-twin network cutsheet`, `network audit`, `network render` and `topology`; its
maintenance is [by ticket](topology.md#maintenance-of-a-switch) and orders are made in Nautobot.

| kind | what it is | medium |
|---|---|---|
| `pod` | cubes, joined by optical switches | `optical`: a circuit joins an A port to a B port |
| `static` | cubes, cabled to each other | `none`: a cable is the link |
| `network` | blocks, joined by optical switches | `optical` |
| `groups` | [groups of processors](groups.md), joined by packet switches | `packet`: any to any |
| `chip` | [cores on one chip](chips.md), joined by rings of light | `ring`: all hear who sends |

What a kind can do:

| | {kinds} |
|---|{lines}
{rows}

What a kind cannot do is refused with the reason and what to do instead:

| | kind | reason | instead |
|---|---|---|---|
{reasons}

This page is made by `make refresh-docs` from `fabric_twin/core/kinds.py`, which also gives the
commands the words of their refusals.
"""


def files() -> dict[Path, str]:
    """The page, and what is in it."""
    rows = [
        f"| `{verb}` | {' | '.join('**no**' if why_not(kind, verb) else 'yes' for kind in Kind)} |"
        for verb in Verb
    ]
    reasons = [
        f"| `{verb}` | `{kind}` | {no.why} | {no.remedy} |"
        for verb in Verb
        for kind in Kind
        if (no := why_not(kind, verb))
    ]
    return {
        PAGE: TEXT.format(
            kinds=" | ".join(f"`{kind}`" for kind in Kind),
            lines="---|" * len(Kind),
            rows="\n".join(rows),
            reasons="\n".join(reasons),
        )
    }
