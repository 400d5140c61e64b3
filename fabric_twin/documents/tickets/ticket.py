"""What is said of a ticket, once: its page and its documents are made of the same words.

TicketFacts -- parts      headings with facts or rows: what the page shows, and each document
            -- stages     what the drawing and the list of circuits are made of
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from fabric_twin.core.circuits.plans import Stage
from fabric_twin.core.counted import counted
from fabric_twin.core.moments import moment
from fabric_twin.core.slots import format_slots
from fabric_twin.core.tickets.called import Called
from fabric_twin.core.tickets.drains import labels
from fabric_twin.core.tickets.words import between, some
from fabric_twin.documents.sheet import Document, Table, table
from fabric_twin.documents.slices.reconfigurations import steps_of
from fabric_twin.documents.tickets.bears import what_it_keeps
from fabric_twin.documents.tickets.change_drawing import change_drawing
from fabric_twin.documents.tickets.concerned_jobs import concerned_jobs
from fabric_twin.documents.tickets.facts import StageFacts, TicketFacts

#: Headings, in the order in which they are read.
ABOUT, CONCERNS, STAGES = "About", "Impact", "Stages"
CHECKS, RECORDS, DRAINS = "How it is checked and undone", "What else changes", "Drained"
PAIRS = "Links of pairs"
WORSE = "Passes, worse than before"
HISTORY = "History"


def about(facts: TicketFacts) -> dict[str, str]:
    """What it is, who answers for it, and when it is done."""
    told = {
        "Title": facts.title,
        facts.called.pod.capitalize(): f"{facts.pod} ({facts.design})",
        "Kind": facts.kind,
        "State": facts.state,
        "Message": facts.message,
        "Reason": facts.reason,
        "Risk": _with(facts.risk, facts.risk_reason),
        "Window": window(facts),
        "If it goes wrong": _wrong(facts),
        "Author": facts.author,
        "Contacts": ", ".join(facts.contacts),
        "Revises": facts.revises,
        "Submitted": moment(facts.submitted_at, facts.zone),
        "Approved": _by(facts, facts.approved_by, facts.approved_at),
        "Emergency": _emergency(facts) if facts.emergency else "",
        "Began": moment(facts.started, facts.zone),
        "Ended": moment(facts.ended, facts.zone),
        "Holds": _holds(facts),
    }
    return {name: text for name, text in told.items() if text}


def concerns(facts: TicketFacts) -> dict[str, str]:
    """What is lost with it, and what is left for others."""
    blast = facts.blast
    if "pairs" in blast:
        return _with_warnings(facts, _concerned_pairs(facts))
    if "entries" in blast:
        return _with_warnings(facts, concerned_jobs(facts))
    touched = blast.get("owners", ())  # also those that stay, and go dark with what is out
    untouched = [one for one in facts.plan.get("untouched_owners", ()) if one not in touched]
    told = {
        "Slices": some(blast.get("slices", ())) or "none",
        "Owners": some(owner or "nobody" for owner in blast.get("owners", ())),
        "Links that go dark": f"{blast.get('links', 0):,}",
        "Not touched": some(untouched) or "nobody else has circuits",
        "Capacity before": _capacity(blast.get("capacity_before", {})),
        "Capacity left": _capacity(blast.get("capacity_left", {})),
    }
    for bears in facts.plan.get("bears", ()):
        told[f"Bears it: {bears['name']}"] = what_it_keeps(bears)
    for stranded in facts.plan.get("stranded", ()):
        told[f"Cannot move: {stranded['name']}"] = stranded["why"]
    return _with_warnings(facts, told)


def _with_warnings(facts: TicketFacts, told: dict[str, str]) -> dict[str, str]:
    for number, warning in enumerate(facts.warnings, 1):
        told[f"Warning {number}"] = warning
    return {name: text for name, text in told.items() if text}


def _concerned_pairs(facts: TicketFacts) -> dict[str, str]:
    """What a change of links means for the pairs of blocks together."""
    blast, loads = facts.blast, facts.blast["load"]
    told = {
        "Pairs of blocks": f"{len(blast['pairs']):,} get other links, or lose some",
        "Links that go dark": f"{blast.get('links', 0):,}",
    }
    none = "a pair that asks for some has no link of its own"
    for when in ("before", "meanwhile", "after"):
        load, missing = loads.get(when), when in blast.get("no_link", ())
        told[f"Greatest load {when}"] = none * missing if load is None else f"{load:.0%}"
    return told


def pairs(facts: TicketFacts) -> Table:
    """The links of each pair of blocks: before, the fewest on the way, and after."""
    rows = (
        (
            f"{pair['a']} and {pair['b']}",
            f"{pair['before']:,}",
            f"{pair['least']:,}",
            f"{pair['after']:,}",
            f"{pair['gbps']:,g}" if pair["gbps"] else "",
        )
        for pair in facts.blast.get("pairs", ())
    )
    return table(PAIRS, "pair,links before,fewest meanwhile,links after,asks for Gbit/s", rows)


def stages(facts: TicketFacts) -> Table:
    """What each stage does, whose links go dark, and how far it is."""
    return table(
        STAGES,
        f"stage,state,remove,add,switches,loses {facts.called.links},began,ended,tries",
        (
            (
                number,
                far.state,
                f"{len(stage.remove):,}",
                f"{len(stage.add):,}",
                f"{len({c.switch for c in (*stage.remove, *stage.add)}):,}",
                _interrupts(facts, note) or "nobody",
                moment(far.started, facts.zone),
                moment(far.ended, facts.zone),
                far.tries or "",
            )
            for number, stage, far, note in _each_stage(facts)
        ),
    )


def checks(facts: TicketFacts) -> Table:
    """How each stage is known to be right, and how it is taken back."""
    rows = (
        (number, note.get("check", ""), note.get("undo", ""))
        for number, _stage, _far, note in _each_stage(facts)
    )
    return table(CHECKS, "stage,checked,undone", rows)


def records(facts: TicketFacts) -> Table:
    """What changes in the inventory beside circuits."""
    effects = (_effect(facts.called, effect) for effect in facts.plan.get("effects", ()))
    return table(RECORDS, "what", ([text] for text in effects))


def drained(facts: TicketFacts) -> Table:
    """Which slices have to be drained, or bear it, and who confirmed that they are or can."""
    shown = labels((d.name for d in facts.drains), facts.plan)
    rows = (
        (shown[d.name], d.by or "not confirmed yet", moment(d.at, facts.zone), d.note)
        for d in facts.drains
    )
    return table(DRAINS, f"{facts.called.slice},confirmed by,at,note", rows)


def bad(facts: TicketFacts) -> Table:
    """Circuits that were not as they should be, by stage."""
    rows = ((n, text) for n, far in enumerate(facts.stages, 1) for text in far.bad)
    return table(f"Bad {facts.called.circuits}", "stage,what", rows)


def worse(facts: TicketFacts) -> Table:
    """Circuits that are good, and were better before, by stage: for who is still near."""
    rows = ((n, text) for n, far in enumerate(facts.stages, 1) for text in far.worse)
    return table(WORSE, "stage,what", rows)


def history(facts: TicketFacts) -> Table:
    """Who did and said what."""
    rows = (
        (s.number, moment(s.at, facts.zone, seconds=True), s.who, s.what, s.said)
        for s in facts.history
    )
    return table(HISTORY, "no,at,who,what,comment", rows)


def circuits(facts: TicketFacts) -> Table:
    """Every circuit that is changed, and how it is changed back; in a network with its strands."""
    rows = steps_of((stage.remove, stage.add) for stage in facts.circuits)
    strands = [ends for note in facts.plan.get("notes", ()) for ends in note.get("strands", ())]
    words = facts.called
    columns = f"stage,do,switch,{words.a},{words.b},{words.owner},undo by"
    if not strands:
        return table(words.heading, columns, rows)
    both = (row + tuple(ends) for row, ends in zip(rows, strands, strict=True))
    return table(words.heading, f"{columns},a strand,b strand", both)


def decided_on(facts: TicketFacts) -> tuple[Table, ...]:
    """What an approver reads, beside the drawing: the parts in which there is something."""
    first = ((ABOUT, about(facts)), (CONCERNS, concerns(facts)))
    told = [Table(title, ("item", "value"), tuple(said.items())) for title, said in first]
    told += [made(facts) for made in (pairs, records, drained, stages, checks)]
    return tuple(one for one in told if one.rows)


def ticket_document(facts: TicketFacts) -> Document:
    """All of it, for every format; the drawing is the change port by port."""
    tables = (*decided_on(facts), *(made(facts) for made in (bad, worse, history, circuits)))
    return Document(
        kind="ticket",
        name=facts.name,
        title=f"Ticket {facts.heading}",
        lines=(
            f"{facts.state} · {facts.kind} · {facts.called.pod} {facts.pod} ({facts.design})",
            window(facts),
        ),
        tables=tables,
        drawing=drawn(facts).drawing,
    )


def drawn(facts: TicketFacts) -> Document:
    """The change port by port."""
    title = f"What {facts.name} changes" if facts.is_made else "What it would change"
    return change_drawing(facts.name, title, facts.circuits, facts.called)


def no_change(words: Called) -> str:
    """What is said instead of a drawing."""
    return f"No {words.circuit} is switched."


def window(facts: TicketFacts) -> str:
    """When it may run."""
    return between(*facts.window, facts.zone) or "no window yet"


def _joined(circuits: Any) -> str:
    """Circuits in a line."""
    return some(f"{one['a']} to {one['b']} on {one['switch']}" for one in circuits)


def _each_stage(
    facts: TicketFacts,
) -> Iterator[tuple[int, Stage, StageFacts, Mapping[str, Any]]]:
    notes = facts.plan.get("notes", ())
    for place, stage in enumerate(facts.circuits):
        far = facts.stages[place] if place < len(facts.stages) else StageFacts("Waiting")
        yield place + 1, stage, far, notes[place] if place < len(notes) else {}


def _interrupts(facts: TicketFacts, note: Mapping[str, Any]) -> str:
    lost = note.get("links") or note.get("interrupts", {})
    link = facts.called.link
    return some(f"{owner or 'nobody'} ({counted(many, link)})" for owner, many in lost.items())


def _with(text: str, why: str) -> str:
    return f"{text}: {why}" if text and why else text


def _by(facts: TicketFacts, who: str, at: datetime | None) -> str:
    return ", ".join(filter(None, (f"by {who}" * bool(who), moment(at, facts.zone))))


def _wrong(facts: TicketFacts) -> str:
    if not facts.on_failure:
        return ""
    if not facts.most_bad:
        article = "an" if facts.called.circuit[0] in "aeiou" else "a"
        return f"{facts.on_failure} as soon as {article} {facts.called.circuit} is bad"
    many = counted(facts.most_bad, facts.called.circuit)
    return f"{facts.on_failure} as soon as more than {many} are bad"


def _emergency(facts: TicketFacts) -> str:
    if facts.reviewed_by:
        return _with(f"reviewed {_by(facts, facts.reviewed_by, facts.reviewed_at)}", facts.review)
    return "approved by its author's own permission; somebody else still has to review it"


def _holds(facts: TicketFacts) -> str:
    held = ((facts.ports_held, "port"), (facts.cubes_held, facts.called.cube))
    return " and ".join(f"{many:,} {what}{'s' * (many != 1)}" for many, what in held if many)


def _capacity(capacity: Mapping[str, Any]) -> str:
    if not capacity:
        return ""
    shapes = capacity.get("shapes", ())
    largest = f"; largest shapes: {', '.join(shapes[:2])}" if shapes else ""
    free, healthy = capacity.get("free_cubes", 0), capacity.get("healthy_cubes", 0)
    bearing, bear = capacity.get("bearing_cubes", 0), capacity.get("bear", 0)
    more = f" ({bearing:,} if a slice bears {bear} switch{'es' * (bear != 1)})"
    cubes = f"{free:,} free of {healthy:,} healthy cubes"
    return f"{cubes}{more * (bearing > free)}{largest}"


def _effect(words: Called, effect: Mapping[str, Any]) -> str:  # noqa: PLR0911
    match effect.get("do"):
        case "make-slice":
            return f"the {words.slice} {_slice(words, effect['slice'])} is created"
        case "release-slice":
            return f"the {words.slice} {_slice(words, effect['slice'])} is released"
        case "move-slice":
            to = _place(words, effect["to"])
            return f"the {words.slice} {_slice(words, effect['from'])} moves to {to}"
        case "substitute":
            spare = f"{effect['spare']} takes the place of {effect['port']}"
            return f"on {effect['switch']} {spare}: {effect.get('reason') or 'no reason is given'}"
        case "accept-circuits":
            rows = (("wanted", effect["want"]), ("not wanted any more", effect["drop"]))
            return "; ".join(f"{become}: {_joined(of)}" for become, of in rows if of)
        case "set-slot-status":
            return f"{words.slot} {effect['slot']} becomes {effect['to']} (it is {effect['from']})"
        case "set-switch-status":
            return f"{effect['switch']} becomes {effect['to']} (it is {effect['from']})"
        case "set-port-status":
            ports = some(effect["ports"])
            many = "s" * (len(effect["ports"]) != 1)
            become = "become" if many else "becomes"
            return f"port{many} {ports} of {effect['switch']} {become} {effect['to']}"
        case "keep-rings":
            become = "are kept from now on" if effect["keeps"] else "are given up"
            return f"the rings of multislice {effect['name']} {become}"
    return str(effect.get("do", ""))


def _slice(words: Called, made: Mapping[str, Any]) -> str:
    twisted = " twisted" * bool(made.get("twisted"))
    return f"{made['name']} ({made['shape']}{twisted}, {_place(words, made)})"


def _place(words: Called, made: Mapping[str, Any]) -> str:
    if chips := made.get("chips"):
        return f"{counted(len(chips), words.chip)} of {words.slot} {chips[0][0]}"
    slots = [cube["slot"] for cube in made.get("cubes", ())]
    return f"{words.slot}{'s' * (len(slots) != 1)} {format_slots(sorted(slots))}"
