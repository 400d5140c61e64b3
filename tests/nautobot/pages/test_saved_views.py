"""Every list of ours has saved views, CSV export and, where rows may be written, import."""

from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.extras.models import SavedView

from fabric_twin.urls import router

#: Lists whose rows are planned, loaded, found, or have an import of their own: docs/screens.md.
NO_IMPORT = {"port", "slice", "demand", "multislice", "finding", "auditrun", "ticket", "workorder"}


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

    def test_a_saved_view_of_ports_is_offered_on_their_list(self) -> None:
        SavedView.objects.create(
            name="Faces of X",
            owner=self.user,
            view="plugins:fabric_twin:port_list",
            config={"filter_params": {"axis": ["x"]}},
        )
        url = reverse("plugins:fabric_twin:port_list")
        self.assertContains(self.client.get(url), "Faces of X")
