"""A job over four pods, from the wish to its release, on a simulated fabric.

What others do to its rings is in test_rings_kept.py.
"""

import json
from datetime import date

import pytest
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse
from nautobot.dcim.models import Interface
from nautobot.extras.models import CustomField, Tag

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Block, Demand, Multislice, Pod, Slice, Switch, Ticket
from fabric_twin.operations.audits.run import try_audit
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.networks.host_ports import write_host_ports
from fabric_twin.operations.networks.rings import JobIs
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.operations.superpods.ask import MultisliceWish, ask_for_multislice
from fabric_twin.operations.superpods.release import release_multislice
from tests.nautobot.bases.networks.network_runs import DEMAND
from tests.nautobot.bases.networks.superpods import SuperpodCase
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import allow, somebody

pytestmark = pytest.mark.integration


class MultisliceTest(SuperpodCase):
    def test_a_job_over_four_pods_from_its_wish_to_its_release(self) -> None:
        job = self.ask()
        stands = self.stands(job)
        self.assertEqual(stands.state, JobIs.PLANNED)
        tickets = [member.ticket for member in stands.members]
        every = (*tickets, stands.ticket)
        self.assertEqual([one.kind for one in every], ["slice"] * 4 + ["topology"])
        self.assertEqual({one.state for one in every}, {"submitted"})
        self.assertEqual({one.slice.status.name for one in tickets}, {"Planned"})

        self.run_all(job)
        stands = self.stands(job)
        self.assertEqual((stands.state, stands.has_rings), (JobIs.RUNNING, True))
        self.assertRings(job, least=4)
        rings = self.rings(job)
        self.assertEqual({pair.asked for pair in rings.pairs}, {1600.0})
        self.assertTrue(all(pair.left == pair.links >= 4 for pair in rings.pairs))

        with self.subTest("a switch is lost: each pair keeps what the other switch carries"):
            whole = {(pair.one, pair.other): pair.left for pair in rings.pairs}
            Switch.objects.filter(device__name="dc1-ocs-01").update(status=status_of(Switch, "Out"))
            half = self.rings(job)
            for pair in half.pairs:
                self.assertLessEqual(abs(2 * pair.left - whole[pair.one, pair.other]), 2)
            self.assertGreater(half.between_s, rings.between_s)
            Switch.objects.filter(device__name="dc1-ocs-01").update(status=status_of(Switch))

        with self.subTest("a block is lost: the rings end at its pod"):
            Block.objects.filter(name="ab02").update(status=status_of(Block, "Out"))
            cut = self.rings(job)
            opened = {pair.one for pair in cut.pairs if pair.is_open} | {
                pair.other for pair in cut.pairs if pair.is_open
            }
            self.assertIn("v4b", opened)
            self.assertEqual(sum(pair.is_open for pair in cut.pairs), 2)
            self.assertEqual(cut.ring_gbps, 0)
            Block.objects.filter(name="ab02").update(status=status_of(Block))

        released = release_multislice(job, self.ada)
        self.assertEqual([one.kind for one in released], ["release"] * 4 + ["topology"])
        self.assertEqual(self.stands(job).state, JobIs.RELEASING)
        for ticket in released:
            self.carry_out(ticket)
        self.assertEqual(self.stands(job).state, JobIs.ENDED)
        self.assertFalse(Slice.objects.exists())
        left = {switch for switch, _, _ in self.shown()}
        self.assertEqual(left, {"dc1-ocs-01", "dc1-ocs-02"})
        with self.assertRaisesMessage(FabricTwinError, "there is nothing left of it to release"):
            release_multislice(job, self.ada)


