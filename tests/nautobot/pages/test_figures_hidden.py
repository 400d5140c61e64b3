"""A figure that a user may not know is told as hidden or left out, and never as 0."""

import html
import re
from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.models import (
    Cube,
    Finding,
    OpticalCircuit,
    Pod,
    Port,
    Slice,
    SlicePart,
    Switch,
    Ticket,
)
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.panels.clusters.jobs import entries_of, tell_job
from fabric_twin.panels.cube import tell_use as tell_cube
from fabric_twin.panels.pod import tell_size
from fabric_twin.panels.slice import tell_size as tell_slice
from fabric_twin.panels.switch import tell_use as tell_switch
from tests.nautobot.bases.cluster_jobs import ClusterJobsTestCase
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin, allow, somebody

#: What a user may see at all.
KINDS = (Cube, Finding, OpticalCircuit, Pod, Port, Slice, SlicePart, Switch, Ticket)
WELL = "Nothing needs attention."
AS_SEEN = "Nothing that you may see needs attention."


def words(facts: Mapping[str, Any], *names: str) -> dict[str, str]:
    """What facts say without their links; of some names alone."""
    kept = names or tuple(facts)
    return {name: html.unescape(re.sub("<[^>]+>", "", str(facts[name]))) for name in kept}


def guest(*kinds: Any) -> Any:
    """Somebody who sees these kinds, and pods."""
    user = somebody(f"guest {'of ' * bool(kinds)}{' '.join(kind.__name__ for kind in kinds)}")
    allow(user, ["view"], Pod, *kinds)
    return user


class FiguresOfClustersTest(ClusterJobsTestCase):
    """Of the twelve groups of `g` all stand, and of its three jobs one is planned."""

    def test_who_sees_all_is_told_all(self) -> None:
        told = {
            "Groups": "12 of 12",
            "Processors": "60 of 60",
            "Switches": "4 of 4",
            "Cables": "30 of 30",
            "Jobs": "3",
            "Open tickets": "1",
            "Free groups": "6",
        }
        for user in (admin(), guest(*KINDS)):
            self.assertEqual(words(tell_size(self.pod, user)), told)

    def test_who_sees_none_is_told_so(self) -> None:
        told = dict.fromkeys(("Groups", "Processors", "Switches", "Cables", "Jobs"), "(hidden)")
        facts = tell_size(self.pod, guest())
        self.assertEqual(words(facts), told | {"Free groups": "(hidden)"})
        self.assertNotIn("<a", "".join(map(str, facts.values())))

    def test_who_sees_some_is_told_that_others_are_hidden(self) -> None:
        user = guest(Switch)
        allow(user, ["view"], Cube, slot__lte=3)
        allow(user, ["view"], Slice, name="tiny")
        allow(user, ["view"], Port, cube__slot=1)
        allow(user, ["view"], Ticket, number=99)
        self.assertEqual(
            words(tell_size(self.pod, user)),
            {
                "Groups": "3 of 12, others are hidden",
                "Processors": "15 of 60, others are hidden",
                "Switches": "4 of 4",
                "Cables": "2 of 30, others are hidden",
                "Jobs": "1, others are hidden",
                "Open tickets": "(hidden)",
                "Free groups": "(hidden)",
            },
        )

    def test_pages_of_parts_tell_no_cables_and_entries_that_are_hidden(self) -> None:
        user, cube, switch = guest(), Cube.objects.get(slot=1), Switch.objects.get(number=0)
        cabled = "Ports with a cable"
        entries = ("Flow entries wanted", "Flow entries seen")
        self.assertEqual(words(tell_cube(cube, user), cabled), {cabled: "(hidden)"})
        shown = (cabled, *entries, "Wanted and seen differ")
        hidden = dict.fromkeys(shown, "(hidden)")
        self.assertEqual(words(tell_switch(switch, user), *shown), hidden)
        told = words(tell_job(self.job, user), *entries)
        self.assertEqual(told, dict.fromkeys(entries, "(hidden)"))

    def test_entries_that_are_hidden_are_counted_apart(self) -> None:
        user, switch = guest(Slice), Switch.objects.get(number=0)
        allow(user, ["view"], OpticalCircuit, a=2)
        rows = [[re.sub("<[^>]+>", "", cell) for cell in row] for row in self.rows(switch, user)]
        self.assertEqual(
            rows,
            [
                ["2", "3", "job-a", "yes", "yes"],
                ["1 entry that you may not see", "", "", "", ""],
            ],
        )
        entries = "Flow entries wanted"
        told = "1, others are hidden"
        self.assertEqual(words(tell_switch(switch, user), entries), {entries: told})
        told = "1 on 1 switch, others are hidden"
        self.assertEqual(words(tell_job(self.job, user), entries), {entries: told})

    def rows(self, switch: Switch, user: Any) -> Any:
        return entries_of(switch, user).rows

    def test_all_is_well_is_for_who_sees_all(self) -> None:
        self.ticket.delete()
        Slice.objects.exclude(status__name="Active").delete()
        for user, said in ((admin(), WELL), (guest(*KINDS), WELL), (guest(), AS_SEEN)):
            self.client.force_login(user)
            page = self.client.get(self.pod.get_absolute_url()).content.decode()
            self.assertIn(said, page)
            self.assertEqual(WELL in page, said == WELL)

    def test_a_shift_says_nothing_of_tickets_and_orders_that_nobody_may_see(self) -> None:
        for user, shown in ((admin(), True), (guest(Finding), False)):
            self.client.force_login(user)
            page = self.client.get(reverse("plugins:fabric_twin:shift")).content.decode()
            for told in ("What waits for whom: tickets", "work order is open", "no work order a"):
                self.assertEqual(told in page, shown)


