"""What a finding costs, who sees to it and by when; and hand-overs of shifts."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("fabric_twin", "0010_light_is_folded"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="finding",
            options={
                "ordering": (
                    models.OrderBy(models.F("mended_at"), descending=True, nulls_first=True),
                    "-circuits_lost",
                    "-cubes_lost",
                    "opened",
                    "is_spared",
                    "severity",
                    "pod",
                    "key",
                )
            },
        ),
        migrations.AddField(
            model_name="finding",
            name="circuits_lost",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="finding",
            name="cubes_lost",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="finding",
            name="due",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="finding",
            name="is_spared",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="finding",
            name="owner",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="HandOver",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                        unique=True,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("note", models.TextField(blank=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "hand-over",
                "ordering": ("-at",),
            },
        ),
    ]