class RefusedTest(SuperpodCase):
    """What cannot be leaves nothing behind."""

    def assertRefused(self, said: str, **how) -> None:
        with self.assertRaisesMessage(FabricTwinError, said):
            self.ask(**how)
        self.assertEqual(
            (Multislice.objects.count(), Ticket.objects.count(), Slice.objects.count()), (0, 0, 0)
        )

    def test_one_pod_that_has_no_room(self) -> None:
        self.pods[3].cubes.update(status=status_of(Block, "Out"))
        self.assertRefused("v4d")

    def test_what_is_no_job(self) -> None:
        self.assertRefused("a ring needs two pods", pods=self.pods[:1])
        self.assertRefused("is there twice", pods=(self.pods[0], *self.pods[:3]))
        self.assertRefused("is not a shape", shape="4x4")
        self.assertRefused("no link is left for", least=12)
        self.assertRefused("Write what one collective moves", gigabytes=float("nan"))
        self.assertRefused("greater than or equal to 1", least=0)
        self.assertRefused("a ring needs two pods", pods=())

    def test_a_pod_without_a_block(self) -> None:
        Block.objects.filter(name="ab03").update(serves=None)
        self.assertRefused("pod v4c has no block")

    def test_a_network_with_an_open_ticket(self) -> None:
        keep_demand(self.pod, DEMAND.read_bytes(), day=date(2026, 11, 1))
        self.wish()
        with self.assertRaisesMessage(FabricTwinError, "is open, and counts on the links"):
            self.ask()
        self.assertFalse(Multislice.objects.exists())

    def test_who_may_not(self) -> None:
        reader = somebody("reader")
        wish = MultisliceWish(name="job7", shape="4x4x4", pods=self.pods)
        with self.assertRaisesMessage(FabricTwinError, "there is no such pod, or you may not see"):
            ask_for_multislice(self.pod, wish, reader)
        allow(reader, ["view"], Pod, Demand)
        reader = get_user_model().objects.get(pk=reader.pk)
        with self.assertRaisesMessage(FabricTwinError, "may not add"):
            ask_for_multislice(self.pod, wish, reader)
        self.assertFalse(Ticket.objects.exists())


class HostPortsTest(SuperpodCase):
    def test_each_tray_has_a_port_and_a_cable_to_the_block_of_its_pod(self) -> None:
        pod = self.pods[1]
        tried = write_host_ports(pod, dry_run=True)
        self.assertEqual((tried.ports, tried.cables, tried.dry_run), (16, 16, True))
        self.assertFalse(Interface.objects.filter(name="dcn").exists())
        written = write_host_ports(pod)
        self.assertEqual(str(written), "Pod v4b: wrote 16 ports of hosts and 16 cables to blocks.")
        ports = Interface.objects.filter(name="dcn")
        self.assertEqual({port.speed for port in ports}, {200_000_000})
        for port in ports:
            self.assertEqual(port.connected_endpoint.device.name, "dc1-ab02")
            self.assertEqual(port.connected_endpoint.name, port.device.name)
        again = write_host_ports(pod)
        self.assertEqual((again.ports, again.cables), (0, 0))
        for audited in (pod, self.pod):
            audit, _ = try_audit(audited)
            self.assertEqual(audit.found, ())

    def test_a_port_that_lost_its_cable_gets_another_to_the_same_socket(self) -> None:
        pod = self.pods[1]
        write_host_ports(pod)
        Interface.objects.filter(name="dcn").first().cable.delete()
        self.assertEqual(write_host_ports(pod).cables, 1)
        sockets = Interface.objects.filter(device__name="dc1-ab02", name__startswith="v4b-")
        self.assertEqual(sockets.exclude(cable_termination=None).count(), 16)

    def test_a_pod_goes_with_the_ports_of_its_hosts_and_a_network_with_its_sockets(self) -> None:
        for pod in self.pods[:2]:
            write_host_ports(pod)
        remove_pod("v4b", hardware=True)
        self.assertEqual(Interface.objects.filter(name="dcn").count(), 16)
        self.assertFalse(Interface.objects.filter(name__startswith="v4b-").exists())
        remove_pod("dc1", hardware=True)
        self.assertEqual(Interface.objects.filter(name="dcn", cable_termination=None).count(), 16)
        remove_pod("v4a", hardware=True)
        self.assertFalse(Interface.objects.filter(name="dcn").exists())

    def test_a_pod_that_no_block_serves_is_refused(self) -> None:
        Block.objects.update(serves=None)
        with self.assertRaisesMessage(FabricTwinError, "no block serves it"):
            write_host_ports(self.pods[0])


