"""Making and releasing slices by hand: the page that asks, and what it answers."""

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.users.models import ObjectPermission

from fabric_twin.models import OpticalCircuit, Pod, Slice
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.pods.small_pod import make_pod

ADD = reverse("plugins:fabric_twin:slice_add")


class SlicePagesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=range(1, 9))
        cls.other = make_pod("v5", slots=range(1, 2))
        admin = get_user_model().objects.create_superuser("admin of slices")
        cls.made = make_slice(cls.pod, Wish(shape="4x4x8", name="train-1"), admin)[0]

    def allow(self, model: type, *actions: str, **constraints: str) -> None:
        permission = ObjectPermission.objects.create(
            name=f"{actions} {model.__name__}", actions=actions, constraints=constraints
        )
        permission.users.add(self.user)
        permission.object_types.add(ContentType.objects.get_for_model(model))

    def wish(self, **wish: str) -> str:
        response = self.client.post(ADD, {"pod": self.pod.pk, "shape": "4x4x4"} | wish, follow=True)
        return response.content.decode()

    def allow_slices_of_v4(self) -> None:
        self.allow(Pod, "view", name="v4")
        self.allow(Slice, "view", "add", "delete", pod__name="v4")

    def test_a_wish_becomes_a_slice_with_its_circuits(self) -> None:
        self.allow_slices_of_v4()
        page = self.wish(name="eval-1", slots="5-8")
        self.assertIn("Made the slice eval-1", page)
        made = Slice.objects.get(name="eval-1")
        self.assertEqual(made.to_core().slots, (5,))
        self.assertEqual(made.circuits.count(), 96)

    def test_a_box_of_a_static_pod_may_begin_anywhere(self) -> None:
        pod = make_pod("e5", design="tpu-v5e", slots=range(1, 17))
        self.allow(Pod, "view", name="e5")
        self.allow(Slice, "view", "add", pod__name="e5")
        wish = {"pod": str(pod.pk), "shape": "8x8", "slots": "2-3,6-7"}
        self.assertIn("Let it begin anywhere: it fits at slot 2.", self.wish(**wish))
        self.assertIn("Made the slice 8x8-1", self.wish(**wish, anywhere="on"))

    def test_a_wish_without_a_name_gets_one(self) -> None:
        self.allow_slices_of_v4()
        self.assertIn("Made the slice 4x4x4-1", self.wish())

    def test_a_wish_that_cannot_be_is_refused_in_words(self) -> None:
        self.allow_slices_of_v4()
        for wish, words in (
            ({"anywhere": "on"}, "so there are no places to choose from. Leave it out."),
            ({"shape": "32x32x32"}, "takes 512 cubes"),
            ({"shape": "5x5"}, "is not a shape"),
            ({"slots": "7-99"}, "slots"),
            ({"shape": "12x12x12"}, "cubes are free"),
            ({"name": "train-1"}, "there is a slice of this name"),
        ):
            with self.subTest(**wish):
                self.assertIn(words, self.wish(**wish))
        self.assertEqual(Slice.objects.count(), 1)

    def test_nobody_makes_a_slice_in_a_pod_that_is_hidden(self) -> None:
        self.allow_slices_of_v4()
        self.wish(pod=str(self.other.pk))
        self.assertEqual(Slice.objects.count(), 1)

    def test_nobody_makes_a_slice_without_permission(self) -> None:
        self.allow(Pod, "view", name="v4")
        self.allow(Slice, "view")
        self.assertHttpStatus(self.client.get(ADD), 403)
        self.assertHttpStatus(self.client.post(ADD, {"pod": self.pod.pk, "shape": "4x4x4"}), 403)
        self.assertEqual(Slice.objects.count(), 1)

    def test_to_release_is_asked_once_more_and_frees_the_cubes(self) -> None:
        self.allow_slices_of_v4()
        url = reverse("plugins:fabric_twin:slice_delete", args=[self.made.pk])
        self.assertIn("Release the slice", self.client.get(url).content.decode())
        self.assertTrue(Slice.objects.filter(pk=self.made.pk).exists())
        answer = self.client.post(url, {"confirm": True})
        told = [str(message) for message in get_messages(answer.wsgi_request)]
        self.assertEqual(told, ["Released train-1: slots 1-2, 192 circuits, 0 of them still seen."])
        self.assertRedirects(answer, reverse("plugins:fabric_twin:slice_list"))
        self.assertFalse(Slice.objects.exists() or OpticalCircuit.objects.exists())

    def test_nobody_releases_a_slice_without_permission(self) -> None:
        self.allow(Slice, "view")
        self.allow(Slice, "delete", pod__name="v5")
        url = reverse("plugins:fabric_twin:slice_delete", args=[self.made.pk])
        self.client.post(url, {"confirm": True})
        self.assertTrue(Slice.objects.filter(pk=self.made.pk).exists())

    def test_another_site_can_make_and_release_nothing(self) -> None:
        self.allow_slices_of_v4()
        stranger = Client(enforce_csrf_checks=True)
        stranger.force_login(self.user)
        url = reverse("plugins:fabric_twin:slice_delete", args=[self.made.pk])
        for page, wish in ((url, {"confirm": True}), (ADD, {"pod": self.pod.pk, "shape": "4x4x4"})):
            self.assertGreaterEqual(stranger.post(page, wish).status_code, 400)
        self.assertEqual(list(Slice.objects.all()), [self.made])
