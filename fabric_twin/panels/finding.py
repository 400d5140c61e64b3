"""What the page of a finding shows."""

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.documents.audits.finding_drawing import finding_document
from fabric_twin.models import Finding, Port
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.audits.finding_rows import finding_of
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link, links
from fabric_twin.panels.light import draw_light
from fabric_twin.panels.place import visible
from fabric_twin.presenters.visible_pod import page
from fabric_twin.repositories.silences import rules_for


class RemedyPanel(Panel):
    """What to do, step by step."""

    body_content_template_path = "fabric_twin/panels/remedy.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The steps in words."""
        remedy = get_obj_from_context(context).remedy
        steps = [step.get("text", step.get("do", "")) for step in remedy]
        return {**super().get_extra_context(context), "steps": steps}


def draw_finding(finding: Finding, user: User) -> Drawn | None:
    """Cables as they are and as they should be; or the light path at the place."""
    if finding.strays:
        return Drawn(finding_document(finding_of(finding), finding.pod.name), finding.pod.name, {})
    ports = visible(Port, user).filter(finding_places__finding=finding)
    port = ports.order_by("finding_places__number").first()
    return draw_light(port, user, _handled(finding), finding.code) if port else None


def _handled(finding: Finding) -> set[str]:
    """What its remedy touches, as a light path names it: cables, else ports."""
    cables = {step["cable"] for step in finding.remedy if "cable" in step}
    at = {f"{s['device']} {s['port']}" for s in finding.remedy if s.get("device") and s.get("port")}
    return cables or at


def tell_evidence(finding: Finding, user: User) -> Mapping[str, Any]:  # noqa: ARG001
    """What was seen at first, and what was seen last, where the two differ."""
    then, now = finding.evidence_then, finding.evidence_now
    told = {}
    for name in (*now, *(name for name in then if name not in now)):
        last, first = _said(now.get(name)), _said(then.get(name))
        told[_called(name)] = last if last == first else f"{last} (at first {first})"
    return told


#: What a word of the evidence is to a person.
_CALLED = {"sure": "The only explanation", "or": "Or else", "ber": "Bit error ratio"}
#: Units that end a word of the evidence.
_UNITS = {"_dbm": "dBm", "_db": "dB", "_s": "s"}


def _called(name: str) -> str:
    """A word of the evidence as a person reads it, with its unit."""
    if name in _CALLED:
        return _CALLED[name]
    unit = next((unit for unit in _UNITS if name.endswith(unit)), "")
    words = name.removesuffix(unit).replace("_", " ").capitalize()
    return f"{words} ({_UNITS[unit]})" if unit else words


def _said(value: Any) -> str:
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        # A pair is the two ends of something.
        return ", ".join(" to ".join(v) if _is_pair(v) else _said(v) for v in value) or "nothing"
    if isinstance(value, Mapping):
        # Another explanation names its cables itself.
        return str(value.get("cause") or ", ".join(f"{k} {_said(v)}" for k, v in value.items()))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, (list, tuple)) and len(value) == 2 and all(type(v) is str for v in value)
    )


def tell_life(finding: Finding, user: User) -> Mapping[str, Any]:
    """Who knows of it, who is hit by it, and what keeps it quiet."""
    told: dict[str, Any] = {}
    if finding.state == FindingStateChoices.ACKNOWLEDGED:
        who = finding.acknowledged_by or "somebody who is gone"
        told["Acknowledged"] = f"{who}: {finding.acknowledged_why}"
    if finding.worked_on:
        working = finding.state == FindingStateChoices.WORKING
        told["Being worked on" if working else "Was worked on"] = finding.worked_on
    slices = finding.slices.restrict(user, "view").order_by("name")
    told["Slices that lack links"] = links((page("slice", s.pk), s) for s in slices) or "none"
    rules = rules_for(finding).restrict(user, "view")
    told["Silenced"] = (
        links((page("silence", r.pk), f"until {r.until:%Y-%m-%d %H:%M}: {r.reason}") for r in rules)
        or "no"
    )
    runs = reverse("plugins:fabric_twin:auditrun_list")
    told["Runs"] = link(f"{runs}?pod={finding.pod.name}", "of the pod")
    return told