class DoorTest(SuperpodCase):
    def test_rest_asks_tells_and_releases(self) -> None:
        kind = ContentType.objects.get_for_model(Multislice)
        cost = CustomField.objects.create(key="cost", label="Cost", type="text", required=True)
        cost.content_types.add(kind)
        Tag.objects.create(name="train").content_types.add(kind)
        self.client.force_login(self.ada)
        url = reverse("plugins-api:fabric_twin-api:multislice-list")
        wish = {"name": "job7", "shape": "4x4x4", "pod": str(self.pod.pk), "at_once": 1}
        wish["pods"] = [str(pod.pk) for pod in self.pods]
        wish |= {"tags": [{"name": "train"}], "custom_fields": {"cost": "7"}}
        asked = self.client.post(url, json.dumps(wish), content_type="application/json")
        self.assertEqual(asked.status_code, 201, asked.content)
        self.assertEqual(asked.json()["custom_fields"], {"cost": "7"})
        self.assertEqual(Multislice.objects.get().tags.get().name, "train")
        self.assertEqual(asked.json()["state"], "planned")
        again = self.client.post(url, json.dumps(wish), content_type="application/json")
        self.assertEqual(again.status_code, 409, again.content)
        told = self.client.get(f"{url}{asked.json()['id']}/rings/").json()
        self.assertEqual([one["slice"] for one in told["pods"]], ["job7"] * 4)
        self.assertEqual(len(told["rings"]["pairs"]), 4)
        page = self.client.get(Multislice.objects.get().get_absolute_url()).content.decode()
        for said in ("Red ring", "Collective between pods", "dc1-t1", "v4c-t1"):
            self.assertIn(said, page)
        released = self.client.post(f"{url}{asked.json()['id']}/release/")
        self.assertEqual(released.status_code, 200, released.content)
        self.assertEqual(
            {one["state"]["value"] for one in released.json()["tickets"]}, {"withdrawn"}
        )
        self.assertFalse(Slice.objects.exists())

    def test_rest_refuses_what_is_no_job(self) -> None:
        self.client.force_login(self.ada)
        url = reverse("plugins-api:fabric_twin-api:multislice-list")
        wish = {"name": "job7", "shape": "4x4x4", "pod": str(self.pod.pk)}
        wish["pods"] = [str(pod.pk) for pod in self.pods]
        for wrong in ({"gigabytes": "nan"}, {"gigabytes": "inf"}, {"pods": []}, {"least": 0}):
            with self.subTest(wrong):
                asked = self.client.post(
                    url, json.dumps(wish | wrong), content_type="application/json"
                )
                self.assertEqual(asked.status_code, 400, asked.content)
        self.assertFalse(Multislice.objects.exists())

    def test_the_form_asks_and_the_page_releases(self) -> None:
        self.client.force_login(self.ada)
        form = self.client.get(reverse("plugins:fabric_twin:multislice_add")).content.decode()
        for said in ("Ask for a multislice", "Network", "Least links", "Switches at once"):
            self.assertIn(said, form)
        given = {"name": "job7", "shape": "4x4x4", "pod": self.pod.pk, "at_once": 1, "least": 1}
        given |= {"pods": [pod.pk for pod in self.pods], "gigabytes": 140}
        asked = self.client.post(reverse("plugins:fabric_twin:multislice_add"), given)
        self.assertEqual(asked.status_code, 302, asked.content)
        job = Multislice.objects.get()
        rows = {"HX-Request": "true"}
        listed = self.client.get(reverse("plugins:fabric_twin:multislice_list"), headers=rows)
        self.assertContains(listed, "planned")
        delete = reverse("plugins:fabric_twin:multislice_delete", args=[job.pk])
        question = self.client.get(delete).content.decode()
        self.assertIn("Release job7?", question)
        self.assertIn("asks for the release of its slices", question)
        self.client.post(delete, {"confirm": True})
        self.assertEqual(self.stands(job).state, JobIs.ENDED)
        self.client.post(delete, {"confirm": True})
        self.assertFalse(Multislice.objects.exists())

    def test_who_may_not_see_a_pod_hears_nothing_of_it(self) -> None:
        job = self.ask()
        reader = somebody("reader")
        allow(reader, ["view"], Multislice)
        allow(reader, ["view"], Pod, name__in=["dc1", "v4a"])
        self.client.force_login(reader)
        url = reverse("plugins-api:fabric_twin-api:multislice-detail", args=[job.pk])
        told = self.client.get(f"{url}rings/").json()
        self.assertEqual({one["pod"] for one in told["pods"]}, {"v4a", None})
        self.assertIsNone(told["rings"])
        page = self.client.get(job.get_absolute_url()).content.decode()
        self.assertNotIn("v4b", page)
        refused = self.client.post(f"{url}release/")
        self.assertEqual(refused.status_code, 403, refused.content)
