"""Design files of a site: found by name, checked at a start, and gone when the file is gone."""

from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.test import override_settings
from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.app_config import FabricTwinConfig
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import DesignRefused, FabricTwinError, UnusableInput
from fabric_twin.forms.pod import designs
from fabric_twin.models import Cube, Pod, Port, Switch
from fabric_twin.models.pod import DESIGN_GONE
from fabric_twin.operations.doctor.checked import How
from fabric_twin.operations.doctor.installed import check_installed
from fabric_twin.operations.pods.adopt import adopt_pod
from fabric_twin.operations.pods.bind_ports import Binding
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.site_designs import check_design_files
from fabric_twin.presenters.attention import attention
from fabric_twin.presenters.visible_pod import Sight
from fabric_twin.repositories.hardware_types import status
from fabric_twin.repositories.pod_lock import PodRefused
from fabric_twin.tasks.load_pod import design_choices
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin

FILE = """name: of-a-file
title: Three cubes of two trays, twelve switches of four ports a side
slots: 3
cube: 2x2x2
tray: 2x2x1
plant: split
radix: 4
spares: 4
rule:
  switch: [i, j]
  port: {slot: 1}
"""
CLUSTER = """name: ours
title: Chains of four on one switch
plant: packet
chain: 4
rows: 1
columns: 4
joined: nothing
"""


def of_folder(path: str) -> override_settings:
    """Nautobot as it is where this folder is set."""
    given = {**FabricTwinConfig.default_settings, "designs_folder": path}
    return override_settings(PLUGINS_CONFIG={"fabric_twin": given})


