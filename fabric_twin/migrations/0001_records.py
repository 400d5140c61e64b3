"""All that the App keeps in Nautobot's database; each record comes after those that it names."""

import uuid
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import migrations, models
from nautobot.core.models.fields import TagsField
from nautobot.extras.models.mixins import DataComplianceModelMixin, DynamicGroupMixin, NotesMixin
from nautobot.extras.models.statuses import StatusField


def row(name: str, options: dict[str, Any], /, **fields: Any) -> migrations.CreateModel:
    """A table of a `BaseModel`."""
    key = models.UUIDField(
        default=uuid.uuid4, editable=False, primary_key=True, serialize=False, unique=True
    )
    return migrations.CreateModel(name, list({"id": key, **fields}.items()), options)


def kept(name: str, options: dict[str, Any], /, **fields: Any) -> migrations.CreateModel:
    """A table of a `PrimaryModel`: a record with a page, a change log, tags and notes."""
    made = row(
        name,
        options,
        created=models.DateTimeField(auto_now_add=True, null=True),
        last_updated=models.DateTimeField(auto_now=True, null=True),
        _custom_field_data=models.JSONField(blank=True, default=dict, encoder=DjangoJSONEncoder),
        **fields,
        tags=TagsField(through="extras.TaggedItem", to="extras.Tag"),
    )
    made.bases = (DataComplianceModelMixin, DynamicGroupMixin, NotesMixin, models.Model)
    return made


#: A chip is in one slice, and a whole cube shares none: no constraint on one row can say that.
#: Two parts of one cube wait for each other (nothing else does), and then see each other.
MAKE = """
CREATE FUNCTION twin_a_chip_in_one_slice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.cube_id::text, 0));
    IF EXISTS (
        SELECT FROM fabric_twin_slicepart AS other
        WHERE other.cube_id = NEW.cube_id AND other.id <> NEW.id AND (
            other.chips IS NULL OR NEW.chips IS NULL OR EXISTS (
                SELECT FROM jsonb_array_elements(other.chips) AS theirs
                JOIN jsonb_array_elements(NEW.chips) AS ours ON theirs = ours
            )
        )
    ) THEN
        RAISE EXCEPTION 'a chip of cube % is in another slice', NEW.cube_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'twin_a_chip_in_one_slice';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER twin_a_chip_in_one_slice
    AFTER INSERT OR UPDATE OF cube_id, chips ON fabric_twin_slicepart
    FOR EACH ROW EXECUTE FUNCTION twin_a_chip_in_one_slice();
"""

