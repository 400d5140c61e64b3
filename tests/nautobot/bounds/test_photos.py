"""Photos: who may, and what the order is, come before a single one is unpacked."""

import base64
import contextlib
import io
import os
import random
import warnings
from time import monotonic
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from nautobot.apps.testing import APITestCase
from nautobot.users.models import ObjectPermission
from PIL import Image

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.progress import TAKES
from fabric_twin.core.orders.reports import MOST_PIXELS, Report, Told
from fabric_twin.models import Pod, StepPhoto, StepReport, WorkOrder
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.photos import photos_of
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.small import hall
from tests.session import SEED

ROOT = "/api/plugins/fabric-twin/work-orders/"
#: To unpack them takes some 20 s; to be refused, a moment.
AT_ONCE = 5.0
#: Photos with broken EXIF, and the bytes of it that are broken.
BROKEN, EXIF = 2_000, 160


def picture(side: int = 7000, kind: str = "PNG", mode: str = "1", **more: Any) -> str:
    """A photo as a phone sends it: 6 kB that unpack to 49 million pixels."""
    written = io.BytesIO()
    Image.new(mode, (side, side)).save(written, kind, **more)
    return base64.b64encode(written.getvalue()).decode()


def half_white(orientation: int) -> bytes:
    """A photo, left half white, with all that a phone says of it."""
    made, exif, written = Image.new("RGB", (60, 40)), Image.Exif(), io.BytesIO()
    made.paste((255, 255, 255), (0, 0, 30, 40))
    exif[0x0112], exif[0x010F], exif[0x011A] = orientation, "Phone", 72.0
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 1.0, 2.0)})
    made.save(written, "JPEG", exif=exif)
    return written.getvalue()


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

    def test_an_order_that_takes_reports_keeps_their_photos_whatever_it_waits_for(self) -> None:
        for state in TAKES:
            with self.subTest(state), transaction.atomic():
                update_state(WorkOrder.objects.filter(pk=self.order.pk), state)
                code, said = self.send(picture(30))
                self.assertEqual((code, said["answers"][0]["taken"]), (200, True), said)
                self.assertTrue(StepPhoto.objects.exists())
                transaction.set_rollback(True)

    def test_an_order_started_meanwhile_takes_none_without_its_photo(self) -> None:
        """Its state is read once more when it is held: the phone sends again."""
        read = WorkOrder.objects.get(pk=self.order.pk)
        read.state = OrderIs.ASSIGNED
        said = Report(id="abcdefgh 0", step=1, told=Told.CANNOT, reason="dark")
        photos = {said.id: base64.b64decode(picture(30))}
        with self.assertRaisesMessage(NotPossible, "its photos were not read. Send them again"):
            take_reports(read, self.admin, [said], photos)
        self.assertFalse(StepReport.objects.exists())
        [answer] = take_reports(self.order, self.admin, [said], photos)
        self.assertTrue(answer.taken and StepPhoto.objects.exists())

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

    def test_a_photo_is_set_upright_as_its_exif_says(self) -> None:
        """Its left half is white; where the phone was turned, that is another one."""
        for orientation, white in ((1, "left"), (3, "right"), (6, "top"), (8, "bottom")):
            with self.subTest(orientation):
                kept = photos_of({"a": half_white(orientation)})["a"]
                shown = Image.open(io.BytesIO(kept)).convert("L")
                width, height = shown.size
                corners = {(5, 5): "left top", (width - 5, height - 5): "right bottom"}
                corners |= {(width - 5, 5): "right top", (5, height - 5): "left bottom"}
                light = [name for at, name in corners.items() if shown.getpixel(at) > 200]
                self.assertEqual([white in name for name in light], [True, True])

    def test_a_photo_with_broken_exif_is_kept_or_refused(self) -> None:
        drawn = random.Random(os.environ[SEED])
        whole = half_white(6)
        begin = whole.index(b"Exif")
        for _ in range(BROKEN):
            data = bytearray(whole)
            for _ in range(drawn.choice((1, 1, 2, 3, 6))):
                data[begin + drawn.randrange(EXIF)] = drawn.choice((*range(13), 255))
            with contextlib.suppress(UnusableInput), warnings.catch_warnings(action="ignore"):
                photos_of({"a": bytes(data)})

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
