"""Work orders over REST: done step by step, each report once, and nobody else's business."""

import base64
import io
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.test import override_settings
from nautobot.apps.testing import APITestCase
from nautobot.users.models import ObjectPermission, Token
from PIL import Image

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import Pod, StepPhoto, StepReport, WorkOrder
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall

ROOT = "/api/plugins/fabric-twin/work-orders/"


class OrderApiTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("admin of orders")
        for name in ("s", "other"):
            load_pod(name, "small", hall(), slots=(1, 2))
        cls.pod = Pod.objects.get(name="s")

    def allow(self, model: Any, *actions: str, **constraints: Any) -> None:
        """Let the user do this to records of a kind: to all, or to some."""
        leave = ObjectPermission.objects.create(
            name=f"{actions} {model.__name__}", actions=actions, constraints=constraints or None
        )
        leave.users.add(self.user)
        leave.object_types.add(ContentType.objects.get_for_model(model))

    def let_in(self) -> None:
        """A technician of the pod."""
        self.allow(Pod, "view", name="s")
        self.allow(WorkOrder, "view", "do", pod__name="s")

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        response = self.client.post(ROOT + path, body or {}, format="json", **self.header)
        self.assertHttpStatus(response, status)
        return response.json()

    def under_way(self) -> WorkOrder:
        """An order that brings cube 3, in the user's hands."""
        self.let_in()
        made = make_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(3,)), self.admin)
        self.post(f"{made.pk}/assign/", {"assignee": self.user.username})
        self.assertEqual(self.post(f"{made.pk}/start/")["state"]["value"], "under way")
        made.refresh_from_db()
        return made

    def test_a_wish_becomes_an_order_that_names_every_step(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        made = self.post("", {"pod": "s", "kind": "install", "slots": "3"}, 201)
        self.post(f"{made['id']}/assign/", {"assignee": self.user.username})
        self.post(f"{made['id']}/start/")
        order = WorkOrder.objects.get(pk=made["id"])
        self.assertEqual((order.name, order.title), ("s-w1", "Install cube 3 of s"))
        response = self.client.get(f"{ROOT}{order.pk}/facts/", **self.header)
        self.assertEqual(len(response.json()["steps"]), order.steps.count())
        ahead = self.client.get(f"{ROOT}{order.pk}/ahead/", **self.header).json()
        self.assertEqual(
            {key: ahead[key] for key in ("name", "state", "done", "crew", "crews")},
            {"name": "s-w1", "state": "under way", "done": 0, "crew": 1, "crews": 1},
        )
        self.assertEqual([step["number"] for step in ahead["steps"][:3]], [1, 2, 3])
        self.assertEqual(self.post(f"{order.pk}/next/?crew=1")["next"], 1)

    def test_moves_are_named_as_remedies_name_them(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        move = {"cable": "s-c001:1.1.1/X-", "end": "b", "to": ["s-ocs-x-1-1", "4B"]}
        wish = {"pod": "s", "kind": "move"}
        made = self.post("", wish | {"moves": [move]}, 201)
        self.assertEqual(made["title"], "Move 1 plug of s")
        for odd in ({**move, "end": "c"}, {**move, "to": ["s-ocs-x-1-1", "999B"]}, {"cable": 7}):
            refused = self.post("", wish | {"moves": [odd]}, 400)
            self.assertEqual(refused["where"], "moves")

    def test_a_cube_that_an_order_holds_is_not_deleted(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        order = self.under_way()
        cube = order.reservations.get(cube__isnull=False).cube
        held = {
            "/api/plugins/fabric-twin/cubes/": cube.pk,
            "/api/dcim/devices/": order.steps.filter(device__isnull=False).first().device_id,
        }
        for root, key in held.items():
            with self.subTest(root):
                refused = self.client.delete(f"{root}{key}/", **self.header)
                self.assertHttpStatus(refused, 409)
                self.assertIn("Unable to delete", str(refused.json()))
        self.assertIn(
            str(order),
            str(
                self.client.delete(
                    f"/api/plugins/fabric-twin/cubes/{cube.pk}/", **self.header
                ).json()
            ),
        )

    def test_a_report_that_is_sent_twice_is_one(self) -> None:
        order = self.under_way()
        said = {"id": "first", "step": 1, "told": "done", "at": 1.5}
        answers = [
            self.post(f"{order.pk}/reports/", {"reports": [said]})["answers"] for _ in range(2)
        ]
        expected = {"id": "first", "step": 1, "taken": True, "state": "done", "why": ""}
        self.assertEqual(answers, [[expected | {"again": again}] for again in (False, True)])
        self.assertEqual(StepReport.objects.filter(order=order).count(), 1)

    def test_a_report_that_somebody_else_sends_again_is_the_same(self) -> None:
        order = self.under_way()
        said = {"id": "relayed", "step": 1, "told": "done", "at": 1.5}
        self.post(f"{order.pk}/reports/", {"reports": [said]})
        relay = get_user_model().objects.create_superuser("relay with another token")
        self.header["HTTP_AUTHORIZATION"] = f"Token {Token.objects.create(user=relay).key}"
        again = self.post(f"{order.pk}/reports/", {"reports": [said]})["answers"]
        self.assertEqual([(one["taken"], one["again"]) for one in again], [(True, True)])
        self.assertEqual(StepReport.objects.get(order=order).by, self.user)
        # Another one is not: what it says is not what was said.
        other = self.post(f"{order.pk}/reports/", {"reports": [said | {"told": "undone"}]})
        self.assertIn("is that of another report", other["answers"][0]["why"])

    def test_what_is_no_moment_in_seconds_is_refused(self) -> None:
        order = self.under_way()
        for at in ("1.7e12", "NaN", "Infinity", "-Infinity", "-1e18"):
            body = f'{{"reports": [{{"id": "m", "step": 1, "told": "done", "at": {at}}}]}}'
            response = self.client.post(
                f"{ROOT}{order.pk}/reports/", body, content_type="application/json", **self.header
            )
            self.assertHttpStatus(response, 400)
            path = f"{ROOT}{order.pk}/steps/1/done/"
            said = {"id": "m", "at": at}
            self.assertHttpStatus(self.client.post(path, said, format="json", **self.header), 400)
        self.assertFalse(StepReport.objects.filter(order=order).exists())

    def test_a_wrong_label_is_refused_with_what_is_meant(self) -> None:
        order = self.under_way()
        scan = order.steps.filter(do=Do.SCAN).order_by("number").first()
        before = order.steps.filter(number__lt=scan.number).values_list("number", flat=True)
        reports = [{"id": f"d{n}", "step": n, "told": "done", "at": float(n)} for n in before]
        self.post(f"{order.pk}/reports/", {"reports": reports})
        path = f"{order.pk}/steps/{scan.number}/done/"
        refused = self.post(path, {"id": "wrong", "scanned": "s-c001:9.9.9/X+"}, 409)
        self.assertFalse(refused["taken"])
        self.assertIn(f"{scan.cable} is meant for", refused["why"])
        self.assertTrue(self.post(path, {"id": "right", "scanned": scan.cable})["taken"])

    def test_an_order_is_withdrawn_with_a_word_and_says_what_helps_who_comes_late(self) -> None:
        order = self.under_way()
        self.post(f"{order.pk}/withdraw/", status=403)
        self.allow(WorkOrder, "change", pod__name="s")
        self.assertEqual(
            self.post(f"{order.pk}/withdraw/", status=400)["what"], "no reason is given"
        )
        self.post(f"{order.pk}/withdraw/", {"said": "The cube went elsewhere"})
        late = self.post(f"{order.pk}/steps/1/done/", {"id": "late"}, 409)
        self.assertIn("the order is withdrawn. Tell the person who withdrew it", late["why"])

    def test_what_cannot_be_done_bears_a_reason_and_a_picture_made_small(self) -> None:
        order = self.under_way()
        drawn = io.BytesIO()
        Image.new("RGB", (3000, 2000), "orange").save(drawn, "PNG")
        photo = "data:image/png;base64," + base64.b64encode(drawn.getvalue()).decode()
        path = f"{order.pk}/steps/1/cannot/"
        self.assertEqual(
            self.post(path, {"id": "x", "photo": photo}, 400)["what"],
            "it does not say why the step cannot be done",
        )
        self.post(path, {"id": "x", "reason": "The door is locked", "photo": photo})
        kept = StepPhoto.objects.get(report__order=order)
        self.assertEqual(Image.open(io.BytesIO(bytes(kept.image))).size, (1600, 1067))
        shown = self.client.get(f"{ROOT}{order.pk}/photos/{kept.report_id}/", **self.header)
        self.assertEqual((shown.status_code, shown["Content-Type"]), (200, "image/jpeg"))

    def test_what_is_no_picture_is_refused_and_nothing_is_kept(self) -> None:
        order = self.under_way()
        for photo in ("nonsense!", base64.b64encode(b"<script>").decode()):
            body = {"id": "y", "reason": "It is dark", "photo": photo}
            self.post(f"{order.pk}/steps/1/cannot/", body, 400)
        self.assertFalse(StepReport.objects.filter(order=order).exists())

    def test_more_than_the_installation_reads_is_refused_in_words(self) -> None:
        order = self.under_way()
        said = [{"id": str(n), "step": 1, "told": "cannot", "reason": "x" * 900} for n in range(9)]
        with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=5_000):
            refused = self.post(f"{order.pk}/reports/", {"reports": said}, 413)
            self.post(f"{order.pk}/reports/", {"reports": said[:1]})
        self.assertEqual(
            refused,
            {
                "what": "the request has more than 5,000 bytes, and no more are read",
                "where": "request",
                "remedy": "Send less at once, or a smaller photo; "
                "Nautobot's DATA_UPLOAD_MAX_MEMORY_SIZE says how much is read",
            },
        )

    def test_a_photo_of_more_bytes_than_are_ever_read_is_refused_in_words(self) -> None:
        order = self.under_way()
        said = {"id": "x", "reason": "It is dark", "photo": "A" * 16_000_200}
        refused = self.post(f"{order.pk}/steps/1/cannot/", said, 400)
        self.assertEqual(list(refused), ["photo"])

    def test_who_may_see_one_pod_finds_no_order_of_another(self) -> None:
        self.let_in()
        other = Pod.objects.get(name="other")
        order = make_order(other, OrderWish(kind=Kind.INSTALL, slots=(3,)), self.admin)
        response = self.client.get(ROOT, **self.header)
        self.assertEqual(response.json()["results"], [])
        for path in ("start/", "next/", "reports/", "steps/1/done/"):
            self.post(f"{order.pk}/{path}", {"id": "z", "reports": []}, 404)
        self.allow(WorkOrder, "add")
        self.post("", {"pod": "other", "kind": "install", "slots": "3"}, 400)

    def test_who_only_looks_does_nothing(self) -> None:
        order = make_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(3,)), self.admin)
        self.allow(Pod, "view", name="s")
        self.allow(WorkOrder, "view", pod__name="s")
        for path, body in (
            ("assign/", {"assignee": self.user.username}),
            ("start/", {}),
            ("records/", {}),
            ("tickets/", {}),
            ("check/", {}),
            ("steps/1/done/", {"id": "z"}),
            ("reports/", {"reports": [{"id": "z", "step": 1, "told": "done"}]}),
        ):
            self.post(f"{order.pk}/{path}", body, 403)
        order.refresh_from_db()
        self.assertEqual(order.state, "drafted")