UNMAKE = """
DROP TRIGGER twin_a_chip_in_one_slice ON fabric_twin_slicepart;
DROP FUNCTION twin_a_chip_in_one_slice;
"""


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("dcim", "0097_virtualdevicecontext_controller_managed_device_group"),
        ("extras", "0145_objectmetadata_assigned_object_type_cascade"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        kept(
            "Pod",
            {"ordering": ("name",)},
            name=models.CharField(max_length=32, unique=True),
            design=models.CharField(max_length=100),
            description=models.CharField(max_length=255, blank=True),
            location=models.ForeignKey("dcim.location", models.PROTECT, related_name="fabric_pods"),
            status=StatusField(to="extras.status", on_delete=models.PROTECT),
            serials_follow=models.BooleanField(
                verbose_name="serials follow the fabric",
                default=False,
                help_text="Overwrite recorded serials with the fabric's instead of raising a finding",
            ),
        ),
        kept(
            "Cube",
            {
                "ordering": ("pod", "slot"),
                "constraints": [
                    models.UniqueConstraint(fields=("pod", "slot"), name="twin_one_cube_a_slot"),
                    models.CheckConstraint(
                        condition=models.Q(("slot__gte", 1)), name="twin_slots_count_from_1"
                    ),
                ],
            },
            slot=models.PositiveSmallIntegerField(),
            rack=models.OneToOneField("dcim.rack", models.PROTECT, related_name="fabric_cube"),
            status=StatusField(to="extras.status", on_delete=models.PROTECT),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="cubes"),
            address=models.CharField(
                max_length=255,
                blank=True,
                help_text="HOST:PORT of its gNMI server; empty is not reached",
            ),
            target=models.CharField(
                max_length=64, blank=True, help_text="Its name behind an address that several share"
            ),
        ),
        kept(
            "Slice",
            {
                "ordering": ("pod", "name"),
                "constraints": [
                    models.UniqueConstraint(fields=("pod", "name"), name="twin_one_slice_a_name")
                ],
            },
            name=models.CharField(max_length=255),
            shape=models.CharField(max_length=64),
            twisted=models.BooleanField(default=False),
            description=models.CharField(max_length=255, blank=True),
            pod=models.ForeignKey("fabric_twin.pod", models.PROTECT, related_name="slices"),
            status=StatusField(to="extras.status", on_delete=models.PROTECT),
        ),
        row(
            "SlicePart",
            {
                "ordering": ("slice", "place"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("slice", "place"), name="twin_one_cube_a_place"
                    ),
                    models.UniqueConstraint(fields=("slice", "cube"), name="twin_one_place_a_cube"),
                    models.UniqueConstraint(
                        condition=models.Q(("chips__isnull", True)),
                        fields=("cube",),
                        name="twin_a_whole_cube_in_one_slice",
                    ),
                ],
            },
            place=models.PositiveSmallIntegerField(),
            chips=models.JSONField(blank=True, null=True),
            cube=models.ForeignKey("fabric_twin.cube", models.PROTECT, related_name="parts"),
            slice=models.ForeignKey("fabric_twin.slice", models.CASCADE, related_name="parts"),
        ),
        migrations.RunSQL(MAKE, UNMAKE),
        kept(
            "Switch",
            {
                "verbose_name_plural": "switches",
                "ordering": ("pod", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pod", "number"), name="twin_one_switch_a_number"
                    )
                ],
            },
            number=models.PositiveSmallIntegerField(),
            axis=models.CharField(max_length=1, editable=False),
            index=models.CharField(max_length=32, editable=False),
            address=models.CharField(max_length=255, blank=True),
            target=models.CharField(max_length=64, blank=True),
            dialect=models.CharField(max_length=32, default="sonic"),
            device=models.OneToOneField(
                "dcim.device", models.PROTECT, related_name="fabric_switch"
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="switches"),
            status=StatusField(to="extras.status", on_delete=models.PROTECT),
        ),
        row(
            "Port",
            {
                "ordering": ("pod", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pod", "number"), name="twin_one_port_a_number"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cube__isnull", True), ("switch__isnull", True), _connector="XOR"
                        ),
                        name="twin_ports_of_a_cube_or_a_switch",
                    ),
                ],
            },
            number=models.PositiveIntegerField(),
            cube=models.ForeignKey(
                "fabric_twin.cube", models.CASCADE, blank=True, null=True, related_name="ports"
            ),
            interface=models.OneToOneField(
                "dcim.interface", models.PROTECT, related_name="fabric_port"
            ),
            module_bay=models.ForeignKey(
                "dcim.modulebay",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="fabric_ports",
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="ports"),
            switch=models.ForeignKey(
                "fabric_twin.switch", models.CASCADE, blank=True, null=True, related_name="ports"
            ),
        ),
        kept(
            "OpticalCircuit",
            {
                "ordering": ("switch", "a", "b"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("switch", "a", "b"), name="twin_one_circuit_a_row"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("wanted", True)),
                        fields=("switch", "a"),
                        name="twin_a_in_one_wanted_circuit",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("wanted", True)),
                        fields=("switch", "b"),
                        name="twin_b_in_one_wanted_circuit",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("seen", True)),
                        fields=("switch", "a"),
                        name="twin_a_in_one_seen_circuit",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("seen", True)),
                        fields=("switch", "b"),
                        name="twin_b_in_one_seen_circuit",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("wanted", True), ("seen", True), _connector="OR"),
                        name="twin_circuits_wanted_or_seen",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("a__gte", 1), ("b__gte", 1)),
                        name="twin_circuit_ports_from_1",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("slice__isnull", True), ("wanted", True), _connector="OR"
                        ),
                        name="twin_slices_want_their_circuits",
                    ),
                ],
            },
            a=models.PositiveSmallIntegerField(),
            b=models.PositiveSmallIntegerField(),
            wanted=models.BooleanField(default=True),
            seen=models.BooleanField(default=False),
            slice=models.ForeignKey(
                "fabric_twin.slice", models.PROTECT, blank=True, null=True, related_name="circuits"
            ),
            switch=models.ForeignKey("fabric_twin.switch", models.CASCADE, related_name="circuits"),
        ),
        row(
            "WrittenEnd",
            {
                "ordering": ("pod", "cable", "cable_end"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("cable", "cable_end"), name="twin_one_end_as_written"
                    )
                ],
            },
            cable_end=models.CharField(max_length=1),
            device=models.CharField(max_length=255, blank=True),
            port=models.CharField(max_length=255, blank=True),
            cable=models.ForeignKey(
                "dcim.cable", models.CASCADE, related_name="fabric_written_ends"
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="written_ends"),
        ),
        row(
            "LightDay",
            {
                "ordering": ("pod", "day"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cube__isnull", True), ("switch__isnull", True), _connector="XOR"
                        ),
                        name="twin_light_of_a_cube_or_a_switch",
                    ),
                    models.UniqueConstraint(fields=("switch", "day"), name="twin_one_day_a_switch"),
                    models.UniqueConstraint(fields=("cube", "day"), name="twin_one_day_a_cube"),
                ],
            },
            day=models.DateField(),
            readings=models.PositiveIntegerField(),
            least=models.JSONField(default=dict),
            last=models.JSONField(default=dict),
            most=models.JSONField(default=dict),
            cube=models.ForeignKey(
                "fabric_twin.cube", models.CASCADE, blank=True, null=True, related_name="light_days"
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="light_days"),
            switch=models.ForeignKey(
                "fabric_twin.switch",
                models.CASCADE,
                blank=True,
                null=True,
                related_name="light_days",
            ),
        ),
        row(
            "Reading",
            {
                "ordering": ("pod", "switch", "cube"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cube__isnull", True), ("switch__isnull", True), _connector="XOR"
                        ),
                        name="twin_readings_of_a_cube_or_a_switch",
                    )
                ],
            },
            asked=models.DateTimeField(),
            answered=models.DateTimeField(blank=True, null=True),
            told_at=models.DateTimeField(blank=True, null=True),
            silence=models.CharField(max_length=255, blank=True),
            facts=models.JSONField(blank=True, default=dict),
            cube=models.OneToOneField(
                "fabric_twin.cube", models.CASCADE, blank=True, null=True, related_name="reading"
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="readings"),
            switch=models.OneToOneField(
                "fabric_twin.switch", models.CASCADE, blank=True, null=True, related_name="reading"
            ),
        ),
        kept(
            "Finding",
            {
                "ordering": ("pod", "severity", "-opened", "key"),
                "indexes": [models.Index(fields=["pod", "state"], name="twin_findings_by_state")],
                "constraints": [
                    models.UniqueConstraint(fields=("pod", "key"), name="twin_one_finding_a_key"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("mended_at__isnull", False), ("state", "mended")),
                            models.Q(
                                models.Q(("state", "mended"), _negated=True),
                                ("mended_at__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="twin_mended_since_when",
                    ),
                ],
            },
            key=models.CharField(max_length=64),
            code=models.CharField(max_length=32),
            severity=models.CharField(max_length=8),
            cause=models.TextField(),
            state=models.CharField(max_length=16, default="open"),
            observed=models.BooleanField(default=False),
            first_seen=models.DateTimeField(),
            opened=models.DateTimeField(),
            last_seen=models.DateTimeField(),
            mended_at=models.DateTimeField(blank=True, null=True),
            reopened=models.PositiveIntegerField(default=0),
            strays=models.JSONField(blank=True, default=list),
            evidence_then=models.JSONField(blank=True, default=dict),
            evidence_now=models.JSONField(blank=True, default=dict),
            remedy=models.JSONField(blank=True, default=list),
            digest=models.CharField(max_length=32, editable=False),
            acknowledged_at=models.DateTimeField(blank=True, null=True),
            acknowledged_why=models.CharField(max_length=255, blank=True),
            worked_on=models.CharField(max_length=255, blank=True),
            acknowledged_by=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.SET_NULL, blank=True, null=True, related_name="+"
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="findings"),
            slices=models.ManyToManyField("fabric_twin.slice", blank=True, related_name="findings"),
        ),
        row(
            "FindingPlace",
            {
                "ordering": ("finding", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("finding", "number"), name="twin_one_place_a_line"
                    )
                ],
            },
            number=models.PositiveIntegerField(),
            device_name=models.CharField(max_length=255, blank=True),
            port_name=models.CharField(max_length=255, blank=True),
            cable_name=models.CharField(max_length=255, blank=True),
            cable=models.ForeignKey(
                "dcim.cable", models.CASCADE, blank=True, null=True, related_name="finding_places"
            ),
            device=models.ForeignKey(
                "dcim.device", models.CASCADE, blank=True, null=True, related_name="finding_places"
            ),
            finding=models.ForeignKey("fabric_twin.finding", models.CASCADE, related_name="places"),
            port=models.ForeignKey(
                "fabric_twin.port",
                models.CASCADE,
                blank=True,
                null=True,
                related_name="finding_places",
            ),
            rack=models.ForeignKey(
                "dcim.rack", models.CASCADE, blank=True, null=True, related_name="finding_places"
            ),
        ),
        kept(
            "Silence",
            {"ordering": ("pod", "until", "created")},
            code=models.CharField(max_length=32, blank=True),
            until=models.DateTimeField(),
            reason=models.CharField(max_length=255),
            cable=models.ForeignKey(
                "dcim.cable", models.CASCADE, blank=True, null=True, related_name="fabric_silences"
            ),
            device=models.ForeignKey(
                "dcim.device", models.CASCADE, blank=True, null=True, related_name="fabric_silences"
            ),
            finding=models.ForeignKey(
                "fabric_twin.finding",
                models.CASCADE,
                blank=True,
                null=True,
                related_name="silences",
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="silences"),
            tag=models.ForeignKey(
                "extras.tag", models.CASCADE, blank=True, null=True, related_name="fabric_silences"
            ),
            user=models.ForeignKey(
                settings.AUTH_USER_MODEL,
                models.SET_NULL,
                blank=True,
                null=True,
                editable=False,
                related_name="+",
            ),
        ),
        kept(
            "Substitution",
            {
                "ordering": ("port__pod", "port__number"),
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("port", models.F("spare")), _negated=True),
                        name="twin_no_port_is_its_own_spare",
                    )
                ],
            },
            reason=models.CharField(max_length=255, blank=True),
            port=models.OneToOneField(
                "fabric_twin.port", models.CASCADE, related_name="substitution"
            ),
            spare=models.OneToOneField(
                "fabric_twin.port", models.CASCADE, related_name="stands_in"
            ),
        ),
        kept(
            "AuditRun",
            {
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
            number=models.PositiveIntegerField(),
            scope=models.CharField(max_length=16, default="pod"),
            places=models.CharField(max_length=255, blank=True),
            light=models.BooleanField(default=False),
            state=models.CharField(max_length=16, default="queued"),
            started=models.DateTimeField(blank=True, null=True),
            ended=models.DateTimeField(blank=True, null=True),
            duration=models.FloatField(blank=True, null=True),
            cables=models.PositiveIntegerField(default=0),
            expected=models.PositiveIntegerField(default=0),
            found=models.PositiveIntegerField(default=0),
            new=models.PositiveIntegerField(default=0),
            gone=models.PositiveIntegerField(default=0),
            still=models.PositiveIntegerField(default=0),
            by_code=models.JSONField(blank=True, default=dict),
            by_severity=models.JSONField(blank=True, default=dict),
            keys=models.JSONField(blank=True, default=dict),
            not_reached=models.JSONField(blank=True, default=dict),
            fingerprints=models.JSONField(blank=True, default=dict),
            gate=models.CharField(max_length=8, blank=True),
            message=models.TextField(blank=True),
            lease_token=models.UUIDField(blank=True, null=True, editable=False),
            lease_until=models.DateTimeField(blank=True, null=True, editable=False),
            before=models.ForeignKey(
                "fabric_twin.auditrun",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="followed_by",
            ),
            job_result=models.ForeignKey(
                "extras.jobresult",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="fabric_audits",
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="audit_runs"),
        ),
        row(
            "Touch",
            {
                "verbose_name_plural": "touches",
                "ordering": ("pod", "since"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pod", "port", "switch", "cube"),
                        name="twin_one_touch_a_place",
                        nulls_distinct=False,
                    )
                ],
            },
            since=models.DateTimeField(),
            last=models.DateTimeField(),
            cube=models.ForeignKey("fabric_twin.cube", models.CASCADE, null=True, related_name="+"),
            pod=models.ForeignKey("fabric_twin.pod", models.CASCADE, related_name="touches"),
            port=models.ForeignKey("fabric_twin.port", models.CASCADE, null=True, related_name="+"),
            switch=models.ForeignKey(
                "fabric_twin.switch", models.CASCADE, null=True, related_name="+"
            ),
        ),
        kept(
            "Ticket",
            {
                "ordering": ("pod", "-number", "-revision"),
                "permissions": (
                    ("emergency_ticket", "Approve an own ticket in an emergency"),
                    ("run_ticket", "Carry out, stop and undo a ticket"),
                ),
                "indexes": [models.Index(fields=["pod", "state"], name="twin_tickets_by_state")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pod", "number", "revision"), name="twin_one_ticket_a_revision"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True),
                            models.Q(("state", "undone"), _negated=True),
                            models.Q(("state", "withdrawn"), _negated=True),
                        ),
                        fields=("pod", "number"),
                        name="twin_one_open_revision",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("window_start__isnull", True),
                            ("window_end__isnull", True),
                            ("window_end__gt", models.F("window_start")),
                            _connector="OR",
                        ),
                        name="twin_windows_end_after_they_start",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("approved_by__isnull", True),
                            ("emergency", True),
                            models.Q(("approved_by", models.F("author")), _negated=True),
                            _connector="OR",
                        ),
                        name="twin_nobody_approves_their_own",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("reviewed_by__isnull", True),
                            models.Q(("reviewed_by", models.F("author")), _negated=True),
                            _connector="OR",
                        ),
                        name="twin_nobody_reviews_their_own",
                    ),
                ],
            },
            number=models.PositiveIntegerField(),
            revision=models.PositiveSmallIntegerField(default=1),
            kind=models.CharField(max_length=16),
            title=models.CharField(max_length=255),
            reason=models.TextField(blank=True),
            risk=models.CharField(max_length=8, default="low"),
            risk_reason=models.CharField(max_length=255, blank=True),
            state=models.CharField(max_length=16, default="draft"),
            window_start=models.DateTimeField(blank=True, null=True),
            window_end=models.DateTimeField(blank=True, null=True),
            on_failure=models.CharField(max_length=8, default="undo"),
            most_bad=models.PositiveIntegerField(default=0),
            wish=models.JSONField(blank=True, default=dict),
            plan=models.JSONField(blank=True, default=dict),
            blast=models.JSONField(blank=True, default=dict),
            warnings=models.JSONField(blank=True, default=list),
            fingerprint=models.CharField(max_length=64, blank=True, editable=False),
            submitted_at=models.DateTimeField(blank=True, null=True),
            approved_at=models.DateTimeField(blank=True, null=True),
            emergency=models.BooleanField(default=False),
            reviewed_at=models.DateTimeField(blank=True, null=True),
            review=models.TextField(blank=True),
            stage=models.PositiveSmallIntegerField(default=1),
            direction=models.CharField(max_length=8, default="forward"),
            tries=models.PositiveSmallIntegerField(default=0),
            dark=models.JSONField(blank=True, default=list, editable=False),
            started=models.DateTimeField(blank=True, null=True),
            ended=models.DateTimeField(blank=True, null=True),
            message=models.TextField(blank=True),
            lease_token=models.UUIDField(blank=True, null=True, editable=False),
            lease_until=models.DateTimeField(blank=True, null=True, editable=False),
            approved_by=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.PROTECT, blank=True, null=True, related_name="+"
            ),
            author=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.PROTECT, related_name="fabric_tickets"
            ),
            finding=models.ForeignKey(
                "fabric_twin.finding",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="tickets",
            ),
            job_result=models.ForeignKey(
                "extras.jobresult",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="fabric_tickets",
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.PROTECT, related_name="tickets"),
            reviewed_by=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.PROTECT, blank=True, null=True, related_name="+"
            ),
            revises=models.OneToOneField(
                "fabric_twin.ticket",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="revised_by",
            ),
            slice=models.ForeignKey(
                "fabric_twin.slice", models.SET_NULL, blank=True, null=True, related_name="tickets"
            ),
        ),
        row(
            "TicketStage",
            {
                "ordering": ("ticket", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("ticket", "number"), name="twin_one_stage_a_number"
                    )
                ],
            },
            number=models.PositiveSmallIntegerField(),
            state=models.CharField(max_length=16, default="waiting"),
            removes=models.PositiveIntegerField(default=0),
            adds=models.PositiveIntegerField(default=0),
            switches=models.PositiveIntegerField(default=0),
            interrupts=models.JSONField(blank=True, default=list),
            started=models.DateTimeField(blank=True, null=True),
            ended=models.DateTimeField(blank=True, null=True),
            tries=models.PositiveSmallIntegerField(default=0),
            report=models.JSONField(blank=True, default=dict),
            ticket=models.ForeignKey("fabric_twin.ticket", models.CASCADE, related_name="stages"),
        ),
        row(
            "TicketDrain",
            {
                "ordering": ("ticket", "slice"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("ticket", "slice"), name="twin_one_drain_a_slice"
                    )
                ],
            },
            at=models.DateTimeField(),
            note=models.CharField(max_length=255, blank=True),
            confirmed_by=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.SET_NULL, blank=True, null=True, related_name="+"
            ),
            slice=models.ForeignKey("fabric_twin.slice", models.CASCADE, related_name="drains"),
            ticket=models.ForeignKey("fabric_twin.ticket", models.CASCADE, related_name="drains"),
        ),
        row(
            "TicketEvent",
            {
                "ordering": ("ticket", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("ticket", "number"), name="twin_one_event_a_number"
                    )
                ],
            },
            number=models.PositiveIntegerField(),
            at=models.DateTimeField(),
            what=models.CharField(max_length=32),
            said=models.TextField(blank=True),
            detail=models.JSONField(blank=True, default=dict),
            ticket=models.ForeignKey("fabric_twin.ticket", models.CASCADE, related_name="events"),
            who=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.SET_NULL, blank=True, null=True, related_name="+"
            ),
        ),
        kept(
            "WorkOrder",
            {
                "ordering": ("pod", "-number"),
                "permissions": (("do_workorder", "Do the steps of an order"),),
                "indexes": [models.Index(fields=["pod", "state"], name="twin_orders_by_state")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("pod", "number"), name="twin_one_order_a_number"
                    )
                ],
            },
            number=models.PositiveIntegerField(),
            kind=models.CharField(max_length=16),
            title=models.CharField(max_length=255),
            reason=models.TextField(blank=True),
            state=models.CharField(max_length=16, default="drafted"),
            wish=models.JSONField(blank=True, default=dict),
            facts=models.JSONField(blank=True, default=dict),
            measure=models.JSONField(blank=True, default=dict),
            crews=models.PositiveSmallIntegerField(default=1),
            due=models.DateTimeField(blank=True, null=True),
            elsewhere=models.CharField(max_length=255, blank=True),
            started=models.DateTimeField(blank=True, null=True),
            ended=models.DateTimeField(blank=True, null=True),
            worked=models.FloatField(default=0),
            under_way_since=models.DateTimeField(blank=True, null=True, editable=False),
            message=models.TextField(blank=True),
            assignee=models.ForeignKey(
                settings.AUTH_USER_MODEL,
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="assigned_orders",
            ),
            author=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.PROTECT, related_name="work_orders"
            ),
            findings=models.ManyToManyField(
                "fabric_twin.finding", blank=True, related_name="work_orders"
            ),
            pod=models.ForeignKey("fabric_twin.pod", models.PROTECT, related_name="work_orders"),
            team=models.ForeignKey(
                "extras.team", models.SET_NULL, blank=True, null=True, related_name="work_orders"
            ),
            tickets=models.ManyToManyField(
                "fabric_twin.ticket", blank=True, related_name="work_orders"
            ),
        ),
        row(
            "OrderStep",
            {
                "ordering": ("order", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("order", "number"), name="twin_one_step_a_number"
                    )
                ],
            },
            number=models.PositiveIntegerField(),
            do=models.CharField(max_length=16),
            state=models.CharField(max_length=16, default="waiting"),
            crew=models.PositiveSmallIntegerField(default=1),
            bundle=models.CharField(max_length=255, blank=True),
            cable=models.CharField(max_length=255, blank=True),
            facts=models.JSONField(default=dict),
            why=models.TextField(blank=True),
            done_at=models.DateTimeField(blank=True, null=True),
            verified_at=models.DateTimeField(blank=True, null=True),
            device=models.ForeignKey(
                "dcim.device", models.SET_NULL, blank=True, null=True, related_name="order_steps"
            ),
            done_by=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.SET_NULL, blank=True, null=True, related_name="+"
            ),
            finding=models.ForeignKey(
                "fabric_twin.finding",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="order_steps",
            ),
            port=models.ForeignKey(
                "fabric_twin.port",
                models.SET_NULL,
                blank=True,
                null=True,
                related_name="order_steps",
            ),
            rack=models.ForeignKey(
                "dcim.rack", models.SET_NULL, blank=True, null=True, related_name="order_steps"
            ),
            order=models.ForeignKey("fabric_twin.workorder", models.CASCADE, related_name="steps"),
        ),
        row(
            "StepReport",
            {
                "ordering": ("order", "received"),
                "constraints": [
                    models.UniqueConstraint(fields=("order", "said_id"), name="twin_said_once")
                ],
            },
            said_id=models.CharField(max_length=64),
            step=models.PositiveIntegerField(),
            told=models.CharField(max_length=16),
            at=models.DateTimeField(),
            received=models.DateTimeField(),
            scanned=models.TextField(blank=True),
            reason=models.TextField(blank=True),
            taken=models.BooleanField(default=True),
            answer=models.JSONField(blank=True, default=dict),
            by=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.SET_NULL, blank=True, null=True, related_name="+"
            ),
            order=models.ForeignKey(
                "fabric_twin.workorder", models.CASCADE, related_name="reports"
            ),
        ),
        row(
            "StepPhoto",
            {"ordering": ("report",)},
            image=models.BinaryField(),
            kind=models.CharField(max_length=32),
            report=models.OneToOneField(
                "fabric_twin.stepreport", models.CASCADE, related_name="photo"
            ),
        ),
        row(
            "OrderEvent",
            {
                "ordering": ("order", "number"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("order", "number"), name="twin_one_order_event_a_number"
                    )
                ],
            },
            number=models.PositiveIntegerField(),
            at=models.DateTimeField(),
            what=models.CharField(max_length=32),
            said=models.TextField(blank=True),
            who=models.ForeignKey(
                settings.AUTH_USER_MODEL, models.SET_NULL, blank=True, null=True, related_name="+"
            ),
            order=models.ForeignKey("fabric_twin.workorder", models.CASCADE, related_name="events"),
        ),
        row(
            "Reservation",
            {
                "ordering": ("ticket", "switch", "side", "port"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("switch", "side", "port"), name="twin_one_reservation_a_port"
                    ),
                    models.UniqueConstraint(fields=("cube",), name="twin_one_reservation_a_cube"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("cube__isnull", True),
                                ("port__gte", 1),
                                ("switch__isnull", False),
                                models.Q(("side", "A"), ("side", "B"), _connector="OR"),
                            ),
                            models.Q(
                                ("cube__isnull", False),
                                ("port__isnull", True),
                                ("side", ""),
                                ("switch__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="twin_a_port_or_a_cube",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("ticket__isnull", True), ("order__isnull", True), _connector="XOR"
                        ),
                        name="twin_a_ticket_or_an_order",
                    ),
                ],
            },
            side=models.CharField(max_length=1, blank=True),
            port=models.PositiveSmallIntegerField(blank=True, null=True),
            cube=models.ForeignKey(
                "fabric_twin.cube",
                models.PROTECT,
                blank=True,
                null=True,
                related_name="reservations",
            ),
            switch=models.ForeignKey(
                "fabric_twin.switch",
                models.PROTECT,
                blank=True,
                null=True,
                related_name="reservations",
            ),
            ticket=models.ForeignKey(
                "fabric_twin.ticket",
                models.CASCADE,
                blank=True,
                null=True,
                related_name="reservations",
            ),
            order=models.ForeignKey(
                "fabric_twin.workorder",
                models.CASCADE,
                blank=True,
                null=True,
                related_name="reservations",
            ),
        ),
        kept(
            "Stock",
            {
                "verbose_name_plural": "stock",
                "ordering": ("part", "location"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("part", "location"), name="twin_one_stock_a_part"
                    )
                ],
            },
            part=models.CharField(max_length=255),
            on_hand=models.PositiveIntegerField(default=0),
            ordered=models.PositiveIntegerField(default=0),
            location=models.ForeignKey(
                "dcim.location", models.PROTECT, related_name="fabric_stock"
            ),
        ),
    ]
