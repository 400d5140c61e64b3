"""What was sent to the switches of a cluster, as text."""

from typing import TextIO

from fabric_twin.core.counted import counted
from fabric_twin.core.rings.sending import Sending
from fabric_twin.documents.groups.rings_report import write_entries

#: Shown to a person; programs get all.
ROWS_IN_TEXT = 20


def write_sending(sending: Sending, out: TextIO) -> None:
    """What goes and comes, and what of it is not done."""
    state, name = sending.state, sending.state.names.device
    out.write(f"Cluster {state.names.pod} ({state.wiring.design.name}): ")
    out.write(f"{counted(sending.asked, 'switch')} asked, ")
    out.write(f"{counted(sending.there, 'entry')} there, {sending.wanted:,} expected.\n")
    if sending.unasked:
        out.write(f"Not asked, without an address: {counted(sending.unasked, 'switch')}.\n")
    if not sending.changes:
        out.write("Nothing to send: the switches show what the rings need.\n")
        return
    removed = len(sending.remove) + len(sending.odd)
    out.write(f"Entries: remove {removed:,}, add {len(sending.add):,}.\n")
    for sign, title, rows in (("-", "remove", sending.remove), ("+", "add", sending.add)):
        if rows:
            out.write(f"\n{title}: {counted(len(rows), 'entry')}\n")
            write_entries(state, rows, sign, out)
    if sending.odd:
        out.write(f"\nremove: {counted(len(sending.odd), 'row')} of ours changed by somebody\n")
        _write_rows([f"- {name(switch)}  {row}" for switch, row in sending.odd], out)
    if sending.dry_run:
        out.write("\nNothing was sent.\n")
    elif not sending.not_done:
        out.write("\nDone, and read back: the switches show what the rings need.\n")
    else:
        many = counted(len(sending.not_done), "change")
        out.write(f"\nNot done: {many}. Correct the cause and send again.\n")
        _write_rows(
            [
                f"{one.act} {one.what} {'from' if one.act == 'remove' else 'on'} "
                f"{name(one.switch)}: {one.why}"
                for one in sending.not_done
            ],
            out,
        )


def _write_rows(rows: list[str], out: TextIO) -> None:
    out.writelines(f"  {row}\n" for row in rows[:ROWS_IN_TEXT])
    if (more := len(rows) - ROWS_IN_TEXT) > 0:
        out.write(f"  and {more:,} more: --json has them all\n")
