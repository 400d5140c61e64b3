"""A slice keeps its letter; those that stand get the one that screens showed until now."""

import re
from collections import defaultdict
from typing import Any

from django.db import migrations, models

LETTERS = "CDEFGHJKLMNPQRSTUVW"


def _natural(name: str) -> list[tuple[int, int | str]]:
    parts = re.split(r"([0-9]+)", name)
    return [(0, int(part)) if n % 2 else (1, part) for n, part in enumerate(parts)]


def _letter(number: int) -> str:
    text = ""
    while number >= 0:
        text = LETTERS[number % len(LETTERS)] + text
        number = number // len(LETTERS) - 1
    return text


def give_letters(apps: Any, _schema_editor: Any) -> None:
    """By the names of the slices of each pod, in natural order."""
    slices, pods = (apps.get_model("fabric_twin", name) for name in ("Slice", "Pod"))
    of_pod = defaultdict(list)
    for made in slices.objects.order_by().only("pod_id", "name", "letter"):
        of_pod[made.pod_id].append(made)
    for pod, rows in of_pod.items():
        rows.sort(key=lambda made: _natural(made.name))
        for number, made in enumerate(rows):
            made.letter = _letter(number)
        slices.objects.bulk_update(rows, ["letter"], batch_size=1000)
        pods.objects.filter(pk=pod).update(last_letter=rows[-1].letter)


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0005_findings_are_joined")]

    operations = [
        migrations.AddField(
            model_name="pod",
            name="last_letter",
            field=models.CharField(blank=True, default="", editable=False, max_length=4),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="slice",
            name="letter",
            field=models.CharField(blank=True, default="", editable=False, max_length=4),
            preserve_default=False,
        ),
        migrations.RunPython(give_letters, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="slice",
            constraint=models.UniqueConstraint(
                fields=("pod", "letter"), name="twin_one_slice_a_letter"
            ),
        ),
    ]
