"""By which layout the ports of a pod are numbered: a design that changed since is refused."""

from contextlib import suppress
from typing import Any

from django.db import migrations, models

from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.layout_digest import may_have_numbered


def keep_layouts(apps: Any, _schema_editor: Any) -> None:
    """What is installed now numbered them, as far as records tell; else `doctor` names the pod."""
    for pod in apps.get_model("fabric_twin", "Pod").objects.filter(ports__isnull=False).distinct():
        switches = pod.switches.values_list("number", "axis", "index")
        slot = pod.cubes.aggregate(last=models.Max("slot"))["last"] or 0
        port = pod.ports.aggregate(last=models.Max("number"))["last"]
        with suppress(FabricTwinError):
            design = find_design(pod.design)
            if may_have_numbered(design.layout, switches, slot, port):
                pod.layout = design.digest
                pod.save(update_fields=["layout"])


class Migration(migrations.Migration):
    dependencies = [
        ("fabric_twin", "0013_slices_bear"),
    ]

    operations = [
        migrations.AddField(
            model_name="pod",
            name="layout",
            field=models.CharField(blank=True, editable=False, max_length=32),
        ),
        migrations.RunPython(keep_layouts, migrations.RunPython.noop),
    ]
