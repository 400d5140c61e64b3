"""What passes, worse than before: found once nothing else is wrong with a path, and named.

its mirrors     the switch measures that it loses more
a module        it sends less than it did, and who hears it makes more errors
a connector     the rest: light is lost or disturbed besides
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from fabric_twin.core.audit.places import on_panels, some
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.diagnosis.case import Case
from fabric_twin.core.diagnosis.kept_readings import weakest_lane
from fabric_twin.core.diagnosis.last_good import GoodLight
from fabric_twin.core.diagnosis.light.levels import sharing, strand_at, suspects_of
from fabric_twin.core.diagnosis.light.relative import Compared
from fabric_twin.core.diagnosis.paths import Paths
from fabric_twin.core.diagnosis.pictures import Mask
from fabric_twin.core.diagnosis.steps import Clean, Reseat
from fabric_twin.core.findings.proof import Look, Proof

CODE = "worse-than-before"


def worse_than_before(case: Case, paths: Paths) -> GoodLight:
    """Find paths that pass, worse than before; and return the light of those that are good."""
    beside = ComparedPaths(case, paths, paths.asked)
    by_row: dict[int, list[int]] = {}
    for at in np.flatnonzero(beside.compared.worse).tolist():
        row = int(beside.rows[at])
        if beside.is_mirror[at]:
            _mirrors(case, paths, beside, at)
        elif (faded := beside.faded(at)) is not None:
            _module(case, paths, beside, at, faded)
        else:
            by_row[row] = beside.suspects(at)
    for members in sharing(by_row):
        _connectors(case, paths, beside, members, by_row)
    paths.settle(beside.rows[beside.compared.worse])
    return beside.compared.now.take(~beside.compared.worse)


class ComparedPaths:
    """Paths that light passes both ways, beside what is remembered of them."""

    def __init__(self, case: Case, paths: Paths, chosen: Mask) -> None:
        self._case, self._paths = case, paths
        heard = case.heard
        both = (paths.near >= 0) & (paths.far >= 0)
        near, far = np.where(both, paths.near, 0), np.where(both, paths.far, 0)
        both &= (heard[near] == far) & (heard[far] == near) & np.isfinite(paths.loss)
        #: The rows of `paths` that are compared.
        self.rows = np.flatnonzero(chosen & both)
        now, good = self._now(), case.pictures.baseline.light
        self.compared = Compared(
            now,
            good,
            case.limits,
            switch=case.switch_of(now.a),
            good_switch=case.switch_of(good.a),
            fibre=case.fibre_loss,
        )

    def _now(self) -> GoodLight:
        case, paths, at = self._case, self._paths, self.rows
        near, far = paths.near[at], paths.far[at]
        ports = np.stack([near, far], axis=1) // case.strands
        serials = np.array([*case.cubes.serial], np.str_)
        sent = weakest_lane(case.cubes.sent)
        return GoodLight(
            *(near, far, paths.a[at], paths.b[at], paths.loss[at], paths.live[at]),
            ber=case.cubes.ber[ports],
            sent=np.stack([sent[near], sent[far]], axis=1),
            back=case.cubes.reflection[ports],
            modules=serials[ports] if len(serials) else np.full(ports.shape, "", "U1"),
            at=np.full(len(at), case.pictures.now),
        )

    @cached_property
    def is_mirror(self) -> Mask:
        """By compared path: what it loses more, its switch measures itself."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.compared.switch_rise > self._case.limits.worse_loss)

    def faded(self, at: int) -> int | None:
        """The strand whose module sends less than it did, where that is all that is worse."""
        ends = np.flatnonzero(self.compared.faded[at])
        if self.compared.lossy[at] or not len(ends):
            return None
        return int((self._paths.near, self._paths.far)[int(ends[0])][self.rows[at]])

    def suspects(self, at: int) -> list[int]:
        """Ports of whose connectors one is dirty: where more comes back than before, if it does."""
        row, rise = int(self.rows[at]), float(self.compared.rise[at])
        switch = float(self._paths.live[row])
        switch = switch if np.isfinite(switch) else self._case.limits.switch_typical
        one, other = self.compared.back[at].tolist()
        more = rise if np.isfinite(rise) else 0.0
        return suspects_of(self._case, self._paths, row, more, switch, (one, other))

    def is_as_before(self, strand: int) -> bool:
        """Whether a cable was compared, and nothing is worse; what is new has no before."""
        compared, cable = self.compared, strand // self._case.strands
        ends = (compared.now.near, compared.now.far)
        here = [column // self._case.strands == cable for column in ends]
        mine = here[0] | here[1]
        remembered = np.logical_or.reduce(
            [at & (compared.last(end) >= 0) for end, at in enumerate(here)]
        )
        well = np.where(remembered, compared.as_before, ~compared.worse)
        return bool(mine.any() and well[mine].all())

    def aims_as_before(self, rows: Mask) -> bool:
        """Whether a switch measures that mirrors lose no more than on a good day."""
        limits, paths = self._case.limits, self._paths
        with np.errstate(invalid="ignore"):
            rise = paths.live - paths.good
            rise[self.rows] = np.fmax(rise[self.rows], self.compared.switch_rise)
            well = paths.heard & (rise <= limits.worse_loss)
        return bool(rows.any() and well[rows].all())

    def why(self, at: int) -> str:
        """What is worse about a path, in words."""
        return "; ".join(self._reasons(at))

    def _reasons(self, at: int) -> Iterator[str]:
        compared, row = self.compared, self.rows[at]
        then = "with other cables"
        if compared.known[at]:
            moment = datetime.fromtimestamp(float(compared.same.at[at]), UTC)
            then = f"on {moment:%Y-%m-%d %H:%M} UTC"
        if compared.lossy[at]:
            what = "the switch loses" if self.is_mirror[at] else "its path loses"
            yield f"{what} {compared.rise[at]:.1f} dB more than {then}"
        for end in np.flatnonzero(compared.noisy[at]).tolist():
            strand = int((self._paths.near, self._paths.far)[end][row])
            port = " ".join(self._case.plug(strand))
            ratio, times = compared.now.ber[at, end], compared.times[at, end]
            yield f"{port} corrects {ratio:.1e} of its bits, {times:,.0f} times as many as {then}"

    def numbers(self, at: int) -> dict[str, object]:
        """What was measured, then and now."""
        compared = self.compared
        told = {
            "path_db": compared.now.loss[at],
            "switch_db": compared.now.switch[at],
            "more_db": compared.rise[at],
        }
        numbers: dict[str, object] = {
            what: round(float(db), 2) if np.isfinite(db) else None for what, db in told.items()
        }
        numbers["ber"] = [_ratio(level) for level in compared.now.ber[at]]
        numbers["ber_before"] = [_ratio(level) for level in compared.ber_before[at]]
        return numbers


def _ratio(level: float) -> float | None:
    return float(f"{level:.1e}") if np.isfinite(level) else None


def _mirrors(case: Case, paths: Paths, beside: ComparedPaths, at: int) -> None:
    row = int(beside.rows[at])
    a, b = case.mirror(int(paths.a[row])), case.mirror(int(paths.b[row]))
    case.found(
        CODE,
        f"{a[0]} {a[1]} {b[1]}",
        f"Light passes {a[0]} between {a[1]} and {b[1]}, worse than before: {beside.why(at)}. The "
        "mirror of one of the two ports has moved",
        [],
        hits=paths.ports([row]),
        places=[a, b],
        evidence=beside.numbers(at),
        proof=[Proof(Look.AIM_BEFORE, *port) for port in (a, b)],
    )


def _module(case: Case, paths: Paths, beside: ComparedPaths, at: int, strand: int) -> None:
    row = int(beside.rows[at])
    device, port = case.plug(strand)
    case.found(
        CODE,
        f"{device} {port}",
        f"{device} port {port} sends less than before, and light passes worse: {beside.why(at)}",
        [Reseat(device, port)],
        hits=paths.ports([row]),
        places=[(device, port)],
        evidence=beside.numbers(at),
        proof=[Proof(Look.SENT_BEFORE, device, port)],
    )


def _connectors(
    case: Case,
    paths: Paths,
    beside: ComparedPaths,
    members: list[int],
    by_row: dict[int, list[int]],
) -> None:
    """One finding for the paths that share a connector."""
    suspects = set.intersection(*(set(by_row[row]) for row in members))
    places = sorted(suspects or {place for row in members for place in by_row[row]})
    at = int(np.searchsorted(beside.rows, members[0]))
    ends = np.concatenate([paths.near[members], paths.far[members]])
    plugs = [case.plug(port) for port in places]
    cables = sorted({case.cable(strand_at(case, port)) for port in places})
    which = "The connector at" if len(plugs) == 1 else "A connector at one of"
    # Where nothing more comes back, light that is lost may be lost by a mirror as well.
    unmeasured = not np.isfinite(paths.live[members[0]]) and len(plugs) > 2
    or_mirror = ", or a mirror of its switch, which does not measure, has moved"
    remedy: list[Step] = [Clean(*plug) for plug in plugs]
    case.found(
        CODE,
        " ".join(sorted({case.cable(strand) for strand in ends.tolist()})),
        f"Light passes {some(cables)}, worse than before: {beside.why(at)}. {which} "
        f"{on_panels(plugs)} may be dirty{or_mirror * unmeasured}",
        remedy,
        hits=paths.ports(members),
        places=plugs,
        cables=cables,
        evidence=beside.numbers(at),
        proof=case.cables_seen(Look.AS_BEFORE, places),
    )
