"""Netlists read and followed by hand: plain sets, and no code of the product."""

import csv
import io

HEADER = "ring,part,endpoint,sender,bit,waveguide,wavelength"


def run(cell):
    """`1..3 7` as 1, 2, 3, 7; d01..d32 and a0-01..a0-64 alike."""
    said = []
    for word in cell.split():
        first, to, last = word.partition("..")
        if not to:
            said.append(word)
            continue
        head = first.rstrip("0123456789")
        low, high = (int(name[len(head) :]) for name in (first, last))
        wide = len(first) - len(head) if head else 0
        step = 1 if high >= low else -1
        said += [f"{head}{number:0{wide}d}" for number in range(low, high + step, step)]
    return said


def parts(text, waveguides):
    """Every part of a netlist: ring, what it is, for whom; and where it stands.

    `d01..ck` runs over names that differ in more than their number: these are replaced first.
    """
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        for name, all_of_it in waveguides.items():
            row["waveguide"] = row["waveguide"].replace(name, all_of_it)
        cells = {key: run(cell) for key, cell in row.items() if key != "part"}
        for ring in cells["ring"]:
            if row["part"] == "loop":
                for guide in cells["waveguide"]:
                    found[ring, "loop", guide] = tuple(cells["endpoint"])
                continue
            for at, endpoint in enumerate(cells["endpoint"]):
                for of, sender in enumerate(cells["sender"] or [""]):
                    if row["part"] == "fifo":
                        found[ring, "fifo", endpoint, sender] = ()
                        continue
                    for number, bit in enumerate(cells["bit"]):
                        who = at if row["part"] == "modulator" else of
                        key = (ring, row["part"], endpoint, sender, bit)
                        assert key not in found
                        found[key] = cells["waveguide"][number], cells["wavelength"][who]
    return found


def written(found):
    """A netlist with a row for each part."""
    lines = [HEADER]
    for (ring, part, *key), held in found.items():
        if part == "loop":
            lines.append(f"{ring},loop,{' '.join(held)},,,{key[0]},")
        elif part == "fifo":
            lines.append(f"{ring},fifo,{key[0]},{key[1]},,,")
        else:
            lines.append(f"{ring},{part},{','.join(key)},{','.join(held)}")
    return "\n".join(lines) + "\n"


def hears(found, ring, sender, bit):
    """Who hears a bit of a sender, by the parts of a netlist."""
    sent = found.get((ring, "modulator", sender, "", bit))
    if sent is None:
        return set()
    alike = [key for key, held in found.items() if key[:2] == (ring, "modulator") and held == sent]
    loops = [found.get((ring, "loop", guide), ("",)) for guide in ("pw", sent[0])]
    if len(alike) > 1 or not all(loop[0] == loop[-1] and sender in loop for loop in loops):
        return set()
    return {
        key[2]
        for key, held in found.items()
        if (key[0], key[1], *key[3:]) == (ring, "filter", sender, bit) and held == sent
        if (ring, "fifo", key[2], sender) in found and key[2] in loops[1]
    }
