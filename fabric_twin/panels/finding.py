"""What the page of a finding shows."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.html import format_html_join
from nautobot.apps.ui import Panel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.findings.dead_switch import DIED
from fabric_twin.core.findings.proof import Proof, told
from fabric_twin.documents.audits.finding_drawing import finding_document
from fabric_twin.models import Finding, Pod, Port, Slice
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.audits.finding_history import history_of
from fabric_twin.operations.audits.finding_rows import finding_of, proof_of
from fabric_twin.operations.audits.slices_hit import may_hit, slices_hit
from fabric_twin.operations.orders.finding_acts import possible_acts
from fabric_twin.operations.pods.audit_schedule import check_light_test
from fabric_twin.panels.buttons import JobFormButton
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import FieldsPanel, link, links
from fabric_twin.panels.light import draw_light
from fabric_twin.panels.networks.network import is_pod
from fabric_twin.panels.once import once
from fabric_twin.panels.place import visible
from fabric_twin.presenters.moments import local_moment
from fabric_twin.presenters.name_links import NameLinks
from fabric_twin.presenters.visible_pod import page
from fabric_twin.repositories.silences import rules_for


def can(act: str) -> Callable[[Finding, User], bool]:
    """Whether a user can act on a finding now."""

    def possible(finding: Finding, user: User) -> bool:
        return act in once(possible_acts, finding, user)

    return possible


class LightTestButton(JobFormButton):
    """Leads to the audit that makes test circuits, where a finding is not seen since."""

    job = "fabric_twin.tasks.audit_pod.AuditPod"
    fill = {"pod": "pod_id"}
    asks = {"light_test": "True"}

    def should_render(self, context: Any) -> bool:
        """Only where there is something to be shown."""
        finding = get_obj_from_context(context)
        unseen = not finding.seen and finding.state in FindingStateChoices.THERE
        return unseen and super().should_render(context) and self._may(finding.pod, context)

    @staticmethod
    def _may(pod: Pod, context: Any) -> bool:
        with suppress(FabricTwinError):
            check_light_test(pod, context["request"].user)
            return True
        return False


def links_in(finding: Finding, user: User) -> NameLinks:
    """The pages of all that the page of a finding names, read at once."""
    texts = [*_steps(finding), finding.worked_on, finding.cause]
    texts += [text for event in once(history_of, finding, user) for text in (event.what, event.who)]
    return NameLinks(user, finding.pod, texts)


def _steps(finding: Finding) -> list[str]:
    return [step.get("text", step.get("do", "")) for step in finding.remedy]


class FindingPanel(FieldsPanel):
    """Fields of a finding; what its cause names leads to its page."""

    def render_value(self, key: str, value: Any, context: Any) -> str:
        """As everywhere, but for the cause."""
        if key != "cause":
            return super().render_value(key, value, context)
        finding = get_obj_from_context(context)
        return once(links_in, finding, context["request"].user).linked(value)


class RemedyPanel(Panel):
    """What to do, step by step."""

    body_content_template_path = "fabric_twin/panels/remedy.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The steps in words."""
        finding = get_obj_from_context(context)
        links = once(links_in, finding, context["request"].user)
        steps = [links.linked(step) for step in _steps(finding)]
        return {**super().get_extra_context(context), "steps": steps}


class HistoryPanel(Panel):
    """What became of it, the newest first."""

    body_content_template_path = "fabric_twin/panels/history.html"

    def get_extra_context(self, context: Any) -> dict[str, Any]:
        """The lines, with what they name as links."""
        finding, user = get_obj_from_context(context), context["request"].user
        links = once(links_in, finding, user)
        events = [
            {"at": event.at, "what": links.linked(event.what), "who": links.linked(event.who)}
            for event in once(history_of, finding, user)
        ]
        return {**super().get_extra_context(context), "events": events}


def can_be_drawn(finding: Finding, _user: User) -> bool:
    """Whether it is of cables or of light: entries of a cluster are neither."""
    return bool(finding.strays) or not finding.pod.is_cluster


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
    told: dict[str, Any] = {}
    leading = [name for name in _CALLED if name in now]
    for name in dict.fromkeys((*leading, *now, *then)):
        if name == DIED:
            continue  # our own note: the history says what died and came back
        if name in _EACH and now.get(name):
            told[_called(name)] = format_html_join("", "<div>{}</div>", ((v,) for v in now[name]))
            continue
        last, first = _said(now.get(name)), _said(then.get(name))
        told[_called(name)] = last if last == first else f"{last} (at first {first})"
    return told


#: Looks that are written out on a page.
_MOST_LOOKS = 8


