"""Every list of ours has saved views, CSV export and, where rows may be written, import."""

from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.extras.models import SavedView

from fabric_twin.urls import router
from tests.nautobot.bases.pods.small_pod import add_ports, make_pod

#: Lists whose rows are planned, loaded or found, and so are not imported: docs/screens.md.
NO_IMPORT = {"port", "slice", "finding", "auditrun", "ticket", "workorder"}


class SavedViewsTest(TestCase):
    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def test_every_list_has_saved_views_export_and_import_or_a_reason(self) -> None:
        for _, view, basename in router.registry:
            model = view.queryset.model
            with self.subTest(basename):
                self.assertTrue(model.is_saved_view_model)
                self.assertIn("export", view.action_buttons)
                imported = "import" in view.action_buttons
                self.assertEqual(imported, model._meta.model_name not in NO_IMPORT)

    def test_a_saved_view_of_ports_lists_what_it_was_saved_with(self) -> None:
        pod = make_pod("v4")
        first = pod.to_core().layout.cube_ports
        one, other = add_ports(pod, [first, first + 1])
        saved = SavedView.objects.create(
            name="One port",
            owner=self.user,
            view="plugins:fabric_twin:port_list",
            config={"filter_params": {"q": [str(one)]}},
        )
        url = reverse("plugins:fabric_twin:port_list")
        self.assertContains(self.client.get(url), "One port")
        rows = self.client.get(url, {"saved_view": saved.pk}, headers={"HX-Request": "true"})
        self.assertContains(rows, one.get_absolute_url())
        self.assertNotContains(rows, other.get_absolute_url())
