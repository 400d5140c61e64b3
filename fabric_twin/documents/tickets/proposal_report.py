"""A proposal as text: the impact comes first, then what is done, and how it is undone."""

from typing import TextIO

from fabric_twin.core.proposals.effects import (
    Effect,
    MakeSlice,
    MoveSlice,
    ReleaseSlice,
    SetPortStatus,
    SetSlotStatus,
    SetSwitchStatus,
    Substitute,
)
from fabric_twin.core.proposals.proposal import HIGH, LOW, Proposal
from fabric_twin.core.slots import format_slots
from fabric_twin.documents.slices.plan_report import Style, some, write_stages
from fabric_twin.documents.tickets.bears import what_it_keeps

_COLOURS = {LOW: "green", HIGH: "red"}


def write_text(proposal: Proposal, out: TextIO, style: Style) -> None:
    """For a terminal."""
    blast = proposal.blast
    out.write(
        f"{style(proposal.title, bold=True)}, pod {proposal.names.pod} ({proposal.design}).\n"
    )
    colour = _COLOURS.get(proposal.risk.level, "yellow")
    risk = style(f"Risk {proposal.risk.level}", fg=colour, bold=True)
    out.write(f"{risk}: {proposal.risk.reason}.\n")
    out.write(f"Affected: {_concerned(proposal)}.\n")
    out.write(f"Left now: {blast.before}.\nLeft then: {blast.after}.\n")
    for bears in proposal.bears:
        made = bears.made
        out.write(f"\nBears it: {made.name} ({made.shape}){_dark(', ', bears.links)}.\n")
        out.write(f"   {what_it_keeps(bears.as_json())}.\n")
    for stranded in proposal.stranded:
        name = style(stranded.name, fg="red")
        out.write(f"\nCannot move: {name} ({stranded.shape}){_dark(', ', stranded.links)}.\n")
        out.write(f"   {stranded.why}\n")
    if proposal.effects:
        out.write("\n")
        steps = enumerate(map(said_of, proposal.effects), 1)
        out.writelines(f"{number:>3}  {said}\n" for number, said in steps)
    write_stages(proposal.plan, out, style)
    if not proposal.plan.stages and not proposal.effects:
        out.write("\nNothing to do before it is touched.\n" if proposal.possible else "")


def _concerned(proposal: Proposal) -> str:
    blast = proposal.blast
    if not blast.slices:
        return "no slice, " + _links(blast.links)
    return some(blast.slices) + _dark("; ", blast.links)


def _dark(after: str, many: int) -> str:
    """What is lost, where anything is."""
    return after + _links(many) if many else ""


def _links(many: int) -> str:
    return f"{many:,} link{'s' * (many != 1)} go{'es' * (many == 1)} dark" if many else "no link"


def said_of(effect: Effect) -> str:
    """What an effect does, in words."""
    match effect:
        case MakeSlice(made):
            said = f"make {made.name} ({made.shape}) in {_slots(made.slots)}"
        case ReleaseSlice(made):
            said = f"release {made.name} ({made.shape}) from {_slots(made.slots)}"
        case MoveSlice(before, after):
            said = f"move {before.name} ({before.shape}): {_change(before.slots, after.slots)}"
        case Substitute(switch, port, spare, reason):
            said = f"let port {spare} of {switch} take the place of port {port}: {reason}"
        case SetSlotStatus(slot, before, after):
            said = f"set slot {slot} from {before} to {after}"
        case SetSwitchStatus(switch, before, after):
            said = f"set {switch} from {before} to {after}"
        case SetPortStatus(switch, ports, before, after):
            many = f"{len(ports)} port{'s' * (len(ports) != 1)}"
            said = f"set {many} of {switch} from {before} to {after}"
    return said


def _change(before: tuple[int, ...], after: tuple[int, ...]) -> str:
    """Which slots give way to which; chips of one cube may stay in their slot."""
    pairs = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    if not pairs:
        return f"to other chips of slot {before[0]}"
    return some([f"slot {a} to slot {b}" for a, b in pairs])


def _slots(slots: tuple[int, ...]) -> str:
    return f"slot{'s' * (len(slots) != 1)} {format_slots(slots)}"