class FiguresOfPodsTest(TestCase):
    """A pod with two cubes, one of which is in a slice."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("iw1", "tpu-v4", hall(), slots=range(1, 3))
        cls.pod = Pod.objects.get()
        make_slice(cls.pod, Wish(shape="4x4x4", name="job"), admin())
        cls.made = Slice.objects.get()

    def test_the_page_of_a_pod(self) -> None:
        figures = ("Cubes", "Chips", "Switches", "Cables", "Slices")
        shown = {
            "Cubes": "2 of 64 slots",
            "Chips": "128 of 4,096",
            "Switches": "48 of 48",
            "Cables": "192 of 6,144",
            "Slices": "1",
        }
        self.assertEqual(words(tell_size(self.pod, guest(*KINDS)), *figures), shown)
        hidden = dict.fromkeys(figures, "(hidden)")
        self.assertEqual(words(tell_size(self.pod, guest()), *figures), hidden)

    def test_the_pages_of_a_slice_a_cube_and_a_switch(self) -> None:
        user, seeing = guest(), guest(*KINDS)
        circuits, cabled = ("Circuits wanted", "Circuits seen"), "Ports with a cable"
        self.assertEqual(
            words(tell_slice(self.made, seeing), *circuits),
            dict(zip(circuits, ("96 on 48 switches", "0"), strict=True)),
        )
        self.assertEqual(
            words(tell_slice(self.made, user), *circuits), dict.fromkeys(circuits, "(hidden)")
        )
        for tell, record, all_seen in (
            (tell_cube, Cube.objects.get(slot=1), "96 of 96"),
            (tell_switch, Switch.objects.get(number=0), "4 of 136"),
        ):
            self.assertEqual(words(tell(record, seeing), cabled), {cabled: all_seen})
            self.assertEqual(words(tell(record, user), cabled), {cabled: "(hidden)"})

    def columns(self, model: str, user: Any, at: int = 0, **asked: str) -> dict[str, str]:
        """The counts of one row of a list, by column."""
        self.client.force_login(user)
        answer = self.client.get(
            reverse(f"plugins:fabric_twin:{model}_list"), asked, headers={"HX-Request": "true"}
        )
        self.assertHttpStatus(answer, 200)
        table = answer.context["table"]
        table.before_render(answer.wsgi_request)
        row = list(table.rows)[at]
        shown = {column.name for column in table.columns.iterall() if column.visible}
        counts = {c.name for c in table.columns.iterall() if c.name.endswith("_count")} & shown
        return words({name: row.get_cell(name) for name in sorted(counts)})

    def test_a_list_leaves_out_what_a_user_may_not_know(self) -> None:
        seeing = guest(*KINDS)
        rows = {
            "pod": (Pod, {"cube_count": "2", "slice_count": "1", "switch_count": "48"}),
            "cube": (Cube, {"finding_count": "0", "slice_count": "1"}),
            "switch": (Switch, {"circuit_count": "2", "finding_count": "0"}),
            "slice": (Slice, {"circuit_count": "96", "cube_count": "1", "finding_count": "0"}),
        }
        for model, (kind, counts) in rows.items():
            self.assertEqual(self.columns(model, seeing), counts)
            user = guest(kind)
            self.assertEqual(self.columns(model, user), {})
            # Nor is it an error to sort by one of them.
            self.assertEqual(self.columns(model, user, sort=next(iter(counts))), {})

    def test_a_list_tells_where_all_of_a_row_is_hidden(self) -> None:
        user = guest(Switch)
        allow(user, ["view"], Cube)
        allow(user, ["view"], Slice, name="another")
        counts = {"cube_count": "2", "slice_count": "(hidden)", "switch_count": "48"}
        self.assertEqual(self.columns("pod", user), counts)
        self.assertEqual(self.columns("pod", user, sort="-slice_count"), counts)
        allow(user, ["view"], SlicePart, slice__name="another")
        self.assertEqual(self.columns("cube", user), {"slice_count": "(hidden)"})
        self.assertEqual(self.columns("cube", user, at=1), {"slice_count": "0"})

    def test_findings_that_are_hidden_are_not_counted_as_none(self) -> None:
        user = guest(Slice)
        allow(user, ["view"], Finding, code="another")
        now = self.made.created
        found = Finding.objects.create(
            pod=self.pod, key="one", code="dark", severity="error", cause="dark",
            first_seen=now, opened=now, last_seen=now,
        )  # fmt: skip
        self.assertEqual(self.columns("slice", user), {"finding_count": "0"})
        found.slices.add(self.made)
        self.assertEqual(self.columns("slice", user), {"finding_count": "(hidden)"})

    def test_the_home_page_has_no_figure_of_what_nobody_may_see(self) -> None:
        for user, shown in ((guest(Cube), True), (guest(), False)):
            self.client.force_login(user)
            page = self.client.get(reverse("home")).content.decode()
            self.assertEqual(reverse("plugins:fabric_twin:cube_list") + '">Cubes' in page, shown)
            self.assertNotIn('">Blocks', page)
            self.assertNotIn('">Slices', page)
