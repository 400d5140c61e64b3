"""Photos: who may, and what the order is, come before a single one is unpacked."""

import base64
import io
from time import monotonic
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.apps.testing import APITestCase
from nautobot.users.models import ObjectPermission
from PIL import Image

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import MOST_PIXELS
from fabric_twin.models import Pod, StepPhoto, StepReport, WorkOrder
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall

ROOT = "/api/plugins/fabric-twin/work-orders/"
#: To unpack them takes some 20 s; to be refused, a moment.
AT_ONCE = 5.0


def picture(side: int = 7000, kind: str = "PNG", mode: str = "1", **more: Any) -> str:
    """A photo as a phone sends it: 6 kB that unpack to 49 million pixels."""
    written = io.BytesIO()
    Image.new(mode, (side, side)).save(written, kind, **more)
    return base64.b64encode(written.getvalue()).decode()


class PhotosTest(APITestCase):
    """A technician, or who only looks, and the order of another."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("admin of orders")
        load_pod("s", "small", hall(), slots=(1, 2))
        made = make_order(
            Pod.objects.get(name="s"), OrderWish(kind=Kind.INSTALL, slots=(3,)), cls.admin
        )
        assign_order(made, cls.admin, assignee=cls.admin)
        cls.order = start_order(made, cls.admin)
        cls.large = picture()

    def setUp(self) -> None:
        super().setUp()
        self.may("view", "do")

    def may(self, *actions: str) -> None:
        """Let the user do this to orders, and no more."""
        ObjectPermission.objects.filter(users=self.user).delete()
        leave = ObjectPermission.objects.create(name="orders", actions=actions)
        leave.users.add(self.user)
        leave.object_types.add(ContentType.objects.get_for_model(WorkOrder))

    def send(self, *photos: str, ids: str = "abcdefgh") -> tuple[int, Any]:
        """What is answered to reports with photos, at once."""
        said = [
            {"id": f"{ids} {n}", "step": 1, "told": "cannot", "reason": "dark", "photo": photo}
            for n, photo in enumerate(photos)
        ]
        begun = monotonic()
        path = f"{ROOT}{self.order.pk}/reports/"
        answer = self.client.post(path, {"reports": said}, format="json", **self.header)
        self.assertLess(monotonic() - begun, AT_ONCE)
        return answer.status_code, answer.json()

    def test_who_only_looks_is_refused_before_sixty_photos_are_unpacked(self) -> None:
        self.may("view")
        code, said = self.send(*[self.large] * 60)
        self.assertEqual((code, said["where"]), (403, f"work order {self.order}"))

    def test_an_order_that_is_over_unpacks_none_and_keeps_none(self) -> None:
        withdraw_order(self.order, self.admin, "the cube went elsewhere")
        code, said = self.send(*[self.large] * 60)
        self.assertEqual((code, {one["taken"] for one in said["answers"]}), (200, {False}))
        self.assertFalse(StepPhoto.objects.exists())

    def test_too_many_pixels_are_refused_by_their_headers_in_words(self) -> None:
        code, said = self.send(*[self.large] * 60)
        self.assertEqual(code, 400)
        self.assertEqual(
            said,
            {
                "what": f"its photos have {60 * 49_000_000:,} pixels, "
                f"at most {MOST_PIXELS:,} are unpacked at once",
                "where": "photo",
                "remedy": "Make them smaller, or send fewer at once",
            },
        )
        self.assertFalse(StepReport.objects.exists())
        self.assertEqual(self.send(picture(7100))[0], 400)

    def test_a_photo_of_a_report_that_came_before_is_not_unpacked_again(self) -> None:
        self.assertEqual(self.send(picture(300))[0], 200)
        code, said = self.send(picture(7900))  # too large, were it looked at
        self.assertEqual((code, [one["again"] for one in said["answers"]]), (200, [True]))
        kept = StepPhoto.objects.get()
        self.assertEqual(Image.open(io.BytesIO(bytes(kept.image))).size, (300, 300))

    def test_where_and_by_whom_it_was_taken_is_not_kept(self) -> None:
        exif = Image.Exif()
        exif[0x010F] = "Phone of Ann"
        exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 1.0, 2.0)})
        told = {"exif": exif, "comment": b"Ann", "xmp": b"<x>Ann</x>", "icc_profile": b"Ann" * 9}
        self.assertEqual(self.send(picture(300, "JPEG", "RGB", **told))[0], 200)
        kept = bytes(StepPhoto.objects.get().image)
        self.assertNotIn(b"Ann", kept)
        self.assertEqual(
            Image.open(io.BytesIO(kept)).info,
            {"jfif": 257, "jfif_version": (1, 1), "jfif_unit": 0, "jfif_density": (1, 1)},
        )
