"""Only the recorded device is believed and told anything: attacks, first contact, replacement."""

from typing import Any

from django.core.exceptions import ValidationError
from django.test import override_settings
from django.urls import reverse
from nautobot.dcim.models import Device
from nautobot.extras.models import ObjectChange, Status
from nautobot.users.models import ObjectPermission, Token, User
from rest_framework.test import APIClient

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.identity import Answering, ConfirmedBy, Told
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Cube, Finding, OpticalCircuit, Pod, Reading, Switch
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.audits.who_answers import answering_at, confirm, told_by
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.correct_records import correct_records
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.pods.sync import sync_pod
from fabric_twin.panels.who_answers import tell_who_answers
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.users import allow

ROOT = "/api/plugins/fabric-twin/"
FIRST, SECOND = "iw-ocs-x-1-1", "iw-ocs-x-1-2"


class WhoAnswersTest(FabricTestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        sync_pod(Pod.objects.get(name="iw"))

    def setUp(self) -> None:
        super().setUp()
        self.switch = self.of(FIRST)
        self.admin = User.objects.create_superuser("admin of answers")

    def of(self, name: str) -> Switch:
        return Switch.objects.select_related("device").get(device__name=name)

    def audit(self) -> list[tuple[str, str]]:
        """What is found, by code and device."""
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        there = Finding.objects.filter(pod=self.pod).exclude(state="mended")
        return sorted((one.code, one.key and one.cause) for one in there)

    def record(self, serial: str) -> None:
        Device.objects.filter(pk=self.switch.device_id).update(serial=serial)

    def may(self, name: str, *actions: str, pod: str = "podb") -> APIClient:
        """A user who may do this with the switches and cubes of one pod."""
        user = User.objects.create_user(name)
        for model in (Switch, Cube, Pod):
            on = {"name": pod} if model is Pod else {"pod__name": pod}
            given = ObjectPermission.objects.create(
                name=f"{model.__name__} of {name}", constraints=on, actions=["view", *actions]
            )
            given.users.add(user)
            given.object_types.add(_type(model))
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {Token.objects.create(user=user).key}")
        return client

    def another_pod(self) -> Switch:
        load_pod("podb", self.design, self.pod.location, slots=[1])
        return self.of("podb-ocs-x-1-1")

    # Attacks

    def test_who_may_change_a_switch_may_not_give_it_an_address(self) -> None:
        theirs, client = self.another_pod(), self.may("popb", "change")
        url = f"{ROOT}switches/{theirs.pk}/"
        wish = {"address": self.said["gnmi"], "target": "iw-ocs-x-2-2"}
        said = client.patch(url, wish, format="json")
        self.assertEqual(said.status_code, 400, said.content)
        self.assertIn("popb may not connect 1 of 1 switches", str(said.json()["address"]))
        self.assertEqual(client.patch(url, {"tags": []}, format="json").status_code, 200)
        theirs.refresh_from_db()
        self.assertEqual(theirs.address, "")

    def test_nor_its_serial_nor_another_device(self) -> None:
        client = self.may("popd", "change", pod="iw")
        user = User.objects.get(username="popd")
        allow(user, ["view", "change"], Device)
        spare = Device.objects.filter(fabric_switch=None).first()
        for url, wish in (
            (f"/api/dcim/devices/{self.switch.device_id}/", {"serial": "MINE"}),
            (f"{ROOT}switches/{self.switch.pk}/", {"device": spare.pk}),
        ):
            said = client.patch(url, wish, format="json")
            self.assertEqual(said.status_code, 400, said.content)
            self.assertIn("popd may not connect 1 of 1 switches", said.content.decode())

    def test_two_switches_never_have_one_serial(self) -> None:
        theirs = self.another_pod()
        device = theirs.device
        device.serial = f" {self.of(FIRST).device.serial.lower()}"
        with self.assertRaisesMessage(ValidationError, f"It is the serial of {FIRST} of pod iw."):
            device.validated_save()

    def test_nor_by_another_device_that_was_no_switch_before(self) -> None:
        client = self.may("popg", "change", "connect")
        theirs = self.another_pod()
        user = User.objects.get(username="popg")
        allow(user, ["view", "change"], Device)
        serial = self.of(FIRST).device.serial
        spare = Device.objects.filter(fabric_switch=None).first()
        Device.objects.filter(pk=spare.pk).update(serial=f"{serial.lower()} ")
        wish = {"device": str(spare.pk)}
        said = client.patch(f"{ROOT}switches/{theirs.pk}/", wish, format="json")
        self.assertEqual(
            (said.status_code, said.json()),
            (400, {"device": ["It has the serial of the device of another switch."]}),
        )
        # Its own device: the name of what this user may not see is not told.
        url = f"/api/dcim/devices/{theirs.device_id}/"
        said = client.patch(url, {"serial": serial}, format="json")
        self.assertEqual(said.json(), {"serial": ["It is the serial of another switch."]})

    def test_two_that_have_one_serial_are_both_left_alone(self) -> None:
        """It was written without being saved as records are: by SQL, or before this was checked."""
        theirs = self.another_pod()
        serial = self.of(FIRST).device.serial
        Device.objects.filter(pk=theirs.device_id).update(serial=serial.lower())
        self.assertEqual(self.audit(), [])
        Switch.objects.filter(pk=theirs.pk).update(address="127.0.0.1:7")
        [(code, cause)] = self.audit()
        self.assertEqual(code, "refused")
        self.assertIn(f"its serial {serial} is recorded for another switch too", cause)
        [why] = sync_pod(theirs.pod).silent.values()
        self.assertIn("is recorded for another switch too", why)

    def test_a_new_record_gets_no_address(self) -> None:
        theirs, client = self.another_pod(), self.may("pope", "add", "connect", pod="podb")
        device = theirs.device_id
        status = theirs.status_id
        theirs.delete()
        allow(User.objects.get(username="pope"), ["view"], Device, Status)
        wish = {"pod": str(Pod.objects.get(name="podb").pk), "number": 0, "device": str(device)}
        wish |= {"status": str(status), "address": "127.0.0.1:77"}
        said = client.post(f"{ROOT}switches/", wish, format="json")
        self.assertIn("a new record gets no address", said.content.decode())

    def test_a_device_that_calls_itself_as_another_record_does_is_not_confirmed(self) -> None:
        theirs, client = self.another_pod(), self.may("popf", "change", "connect")
        Device.objects.filter(name=SECOND).update(serial="")
        port = self.said["gnmi"].rpartition(":")[2]
        for host in ("127.1", "2130706433", "0x7f.1"):
            wish = {"address": f"{host}:{port}", "target": SECOND}
            said = client.patch(f"{ROOT}switches/{theirs.pk}/", wish, format="json")
            self.assertIn("is not an address that is written in full", said.content.decode())
        wish = {"address": f"localhost:{port}", "target": SECOND}
        self.assertEqual(
            client.patch(f"{ROOT}switches/{theirs.pk}/", wish, format="json").status_code, 200
        )
        sync_pod(theirs.pod)
        shown = client.get(f"{ROOT}switches/{theirs.pk}/who-answers/").json()["told"]
        self.assertEqual(shown["name"], SECOND)
        no = client.post(
            f"{ROOT}switches/{theirs.pk}/confirm/", {**shown, "why": "x"}, format="json"
        )
        self.assertIn(f"it has the same name as {SECOND} of pod iw", no.content.decode())

    def test_nothing_is_confirmed_that_did_not_answer_there(self) -> None:
        theirs = self.another_pod()
        Switch.objects.filter(pk=theirs.pk).update(address="127.0.0.1:3")
        with self.assertRaisesMessage(NotPossible, "nobody has asked who answers there"):
            confirm(theirs, self.admin, Told(), "x")
        with self.assertRaisesMessage(NotPossible, "it is known already"):
            confirm(self.switch, self.admin, Told(), "x")
        self.record("OLD-1")
        self.audit()
        switch = self.of(FIRST)
        switch.address = "127.0.0.1:2"
        switch.validated_save()
        with self.assertRaisesMessage(NotPossible, "nobody has asked who answers there"):
            confirm(switch, self.admin, told_by(switch), "x")

    def test_nobody_gets_the_address_and_target_of_another(self) -> None:
        theirs, client = self.another_pod(), self.may("popc", "change", "connect")
        for target, whose in ((SECOND, SECOND), ("iw-c001", "iw cube 1")):
            host, _, port = self.said["gnmi"].rpartition(":")
            wish = {"address": f"[::ffff:{host}]:{port}", "target": target}
            said = client.patch(f"{ROOT}switches/{theirs.pk}/", wish, format="json")
            self.assertEqual(said.status_code, 400, said.content)
            self.assertIn(f"is {whose} of pod iw already", str(said.json()["address"]))

    def test_a_record_that_leads_to_another_pods_switch_learns_and_does_nothing(self) -> None:
        theirs = self.another_pod()
        Switch.objects.filter(device__name=SECOND).update(address="")
        Switch.objects.filter(pk=theirs.pk).update(address=self.said["gnmi"], target=SECOND)
        self.set_circuits({("1A", "2B")}, SECOND)
        found = sync_pod(theirs.pod)
        [why] = found.silent.values()
        self.assertIn("nobody has confirmed who answers at its address", why)
        self.assertFalse(OpticalCircuit.objects.filter(switch=theirs).exists())
        self.assertEqual(Device.objects.get(pk=theirs.device_id).serial, "")
        # Nor where its load named it.
        Switch.objects.filter(pk=theirs.pk).update(confirmed_by="load", called="podb-ocs-x-1-1")
        [why] = sync_pod(theirs.pod).silent.values()
        self.assertIn("another device answers at its address", why)
        reading = Reading.objects.get(switch=theirs)
        self.assertEqual((reading.told_name, reading.answered), (SECOND, None))

    def test_what_lies_in_no_named_network_is_not_spoken_to(self) -> None:
        with override_settings(PLUGINS_CONFIG={"fabric_twin": {"networks": ["10.7.0.0/16"]}}):
            [(code, cause)] = self.audit()
        self.assertEqual(code, "refused")
        self.assertIn("All 51 devices answer alike: its address 127.0.0.1 (127.0.0.1)", cause)
        self.assertIn("lies in no network that may be contacted (10.7.0.0/16)", cause)
        self.assertEqual(self.audit(), [])

    # A switch that was replaced

    def test_another_serial_is_found_and_left_alone_until_it_is_confirmed(self) -> None:
        told = self.of(FIRST).device.serial
        self.assertTrue(told)
        self.record("OLD-1")
        before = Reading.objects.get(switch=self.switch).answered
        [(code, cause)] = self.audit()
        self.assertEqual(
            (code, cause),
            (
                "wrong-serial",
                f"{FIRST} is {told}, and OLD-1 is recorded: it is left alone until somebody "
                "confirms it",
            ),
        )
        self.assertEqual(Reading.objects.get(switch=self.switch).answered, before)
        self.assertEqual(answering_at(self.of(FIRST)), Answering.ANOTHER)
        self.assertEqual(told_by(self.switch), Told(FIRST, told))
        done = confirm(self.switch, self.admin, Told(FIRST, told), "RMA 4711, label read")
        self.assertEqual(done.confirmed_by, ConfirmedBy.PERSON)
        self.assertEqual(self.of(FIRST).device.serial, told)
        told_now = tell_who_answers(self.of(FIRST), self.admin)
        self.assertEqual(told_now["At its address"], "Not asked since it was confirmed")
        self.assertEqual(self.audit(), [])
        told_now = tell_who_answers(self.of(FIRST), self.admin)
        self.assertEqual(told_now["At its address"], "The recorded device")

    def test_it_is_confirmed_over_rest_with_what_was_shown_by_who_may(self) -> None:
        told = self.of(FIRST).device.serial
        self.record("OLD-1")
        self.audit()
        url = f"{ROOT}switches/{self.switch.pk}/"
        reader = self.may("reader", "change", pod="iw")
        shown = reader.get(f"{url}who-answers/").json()
        self.assertEqual(
            shown,
            {
                "answering": "another",
                "told": {"name": FIRST, "serial": told},
                "recorded": {"name": FIRST, "serial": "OLD-1"},
                "confirmed_by": "load",
            },
        )
        wish = {**shown["told"], "why": "RMA 4711"}
        no = reader.post(f"{url}confirm/", wish, format="json")
        self.assertEqual(no.status_code, 403, no.content)
        lead = self.may("lead", "connect", pod="iw")
        late = lead.post(f"{url}confirm/", {**wish, "serial": "SN-X"}, format="json")
        self.assertEqual(
            (late.status_code, late.json()["what"][:29]), (409, "another device answers now (s")
        )
        yes = lead.post(f"{url}confirm/", wish, format="json")
        self.assertEqual((yes.status_code, yes.json()["confirmed_by"]), (200, "person"))
        self.assertEqual(self.audit(), [])

    def test_its_page_shows_who_answers_and_confirms_it(self) -> None:
        told = self.of(FIRST).device.serial
        self.record("OLD-1")
        self.audit()
        self.client.force_login(self.admin)
        page = self.client.get(self.switch.get_absolute_url()).content.decode()
        self.assertIn("Another device: it is left alone", page)
        self.assertIn(told, page)
        url = reverse("plugins:fabric_twin:switch_confirm", args=[self.switch.pk])
        self.assertIn(url, page)
        self.assertIn(f"serial {told}, {FIRST}", self.client.get(url).content.decode())
        self.client.post(url, {"name": FIRST, "serial": told, "why": "RMA 4711"})
        self.assertEqual(self.of(FIRST).device.serial, told)
        self.assertEqual(self.audit(), [])

    def test_a_work_order_writes_the_serial_of_a_switch_that_was_replaced(self) -> None:
        told = self.of(FIRST).device.serial
        self.record("OLD-1")
        self.audit()
        finding = Finding.objects.get(code="wrong-serial")
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(finding,)), self.admin)
        self.assertEqual(correct_records(order, self.admin), [f"{FIRST}: serial OLD-1 -> {told}"])
        switch = self.of(FIRST)
        self.assertEqual((switch.device.serial, switch.confirmed_by), (told, "order"))
        said = ObjectChange.objects.get(
            changed_object_id=switch.pk, change_context_detail__contains="is confirmed"
        )
        self.assertIn(f"replaced by {order}", said.change_context_detail)
        finding.refresh_from_db()
        self.assertEqual(finding.state, "mended")
        self.assertEqual(self.audit(), [])

    def test_a_serial_that_another_device_has_is_not_written(self) -> None:
        told = self.of(FIRST).device.serial
        self.record("OLD-1")
        Device.objects.filter(name="iw-c001-t01").update(serial=told)
        sync_pod(self.pod)
        with self.assertRaisesMessage(NotPossible, f"serial {told} is recorded for iw-c001-t01"):
            confirm(self.switch, self.admin, Told(FIRST, told), "label read")

    def test_two_that_answer_at_each_others_address_are_found_as_before(self) -> None:
        self.break_it("addresses-exchanged", device=FIRST, other=SECOND)
        [(code, cause)] = self.audit()
        self.assertEqual(code, "identity-exchanged")
        self.assertIn(f"{FIRST} and {SECOND} answer at each other's address: serials", cause)

    def test_one_that_answers_for_another_is_left_alone(self) -> None:
        self.break_it("answers-for-another", device=FIRST, other=SECOND)
        [(code, cause)] = self.audit()
        self.assertEqual(code, "refused")
        self.assertIn(f"{FIRST}: another device answers at its address (serial ", cause)
        self.assertIn(f", {SECOND}); recorded is serial ", cause)

    # First contact

    def test_first_contact_is_confirmed_by_who_may(self) -> None:
        told = self.of(FIRST).device.serial
        self.record("")
        Switch.objects.filter(pk=self.switch.pk).update(confirmed_by="", called="")
        [(code, cause)] = self.audit()
        self.assertEqual(code, "refused")
        self.assertIn(f"nobody has confirmed who answers at its address (serial {told}", cause)
        self.assertEqual(self.of(FIRST).device.serial, "")
        for user, why, refusal in (
            (User.objects.create_user("nobody"), "label", NotPermitted),
            (self.admin, " ", NotPossible),
        ):
            with self.assertRaises(refusal):
                confirm(self.switch, user, Told(FIRST, told), why)
        confirm(self.switch, self.admin, Told(FIRST, told), "delivery note 12")
        self.assertEqual(self.audit(), [])
        self.assertEqual(self.of(FIRST).device.serial, told)

    def test_another_address_takes_a_persons_word_back(self) -> None:
        switch = self.of(FIRST)
        switch.confirmed_by = ConfirmedBy.PERSON
        switch.save()
        switch.target = "another"
        switch.validated_save()
        self.assertEqual(switch.confirmed_by, ConfirmedBy.NOBODY)


def _type(model: type[Any]) -> Any:
    from django.contrib.contenttypes.models import ContentType

    return ContentType.objects.get_for_model(model)
