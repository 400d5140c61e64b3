"""The cause of a finding as one sentence: which cables, where they are, where they belong."""

from collections.abc import Sequence

from fabric_twin.core.audit.mistakes import BUNDLE
from fabric_twin.core.audit.places import Places, Stray, on_panels, some
from fabric_twin.core.audit.repair import Repair

#: What cables that were moved together did.
_TOGETHER = {
    "swapped": "exchanged",
    "bundle-swapped": "exchanged as a bundle",
    "rotated": "in a circle, each on the next one's port",
    "shifted": "shifted along the panel",
    "reversed": "back to front",
}
#: What is wrong with the port where a single cable is, whatever the fabric.
_BECAUSE = {
    "unknown-port": "which the design does not have (is it written right?)",
    "doubled-port": "where another cable is",
    "spare-in-use": "a spare that no substitution names",
}


def cause(code: str, mistake: list[Repair], strays: Sequence[Stray], places: Places) -> str:
    """Say what happened."""
    turns = [turn for repair in mistake for turn in repair.turns]
    turned = [stray for stray in strays if stray.stands and stray.wanted]
    surplus = [stray for stray in strays if stray.wanted is None]
    absent = [stray for stray in strays if stray.stands is None]
    if code == "unknown-port" and len(turned) + len(surplus) >= BUNDLE:
        return (
            f"{len(turned) + len(surplus):,} cables end on ports that the design does not have, "
            "as if the sheet were of another design"
        )
    if absent and not turned and not surplus:
        missing = [pair for repair in mistake for pair in repair.missing]
        return _missing(absent, places.bundle(missing))
    if not turned:
        return _surplus(code, surplus, places)
    switches = places.switches_of(turns) if code == "swapped" else []
    said = _turned(code, turned, places.bundle_of(turns), switches, places)
    if surplus:
        said += f"; {_are(surplus)} not needed"
    if absent:
        said += f"; {_are(absent)} missing"
    return said


def _turned(
    code: str, strays: Sequence[Stray], bundle: str, switches: Sequence[str], places: Places
) -> str:
    wrong = [stray.stands for stray in strays if stray.stands and any(stray.stands)]
    right = [stray.wanted for stray in strays if stray.wanted]
    subject = _subject(strays, bundle)
    if code in _TOGETHER:
        between = f" between {some(switches)}" if len(switches) > 1 else ""
        # The cables of a single bundle were exchanged among themselves.
        within = " with each other" if places.is_one(bundle) and "swapped" in code else ""
        where = "" if bundle else f", at {on_panels(right)}"
        return f"{subject} {_TOGETHER[code]}{within}{between}{where}"
    if code == "dark" and bundle:
        those = "it" if places.is_one(bundle) else "they"
        return f"{subject} recorded without far ends, as if {those} had no power"
    belong = f"belong{'s' * (len(strays) == 1)} on {on_panels(right)}"
    if code == "dark" or not wrong:
        far = "a far end" if len(strays) == 1 else "far ends"
        return f"{subject} recorded without {far}, and {belong}"
    because = _because(code, places)
    hanging = [stray for stray in strays if not (stray.stands and any(stray.stands))]
    if hanging and not bundle:
        there = [stray for stray in strays if stray not in hanging]
        said = _turned(code, there, "", switches, places)
        home = on_panels([stray.wanted for stray in hanging if stray.wanted])
        belong = f"belong{'s' * (len(hanging) == 1)} on {home}"
        return f"{said}; {_are(hanging)} in no port that is known, and {belong}"
    return f"{subject} on {on_panels(wrong)}{because}, and {belong}"


def _surplus(code: str, strays: Sequence[Stray], places: Places) -> str:
    if len(strays) >= BUNDLE and code == "unexpected":
        units = some(places.units_of(strays))
        return f"The {len(strays):,} cables of {units} are connected too early"
    ends = {end for stray in strays for end in (stray.stays, stray.stands) if end and any(end)}
    if code == "unknown-port":
        ends = {end for end in ends if not places.knows(end)}
    where = f" on {on_panels(sorted(ends))}" if ends else " recorded without ends"
    because = _because(code, places)
    them = "it" if len(strays) == 1 else "them"
    return f"{_are(strays)}{where}{because}, and nothing needs {them}"


def _because(code: str, places: Places) -> str:
    because = _BECAUSE.get(code) or places.because(code)
    return f", {because}" if because else ""


def _missing(strays: Sequence[Stray], bundle: str) -> str:
    said = f"{_subject(strays, bundle)} missing"
    if len(strays) > 1:
        return said
    (stray,) = strays
    ends = [on_panels([end]) for end in (stray.stays, stray.wanted) if end]
    return f"{said} between {' and '.join(ends)}"


def _subject(strays: Sequence[Stray], bundle: str) -> str:
    return f"The {len(strays):,} cables of {bundle} are" if bundle else _are(strays)


def _are(strays: Sequence[Stray]) -> str:
    names = [stray.cable or "the cable" for stray in strays]
    return f"{some(names)} {'is' if len(names) == 1 else 'are'}"