class DesignFilesTest(TestCase):
    """A folder with one design; each test may put more into it."""

    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.enterContext(TemporaryDirectory()))
        self.put("of-a-file", FILE)
        self.enterContext(of_folder(str(self.folder)))
        self.admin = admin()
        self.client.force_login(self.admin)

    def put(self, name: str, text: str) -> Path:
        file = self.folder / f"{name}.yaml"
        file.write_text(text)
        return file

    def doctor(self) -> list[tuple[How, str, str]]:
        checks = [one for one in check_installed() if one.what == "design files"]
        return [(one.how, one.found, one.remedy) for one in checks]

    def test_a_pod_is_loaded_by_a_design_file(self) -> None:
        load_pod("p1", "of-a-file", hall(), user=self.admin)
        pod = Pod.objects.get(name="p1")
        self.assertEqual(pod.to_core().cables, 72)
        self.assertEqual((pod.cubes.count(), pod.switches.count()), (3, 12))
        page = self.client.get(pod.get_absolute_url())
        self.assertContains(page, "of-a-file")

    def test_pages_and_jobs_offer_it_beside_the_installed_ones(self) -> None:
        for offered in (designs(), design_choices()):
            self.assertIn(("of-a-file", "of-a-file"), offered)
            self.assertIn(("ironwood", "ironwood"), offered)
        self.assertContains(self.client.get(reverse("plugins:fabric_twin:pod_add")), "of-a-file")

    def test_a_cluster_of_a_file_is_offered_and_loaded(self) -> None:
        self.put("ours", CLUSTER)
        for offered in (designs(), design_choices()):
            self.assertLessEqual({("ours", "ours"), ("groups-a", "groups-a")}, {*offered})
        load_pod("pg1", "ours", hall(), user=self.admin)
        self.assertEqual(Pod.objects.get().cubes.count(), 4)

    def test_a_chip_which_has_no_cables_is_offered_nowhere_and_refused(self) -> None:
        for offered in (designs(), design_choices()):
            self.assertNotIn(("atac", "atac"), offered)
        told = "design atac: it is one chip, on which nothing is cabled or switched. Work on its"
        with self.assertRaisesMessage(UnusableInput, told):
            load_pod("a1", "atac", hall(), user=self.admin)
        with self.assertRaisesMessage(UnusableInput, told):
            adopt_pod("a1", "atac", hall(), Binding(), user=self.admin)
        with self.assertRaisesMessage(ValidationError, told.partition(": ")[2]):
            Pod(name="a1", design="atac", location=hall(), status=None).clean()
        self.assertFalse(Pod.objects.exists())

    def test_a_folder_in_which_all_is_well(self) -> None:
        self.assertEqual(check_design_files(), [])
        self.assertEqual(self.doctor(), [(How.GOOD, f"1 file in {self.folder}", "")])

    def test_a_wrong_file_is_told_with_its_line_and_hides_no_other(self) -> None:
        self.put("wrong", FILE.replace("of-a-file", "wrong").replace("radix: 4", "radix: four"))
        told = (
            f"{self.folder}/wrong.yaml, line 7: `radix` is 'four', and not a whole number from "
            "1 to 10,000"
        )
        [warning] = check_design_files()
        self.assertEqual(
            (warning.id, warning.msg, warning.hint),
            ("fabric_twin.W001", told, "Write `radix: 300`"),
        )
        self.assertEqual(self.doctor(), [(How.BAD, told, "Write `radix: 300`")])
        self.assertEqual(find_design("of-a-file").slots, 3)
        pod = Pod(name="p1", design="wrong", location=hall(), status=None)
        with self.assertRaisesMessage(ValidationError, "line 7: `radix` is 'four'"):
            pod.clean()

    def test_all_mistakes_of_a_file_are_one_line_of_the_doctor(self) -> None:
        self.put("wrong", "name: wrong\nplant: static\n")
        self.assertEqual(
            self.doctor(),
            [
                (
                    How.BAD,
                    f"{self.folder}/wrong.yaml: it has 2 mistakes; line 1: `title` is missing. "
                    "Write `title: Pods of 150 cubes, a fibre pair a port`.; "
                    "line 1: `grid` is missing. Write `grid: 4x4x4`.",
                    "Correct them all",
                )
            ],
        )

    def test_a_pod_whose_file_is_gone_is_one_whose_design_is_gone(self) -> None:
        load_pod("p1", "of-a-file", hall(), user=self.admin)
        pod = Pod.objects.get(name="p1")
        (self.folder / "of-a-file.yaml").unlink()
        for record in (pod, Cube.objects.first(), Switch.objects.first(), Port.objects.first()):
            with self.subTest(record=record):
                page = self.client.get(record.get_absolute_url())
                self.assertContains(page, "there is no design &#x27;of-a-file&#x27;")
        first, *_ = attention(Sight(pod, self.admin))
        self.assertEqual(first.what, "design that is gone or changed, or whose file is wrong")
        self.put("of-a-file", FILE)
        self.assertEqual(pod.to_core().cables, 72)

    def test_a_file_that_changed_under_a_pod_is_refused_until_it_is_put_back(self) -> None:
        load_pod("p1", "of-a-file", hall(), slots=(1, 2), user=self.admin)
        pod = Pod.objects.get(name="p1")
        kept = pod.layout[:8]
        for changed in (
            FILE.replace("slots: 3", "slots: 2"),
            FILE.replace("switch: [i, j]", "switch: [j, i]"),
            FILE.replace("radix: 4", "radix: 5"),
        ):
            with self.subTest(changed=changed):
                self.put("of-a-file", changed)
                with self.assertRaises(DesignRefused) as refused:
                    pod.to_core()
                now = find_design("of-a-file").digest[:8]
                why = (
                    "design of-a-file: its sizes, names or rule are not those by which the ports "
                    f"of p1 are numbered (its layout is {now}, the pod's {kept}). Put its file or "
                    "package back as it was; a changed one needs a name of its own, and a pod that "
                    "is loaded by it."
                )
                self.assertEqual(str(refused.exception), why)
                with self.assertRaisesMessage(DesignRefused, why):
                    load_pod("p1", "of-a-file", hall(), user=self.admin)
                for record in (pod, pod.cubes.last(), pod.switches.last(), pod.ports.last()):
                    page = self.client.get(record.get_absolute_url())
                    self.assertContains(page, "not those by which the ports of p1 are numbered")
                for kind in ("cube", "port"):
                    url = reverse(f"plugins:fabric_twin:{kind}_list")
                    rows = self.client.get(url, headers={"HX-Request": "true"})
                    self.assertContains(rows, DESIGN_GONE)
                bad = [one for one in check_installed() if one.how == How.BAD]
                self.assertIn("design of p1", [one.what for one in bad])
        self.put(
            "of-a-file", FILE.replace("title: Three", "# A comment\ntitle: In other words, three")
        )
        load_pod("p1", "of-a-file", hall(), user=self.admin)
        self.assertEqual(pod.cubes.count(), 3)

    def test_a_pod_without_ports_follows_its_file(self) -> None:
        pod = Pod(name="p1", design="of-a-file", location=hall(), status=status(Pod, "Active"))
        pod.validated_save()
        self.put("of-a-file", FILE.replace("slots: 3", "slots: 2"))
        self.assertEqual(pod.to_core().slots, 2)
        load_pod("p1", "of-a-file", hall(), user=self.admin)
        pod.refresh_from_db()
        self.assertEqual((pod.cubes.count(), pod.layout), (2, find_design("of-a-file").digest))

    def test_a_pod_with_ports_takes_no_other_design_and_one_without_takes_any(self) -> None:
        load_pod("p1", "of-a-file", hall(), slots=(1,), user=self.admin)
        pod = Pod.objects.get(name="p1")
        url = reverse("plugins-api:fabric_twin-api:pod-detail", args=[pod.pk])
        wish = {"design": "ironwood"}
        refused = self.client.patch(url, wish, content_type="application/json")
        self.assertContains(
            refused,
            "The pod's ports are numbered by of-a-file: delete its records first.",
            status_code=400,
        )
        pod.ports.all().delete()
        self.assertHttpStatus(self.client.patch(url, wish, content_type="application/json"), 200)
        pod.refresh_from_db()
        self.assertEqual((pod.design, pod.layout), ("ironwood", ""))

    def test_what_a_load_wrote_meanwhile_is_not_written_over(self) -> None:
        pod = Pod(name="p1", design="of-a-file", location=hall(), status=status(Pod, "Active"))
        pod.validated_save()
        early, late = Pod.objects.get(name="p1"), Pod.objects.get(name="p1")
        load_pod("p1", "of-a-file", hall(), user=self.admin)
        early.description = "Read before the load"
        early.save()
        pod.refresh_from_db()
        self.assertEqual(pod.layout, find_design("of-a-file").digest)
        late.design = "ironwood"
        with self.assertRaisesMessage(ValidationError, "numbered by of-a-file"):
            late.save()

    def test_a_pod_whose_layout_nobody_kept_takes_only_one_that_fits_its_records(self) -> None:
        load_pod("p1", "of-a-file", hall(), slots=(1, 2, 3), user=self.admin)
        digest = find_design("of-a-file").digest
        Pod.objects.update(layout="")
        [told] = [one for one in check_installed() if one.what == "design of p1"]
        self.assertEqual(told.how, How.LOOK)
        self.put("of-a-file", FILE.replace("slots: 3", "slots: 2"))
        with self.assertRaisesMessage(PodRefused, "are not those of of-a-file"):
            load_pod("p1", "of-a-file", hall(), slots=(1,), user=self.admin)
        self.put("of-a-file", FILE)
        load_pod("p1", "of-a-file", hall(), user=self.admin)
        self.assertEqual(Pod.objects.get(name="p1").layout, digest)

    def test_of_many_mistakes_pages_say_the_first_and_where_all_are_told(self) -> None:
        file = self.put("wrong", "name: wrong\nplant: static\n")
        with self.assertRaises(FabricTwinError) as refused:
            find_design("wrong")
        self.assertEqual(
            str(refused.exception),
            f"{file}: it has 2 mistakes, the first on line 1: `title` is missing. Write "
            "`title: Pods of 150 cubes, a fibre pair a port`. "
            f"`fabric-twin designs --check {file}` lists them all.",
        )

    def test_a_folder_that_is_not_there_hides_nothing_and_is_told(self) -> None:
        with of_folder(f"{self.folder}/away"):
            [warning] = check_design_files()
            self.assertIn("the folder cannot be read", warning.msg)
            self.assertEqual(find_design("ironwood").slots, 144)

    def test_a_setting_that_is_no_path_stops_the_start(self) -> None:
        given = {**FabricTwinConfig.default_settings, "designs_folder": "designs"}
        with self.assertRaisesMessage(
            ImproperlyConfigured,
            'PLUGINS_CONFIG["fabric_twin"]["designs_folder"]: '
            "'designs' is not the whole path of a folder.",
        ):
            FabricTwinConfig.validate(given, "3.2.7")
