"""Runs, findings and their places, silences, substitutions."""

import uuid

import django.core.serializers.json
import django.db.models.deletion
import nautobot.core.models.fields
import nautobot.extras.models.mixins
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dcim", "0097_virtualdevicecontext_controller_managed_device_group"),
        ("extras", "0145_objectmetadata_assigned_object_type_cascade"),
        ("fabric_twin", "0006_readings"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Finding",
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
                ("created", models.DateTimeField(auto_now_add=True, null=True)),
                ("last_updated", models.DateTimeField(auto_now=True, null=True)),
                (
                    "_custom_field_data",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("code", models.CharField(max_length=32)),
                ("severity", models.CharField(max_length=8)),
                ("cause", models.TextField()),
                ("state", models.CharField(default="open", max_length=16)),
                ("observed", models.BooleanField(default=False)),
                ("first_seen", models.DateTimeField()),
                ("opened", models.DateTimeField()),
                ("last_seen", models.DateTimeField()),
                ("mended_at", models.DateTimeField(blank=True, null=True)),
                ("reopened", models.PositiveIntegerField(default=0)),
                ("strays", models.JSONField(blank=True, default=list)),
                ("evidence_then", models.JSONField(blank=True, default=dict)),
                ("evidence_now", models.JSONField(blank=True, default=dict)),
                ("remedy", models.JSONField(blank=True, default=list)),
                ("digest", models.CharField(editable=False, max_length=32)),
                ("acknowledged_at", models.DateTimeField(blank=True, null=True)),
                ("acknowledged_why", models.CharField(blank=True, max_length=255)),
                ("worked_on", models.CharField(blank=True, max_length=255)),
                (
                    "acknowledged_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="findings",
                        to="fabric_twin.pod",
                    ),
                ),
                (
                    "slices",
                    models.ManyToManyField(
                        blank=True, related_name="findings", to="fabric_twin.slice"
                    ),
                ),
                (
                    "tags",
                    nautobot.core.models.fields.TagsField(
                        through="extras.TaggedItem", to="extras.Tag"
                    ),
                ),
            ],
            options={
                "ordering": ("pod", "severity", "-opened", "key"),
            },
            bases=(
                nautobot.extras.models.mixins.DataComplianceModelMixin,
                nautobot.extras.models.mixins.DynamicGroupMixin,
                nautobot.extras.models.mixins.NotesMixin,
                models.Model,
            ),
        ),
        migrations.CreateModel(
            name="FindingPlace",
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
                ("number", models.PositiveIntegerField()),
                ("device_name", models.CharField(blank=True, max_length=255)),
                ("port_name", models.CharField(blank=True, max_length=255)),
                ("cable_name", models.CharField(blank=True, max_length=255)),
                (
                    "cable",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="finding_places",
                        to="dcim.cable",
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="finding_places",
                        to="dcim.device",
                    ),
                ),
                (
                    "finding",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="fabric_twin.finding",
                    ),
                ),
                (
                    "port",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="finding_places",
                        to="fabric_twin.port",
                    ),
                ),
                (
                    "rack",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="finding_places",
                        to="dcim.rack",
                    ),
                ),
            ],
            options={
                "ordering": ("finding", "number"),
            },
        ),
        migrations.CreateModel(
            name="Silence",
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
                ("created", models.DateTimeField(auto_now_add=True, null=True)),
                ("last_updated", models.DateTimeField(auto_now=True, null=True)),
                (
                    "_custom_field_data",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                    ),
                ),
                ("code", models.CharField(blank=True, max_length=32)),
                ("until", models.DateTimeField()),
                ("reason", models.CharField(max_length=255)),
                (
                    "cable",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fabric_silences",
                        to="dcim.cable",
                    ),
                ),
                (
                    "device",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fabric_silences",
                        to="dcim.device",
                    ),
                ),
                (
                    "finding",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="silences",
                        to="fabric_twin.finding",
                    ),
                ),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="silences",
                        to="fabric_twin.pod",
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fabric_silences",
                        to="extras.tag",
                    ),
                ),
                (
                    "tags",
                    nautobot.core.models.fields.TagsField(
                        through="extras.TaggedItem", to="extras.Tag"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("pod", "until", "created"),
            },
            bases=(
                nautobot.extras.models.mixins.DataComplianceModelMixin,
                nautobot.extras.models.mixins.DynamicGroupMixin,
                nautobot.extras.models.mixins.NotesMixin,
                models.Model,
            ),
        ),
        migrations.CreateModel(
            name="Substitution",
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
                ("created", models.DateTimeField(auto_now_add=True, null=True)),
                ("last_updated", models.DateTimeField(auto_now=True, null=True)),
                (
                    "_custom_field_data",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=255)),
                (
                    "port",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="substitution",
                        to="fabric_twin.port",
                    ),
                ),
                (
                    "spare",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stands_in",
                        to="fabric_twin.port",
                    ),
                ),
                (
                    "tags",
                    nautobot.core.models.fields.TagsField(
                        through="extras.TaggedItem", to="extras.Tag"
                    ),
                ),
            ],
            options={
                "ordering": ("port__pod", "port__number"),
            },
            bases=(
                nautobot.extras.models.mixins.DataComplianceModelMixin,
                nautobot.extras.models.mixins.DynamicGroupMixin,
                nautobot.extras.models.mixins.NotesMixin,
                models.Model,
            ),
        ),
        migrations.CreateModel(
            name="AuditRun",
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
                ("created", models.DateTimeField(auto_now_add=True, null=True)),
                ("last_updated", models.DateTimeField(auto_now=True, null=True)),
                (
                    "_custom_field_data",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("scope", models.CharField(default="pod", max_length=16)),
                ("places", models.CharField(blank=True, max_length=255)),
                ("light", models.BooleanField(default=False)),
                ("state", models.CharField(default="queued", max_length=16)),
                ("started", models.DateTimeField(blank=True, null=True)),
                ("ended", models.DateTimeField(blank=True, null=True)),
                ("duration", models.FloatField(blank=True, null=True)),
                ("cables", models.PositiveIntegerField(default=0)),
                ("expected", models.PositiveIntegerField(default=0)),
                ("found", models.PositiveIntegerField(default=0)),
                ("new", models.PositiveIntegerField(default=0)),
                ("gone", models.PositiveIntegerField(default=0)),
                ("still", models.PositiveIntegerField(default=0)),
                ("by_code", models.JSONField(blank=True, default=dict)),
                ("by_severity", models.JSONField(blank=True, default=dict)),
                ("keys", models.JSONField(blank=True, default=dict)),
                ("not_reached", models.JSONField(blank=True, default=dict)),
                ("fingerprints", models.JSONField(blank=True, default=dict)),
                ("gate", models.CharField(blank=True, max_length=8)),
                ("message", models.TextField(blank=True)),
                ("lease_token", models.UUIDField(blank=True, editable=False, null=True)),
                ("lease_until", models.DateTimeField(blank=True, editable=False, null=True)),
                (
                    "before",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="followed_by",
                        to="fabric_twin.auditrun",
                    ),
                ),
                (
                    "job_result",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="fabric_audits",
                        to="extras.jobresult",
                    ),
                ),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="audit_runs",
                        to="fabric_twin.pod",
                    ),
                ),
                (
                    "tags",
                    nautobot.core.models.fields.TagsField(
                        through="extras.TaggedItem", to="extras.Tag"
                    ),
                ),
            ],
            options={
                "ordering": ("pod", "-number"),
                "constraints": [
                    models.UniqueConstraint(fields=("pod", "number"), name="twin_one_run_a_number"),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "running")),
                        fields=("pod",),
                        name="twin_one_run_at_a_time",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "running"), _negated=True),
                            models.Q(
                                ("lease_token__isnull", False), ("lease_until__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="twin_who_runs_has_a_lease",
                    ),
                ],
            },
            bases=(
                nautobot.extras.models.mixins.DataComplianceModelMixin,
                nautobot.extras.models.mixins.DynamicGroupMixin,
                nautobot.extras.models.mixins.NotesMixin,
                models.Model,
            ),
        ),
        migrations.AddIndex(
            model_name="finding",
            index=models.Index(fields=["pod", "state"], name="twin_findings_by_state"),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.UniqueConstraint(
                fields=("pod", "key"), name="twin_one_finding_a_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("mended_at__isnull", False), ("state", "mended")),
                    models.Q(
                        models.Q(("state", "mended"), _negated=True), ("mended_at__isnull", True)
                    ),
                    _connector="OR",
                ),
                name="twin_mended_since_when",
            ),
        ),
        migrations.AddConstraint(
            model_name="findingplace",
            constraint=models.UniqueConstraint(
                fields=("finding", "number"), name="twin_one_place_a_line"
            ),
        ),
        migrations.AddConstraint(
            model_name="substitution",
            constraint=models.CheckConstraint(
                condition=models.Q(("port", models.F("spare")), _negated=True),
                name="twin_no_port_is_its_own_spare",
            ),
        ),
    ]
