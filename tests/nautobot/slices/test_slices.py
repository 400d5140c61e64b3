"""Slices made and released on the records: whole or not at all, and never over another's."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Note

from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible
from fabric_twin.core.slices.letters import LETTERS
from fabric_twin.core.slices.slice import slice_circuits
from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice, SlicePart, Switch
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from tests.nautobot.bases.pods.small_pod import make_pod, status_of


class SliceCase(TestCase):
    """A pod with cubes in slots 1 to 8, and somebody who may do everything."""

    design = "tpu-v4"
    cubes = 8

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", design=cls.design, slots=range(1, cls.cubes + 1))
        cls.admin = get_user_model().objects.create_superuser("admin of slices")

    def make(self, shape: str = "4x4x8", **wish: Any) -> Slice:
        return make_slice(self.pod, Wish(shape=shape, **wish), self.admin)[0]

    def release(self, made: Slice) -> Any:
        return release_slice(made, self.admin)

    def slots(self, made: Slice) -> list[int]:
        return list(made.parts.order_by("place").values_list("cube__slot", flat=True))

    def assertRefused(self, words: str, **wish: Any) -> FabricTwinError:
        """The wish is refused with these words, and nothing is left of it."""
        before = self.everything()
        with self.assertRaises(FabricTwinError) as refused, transaction.atomic():
            self.make(**wish)
        self.assertEqual(str(refused.exception), words)
        self.assertEqual(self.everything(), before)
        return refused.exception

    def everything(self) -> list[Any]:
        """All that a slice is made of."""
        return [
            list(model.objects.order_by("pk").values())
            for model in (Slice, SlicePart, OpticalCircuit)
        ]


class LetterTest(SliceCase):
    def letters(self) -> dict[str, str]:
        return dict(Slice.objects.filter(pod=self.pod).values_list("name", "letter"))

    def test_a_slice_keeps_its_letter_whoever_comes_and_goes(self) -> None:
        for name in ("c", "b", "a"):
            self.make("4x4x4", name=name)
        self.assertEqual(self.letters(), {"c": "C", "b": "D", "a": "E"})
        self.release(Slice.objects.get(name="b"))
        self.make("4x4x4", name="0")
        self.assertEqual(self.letters(), {"c": "C", "a": "E", "0": "F"})

    def test_a_letter_rests_until_the_others_had_their_turn(self) -> None:
        for _ in LETTERS[1:]:
            self.release(self.make("4x4x4", name="x"))
        for name in ("w", "c", "d"):
            self.make("4x4x4", name=name)
        self.assertEqual(self.letters(), {"w": "W", "c": "C", "d": "D"})

    def test_nobody_changes_it_and_no_two_slices_have_one(self) -> None:
        made = self.make("4x4x4", name="a")
        made.name = "z"
        made.validated_save()
        self.assertEqual(self.letters(), {"z": "C"})
        with self.assertRaises(IntegrityError), transaction.atomic():
            Slice.objects.create(
                pod=self.pod, name="b", shape="4x4x4", status=made.status, letter="C"
            )


class MakingTest(SliceCase):
    def test_a_slice_is_its_parts_and_the_circuits_of_its_torus(self) -> None:
        made = self.make("4x4x8", name="train")
        core = made.to_core()
        self.assertEqual((core.name, str(core.shape), core.slots), ("train", "4x4x8", (1, 2)))
        wanted = OpticalCircuit.objects.filter(slice=made, wanted=True, seen=False)
        rows = set(wanted.values_list("switch__number", "a", "b"))
        circuits = slice_circuits(self.pod.to_core(), core)
        expected = zip(
            circuits.switch.tolist(), circuits.a.tolist(), circuits.b.tolist(), strict=True
        )
        self.assertEqual(rows, set(expected))
        self.assertEqual(len(rows), 2 * 96)

    def test_a_dry_run_says_the_same_and_changes_nothing(self) -> None:
        before = self.everything()
        _, planned = make_slice(self.pod, Wish(shape="4x4x8"), self.admin, keep=False)
        self.assertEqual(self.everything(), before)
        self.assertEqual(planned.made, self.make("4x4x8").to_core())

    def test_a_name_is_made_of_the_shape_where_none_is_given(self) -> None:
        names = [self.make("4x4x4").name for _ in range(2)]
        self.assertEqual(names, ["4x4x4-1", "4x4x4-2"])

    def test_only_active_cubes_are_taken(self) -> None:
        for slot, status in enumerate(("Planned", "Installing", "Draining", "Out"), 1):
            Cube.objects.filter(slot=slot).update(status=status_of(Cube, status))
        self.assertEqual(self.slots(self.make("4x4x16")), [5, 6, 7, 8])
        self.assertRefused(
            "slice: 4x4x4 takes 1 cube, and 0 of 4 cubes are free (4 in use). "
            "Nothing fits now: release a slice, or repair a cube.",
            shape="4x4x4",
        )

    def test_slots_say_which_cubes_may_be_used(self) -> None:
        self.assertEqual(sorted(self.slots(self.make("4x4x8", slots=(7, 3)))), [3, 7])
        self.assertRefused(
            "slice: 4x4x4 takes 1 cube, and 0 of 1 cubes are free (1 in use). "
            "Nothing fits now: release a slice, or repair a cube.",
            shape="4x4x4",
            slots=(7,),
        )

    def test_a_pod_that_is_not_active_takes_no_slices(self) -> None:
        self.pod.status = status_of(Pod, "Draining")
        self.pod.save()
        self.assertRefused(
            "pod: pod v4 is draining and takes no slices. Set its status to Active first.",
            shape="4x4x4",
        )

    def test_a_switch_that_is_out_joins_no_cubes_but_parts_of_one_need_none(self) -> None:
        Switch.objects.filter(number=0).update(status=status_of(Switch, "Out"))
        self.assertRefused(
            "slice: 4x4x4 takes 1 cube, and 0 of 8 cubes are free (8 with an unhealthy port); "
            "if it bears 1 switch: 8. The largest shape under a cube that fits now: 2x4x4.",
            shape="4x4x4",
        )
        self.assertEqual(self.slots(self.make("2x2x2")), [1])

    def test_a_switch_without_a_record_is_named(self) -> None:
        Switch.objects.filter(number=0).delete()
        self.assertRefused(
            "slice: the pod has no record of the switch v4-ocs-x-1-1. "
            "Bind the switch with the job Adopt pod first.",
            shape="4x4x4",
        )

    def test_parts_share_a_cube_until_it_is_full(self) -> None:
        halves = [self.make("2x4x4") for _ in range(2)]
        self.assertEqual([self.slots(half) for half in halves], [[1], [1]])
        self.assertEqual(halves[0].circuits.count(), 0)
        chips = [tuple(chip) for half in halves for chip in half.parts.get().chips]
        self.assertEqual(len(set(chips)), 64)
        self.assertEqual(self.slots(self.make("4x4x4")), [2])

    def test_a_shape_or_a_name_that_cannot_be_is_refused_in_the_words_of_the_command_line(
        self,
    ) -> None:
        self.assertRefused(
            "shape: '4by4' is not a shape. Write 3 sides in chips, such as 8x8x8.", shape="4by4"
        )
        self.make("4x4x4", name="train")
        self.assertRefused(
            "slice train: there is a slice of this name. Give it another name.",
            shape="4x4x4",
            name="train",
        )

    def test_cubes_that_are_joined_already_are_taken_together(self) -> None:
        first, second = self.make("4x4x8", slots=(2, 5)), self.make("4x4x4", slots=(1,))
        first.circuits.update(seen=True)
        for made in (first, second):
            self.release(made)
        again = self.make("4x4x8")
        self.assertEqual(sorted(self.slots(again)), [2, 5])
        self.assertEqual(again.circuits.filter(seen=True).count(), 192)
        self.assertEqual(OpticalCircuit.objects.count(), 192)

    def test_cubes_of_circuits_made_by_hand_are_left_alone(self) -> None:
        OpticalCircuit.objects.create(switch=self.pod.switches.first(), a=1, b=67)
        self.assertEqual(self.slots(self.make("4x4x4")), [2])

    def test_somebody_who_may_not_makes_nothing(self) -> None:
        for permissions, words in (
            ([], "pod: there is no such pod, or you may not see it"),
            (["fabric_twin.view_pod"], " may not add slices"),
        ):
            self.add_permissions(*permissions)
            before = self.everything()
            user = get_user_model().objects.get(pk=self.user.pk)  # permissions are remembered
            with self.assertRaises(NotPermitted) as refused:
                make_slice(self.pod, Wish(shape="4x4x4"), user)
            self.assertIn(words, str(refused.exception))
            self.assertEqual(self.everything(), before)

    def test_the_number_of_queries_does_not_grow_with_the_slice(self) -> None:
        self.make("4x4x4")  # what Nautobot remembers is remembered
        counts = []
        for shape in ("4x4x4", "4x4x16"):
            with CaptureQueriesContext(connection) as queries:
                self.make(shape)
            counts.append(len(queries))
        self.assertEqual(*counts)


class StaticTest(SliceCase):
    design = "tpu-v2-static"
    cubes = 16

    def test_a_plant_without_switches_has_slices_without_circuits(self) -> None:
        made = self.make("16x16")
        self.assertEqual((made.parts.count(), made.circuits.count()), (16, 0))

    def test_a_box_begins_at_multiples_of_its_sides_unless_it_may_begin_anywhere(self) -> None:
        wish = {"shape": "8x8", "slots": (2, 3, 6, 7)}
        self.assertRefused(
            "slice: 8x8 takes 4 cubes, and 4 of 4 cubes are free, but this plant is static, and no "
            "box of 2x2 cubes is free at multiples of its sides. Let it begin anywhere: it fits at "
            "slot 2.",
            **wish,
        )
        self.assertEqual(self.slots(self.make(**wish, anywhere=True)), [2, 6, 3, 7])


class ReleasingTest(SliceCase):
    def test_everything_goes_but_what_the_switches_still_show(self) -> None:
        made, other = self.make("4x4x8", name="train"), self.make("4x4x4")
        left = made.circuits.order_by("pk").first()
        made.circuits.filter(pk=left.pk).update(seen=True)
        released = self.release(made)
        self.assertEqual(str(released), "train: slots 1-2, 192 circuits, 1 of them still seen")
        left.refresh_from_db()
        self.assertEqual((left.wanted, left.seen, left.slice), (False, True, None))
        self.assertEqual(OpticalCircuit.objects.count(), 1 + other.circuits.count())
        self.assertEqual(list(Slice.objects.all()), [other])
        self.assertEqual(self.slots(self.make("4x4x8")), [1, 2])

    def test_a_dry_run_says_the_same_and_releases_nothing(self) -> None:
        made = self.make()
        before = self.everything()
        planned = release_slice(made, self.admin, keep=False)
        self.assertEqual(self.everything(), before)
        self.assertEqual(planned, self.release(made))

    def test_a_slice_that_is_gone_is_released_in_peace(self) -> None:
        made = self.make()
        copy = Slice.objects.get(pk=made.pk)
        self.release(made)
        before = self.everything()
        self.assertIsNone(self.release(copy))
        self.assertEqual(self.everything(), before)

    def test_what_hangs_on_a_circuit_goes_with_it(self) -> None:
        circuit = self.make().circuits.first()
        Note.objects.create(assigned_object=circuit, note="dusty", user=self.admin)
        circuit.tags.create(name="looked at")
        self.release(circuit.slice)
        self.assertFalse(Note.objects.exists())

    def test_somebody_who_may_not_releases_nothing(self) -> None:
        made = self.make()
        self.add_permissions("fabric_twin.view_slice", "fabric_twin.view_pod")
        before = self.everything()
        with self.assertRaises(NotPermitted):
            release_slice(made, self.user)
        self.assertEqual(self.everything(), before)

    def test_a_slice_that_holds_circuits_is_not_deleted_past_its_release(self) -> None:
        made = self.make()
        with self.assertRaises(IntegrityError):
            made.delete()

    def test_the_number_of_queries_does_not_grow_with_the_slice(self) -> None:
        self.release(self.make("4x4x4"))  # what Nautobot remembers is remembered
        counts = []
        for shape in ("4x4x4", "4x4x16"):
            made = self.make(shape)
            with CaptureQueriesContext(connection) as queries:
                self.release(made)
            counts.append(len(queries))
        self.assertEqual(*counts)


class ConstraintTest(SliceCase):
    """What the database itself holds, whoever writes and however."""

    def assertHeld(self, rows: list[Any]) -> None:
        with self.assertRaises(IntegrityError), transaction.atomic():
            type(rows[0]).objects.bulk_create(rows)

    def circuit(self, a: int, b: int, **facts: Any) -> OpticalCircuit:
        return OpticalCircuit(switch=self.pod.switches.first(), a=a, b=b, **facts)

    def part(self, made: Slice, slot: int, **facts: Any) -> SlicePart:
        return SlicePart(slice=made, cube=self.pod.cubes.get(slot=slot), place=9, **facts)

    def test_a_port_is_in_one_wanted_circuit_at_most(self) -> None:
        self.circuit(1, 2).save()
        self.assertHeld([self.circuit(1, 3)])
        self.assertHeld([self.circuit(3, 2)])

    def test_a_port_is_in_one_seen_circuit_at_most(self) -> None:
        self.circuit(1, 2, wanted=False, seen=True).save()
        self.circuit(1, 3).save()
        self.assertHeld([self.circuit(1, 4, wanted=False, seen=True)])
        self.assertHeld([self.circuit(5, 2, wanted=False, seen=True)])

    def test_a_circuit_is_wanted_or_seen(self) -> None:
        self.assertHeld([self.circuit(1, 2, wanted=False)])

    def test_a_slice_wants_its_circuits(self) -> None:
        made = self.make()
        self.assertHeld([self.circuit(60, 61, wanted=False, seen=True, slice=made)])

    def test_a_slot_has_one_cube(self) -> None:
        cube = self.pod.cubes.get(slot=1)
        other = make_pod("other", slots=[9]).cubes.get()
        self.assertHeld([Cube(pod=self.pod, slot=1, rack=other.rack, status=cube.status)])

    def test_a_whole_cube_is_in_one_slice(self) -> None:
        self.make("4x4x4", slots=(1,))
        self.assertHeld([self.part(self.make("4x4x4", slots=(2,)), 1)])

    def test_a_part_and_a_whole_never_share_a_cube(self) -> None:
        whole, part = self.make("4x4x4", slots=(1,)), self.make("2x2x2", slots=(2,))
        self.assertHeld([self.part(part, 1, chips=[[1, 1, 1]])])
        self.assertHeld([self.part(whole, 2)])

    def test_a_chip_is_in_one_slice_even_when_both_come_in_one_statement(self) -> None:
        one, two = self.make("4x4x4", slots=(1,)), self.make("4x4x4", slots=(2,))
        chips = {"chips": [[1, 1, 2], [1, 2, 1]]}
        self.assertHeld([self.part(one, 3, **chips), self.part(two, 3, **chips)])
        self.part(one, 3, **chips).save()
        self.part(two, 3, chips=[[2, 1, 1]]).save()
        with self.assertRaises(IntegrityError), transaction.atomic():
            two.parts.filter(cube__slot=3).update(chips=[[2, 1, 1], [1, 1, 2]])

    def test_what_the_database_refuses_is_said_in_our_words(self) -> None:
        made = self.make("4x4x4", slots=(1,), name="train")
        taken = made.circuits.first()
        # As if somebody wrote past the lock of the pod.
        SlicePart.objects.all().delete()
        with self.assertRaises(NotPossible) as refused, transaction.atomic():
            self.make("4x4x4", slots=(1,), name="other")
        self.assertEqual(
            str(refused.exception),
            "slice other: a circuit was made meanwhile. Try again.",
        )
        self.assertTrue(OpticalCircuit.objects.filter(pk=taken.pk, slice=made).exists())