def tell_proof(finding: Finding, user: User) -> Mapping[str, Any]:
    """Whether the last look saw it, and what has to be seen before it counts as mended."""
    if finding.state == FindingStateChoices.MENDED:
        return {"Now": "Mended: all that would show it was looked at, and it was not there"}
    proof = proof_of(finding.proof)
    looks = told(proof, is_switched=finding.pod.has_circuits)
    lines = looks[:_MOST_LOOKS]
    if more := len(looks) - len(lines):
        lines.append(f"and {more} more like these")
    facts: dict[str, Any] = {"Now": "The last look at its place saw it"}
    may_see = Finding.objects.restrict(user, "view").order_by("key")
    if joined := may_see.filter(joined_with=finding):
        facts["Also covers"] = links((page("finding", f.pk), f) for f in joined)
    if finding.state == FindingStateChoices.JOINED:
        facts["Now"] = "Another finding covers its fault, until the two are separate again"
        tellers = may_see.filter(pk=finding.joined_with_id)
        facts["Joined with"] = links((page("finding", f.pk), f) for f in tellers)
    elif not finding.seen:
        facts["Now"] = f"Not seen since {local_moment(finding.last_seen)}, and not shown to be gone"
        beside = _beside(finding, proof, user)
        if beside:
            facts["Found there now"] = links((page("finding", f.pk), f) for f in beside)
    facts["Mended once"] = (
        format_html_join("", "<div>{}</div>", ((line,) for line in lines))
        or "an audit looks there again"
    )
    return facts


def _beside(finding: Finding, proof: Sequence[Proof], user: User) -> list[Finding]:
    """Findings that are seen now at what one that is not seen is of: they may hide it."""
    things = {one.thing for one in proof}
    devices = {one.device for one in proof}
    there = Finding.objects.restrict(user, "view").filter(pod=finding.pod_id, seen=True)
    there = there.filter(state__in=FindingStateChoices.THERE).exclude(pk=finding.pk)
    there = there.filter(places__device_name__in=devices).distinct().order_by("opened", "key")
    return [one for one in there if things & {p.thing for p in proof_of(one.proof)}]


#: What a word of the evidence is to a person.
_CALLED = {
    "explanations": "What it may be",
    "apart": "How to tell them apart",
    "sure": "The only explanation",
    "or": "Alternative",
    "heard": "Neighbours received",
    "light": "Light test",
    "tell": "Devices report",
    "ber": "Bit error ratio",
    "gbps": "Runs at (Gbit/s)",
    "could_gbps": "Both ends can do (Gbit/s)",
}
#: What has a line each.
_EACH = ("explanations", "apart")
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


def _tell_slices(finding: Finding, user: User) -> str:
    """A line for each slice that it hits: the last audit named it, or it has been made since."""
    hits = {}
    with suppress(FabricTwinError):  # the design of its pod is not installed here
        known = slices_hit(finding.pod, user) if may_hit(finding) else {}
        hits = {hit.name: hit.told for hit in known.get(finding.pk, ())}
    made = Slice.objects.restrict(user, "view").filter(pod=finding.pod_id)
    rows = made.filter(Q(name__in=hits) | Q(findings=finding)).distinct().order_by("name")
    return format_html_join(
        "",
        "<div>{}{}</div>",
        (
            (link(page("slice", s.pk), s), f": {hits[s.name]}" if s.name in hits else "")
            for s in rows
        ),
    )


def tell_life(finding: Finding, user: User) -> Mapping[str, Any]:
    """Acknowledgement, impact and silences."""
    told: dict[str, Any] = {}
    if finding.acknowledged_at:
        who = finding.acknowledged_by or "a deleted user"
        told["Acknowledged"] = f"{who}: {finding.acknowledged_why}"
    told["Impact"] = f"{finding.impact.capitalize()}: {finding.cost}"
    if finding.owner:
        told["Owner"] = finding.owner
    if finding.due:
        late = ", overdue" if finding.is_overdue else ""
        told["Due"] = f"{local_moment(finding.due)}{late}"
    if finding.worked_on:
        working = finding.state == FindingStateChoices.WORKING
        named = once(links_in, finding, user).linked(finding.worked_on)
        told["Being worked on" if working else "Was worked on"] = named
    if is_pod(finding.pod):
        told["Slices that lack links"] = _tell_slices(finding, user) or "none"
    if finding.pod.is_cluster:
        told["Jobs that lack links"] = _tell_slices(finding, user) or "none"
    rules = rules_for(finding).restrict(user, "view")
    told["Silenced"] = (
        links((page("silence", r.pk), f"until {local_moment(r.until)}: {r.reason}") for r in rules)
        or "no"
    )
    runs = reverse("plugins:fabric_twin:auditrun_list")
    told["Runs"] = link(f"{runs}?pod={finding.pod.name}", "of the pod")
    return told
