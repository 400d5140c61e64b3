"""A circuit: one A-B cross-connect of a switch, wanted by the inventory, seen, or both."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.models import PrimaryModel, extras_features

from fabric_twin.core.kinds import Verb, why_not
from fabric_twin.core.topology.by_rule import end_of_port
from fabric_twin.models.substitution import Substitution
from fabric_twin.models.ticket_course import Reservation


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class OpticalCircuit(PrimaryModel):
    """Port a of side A joined to port b of side B: 7 and 9 are `7A` and `9B`.

    Optical, because a Circuit of Nautobot is a line that a provider sells.
    What is wanted and what is seen may differ, so a port can be in two rows: in one circuit that is
    wanted and in another that is seen. The database holds each port to one circuit of either kind.
    """

    switch = models.ForeignKey("fabric_twin.Switch", models.CASCADE, related_name="circuits")
    a = models.PositiveSmallIntegerField(verbose_name="A port")
    b = models.PositiveSmallIntegerField(verbose_name="B port")
    slice = models.ForeignKey(
        "fabric_twin.Slice", models.PROTECT, related_name="circuits", null=True, blank=True
    )
    wanted = models.BooleanField(default=True, help_text="The inventory wants it to be there")
    seen = models.BooleanField(default=False, help_text="The switch said that it is there")

    clone_fields = ("switch", "slice")
    natural_key_field_names = ("switch", "a", "b")

    class Meta:
        ordering = ("switch", "a", "b")
        constraints = (
            models.UniqueConstraint(fields=("switch", "a", "b"), name="twin_one_circuit_a_row"),
            models.UniqueConstraint(
                fields=("switch", "a"),
                condition=models.Q(wanted=True),
                name="twin_a_in_one_wanted_circuit",
            ),
            models.UniqueConstraint(
                fields=("switch", "b"),
                condition=models.Q(wanted=True),
                name="twin_b_in_one_wanted_circuit",
            ),
            models.UniqueConstraint(
                fields=("switch", "a"),
                condition=models.Q(seen=True),
                name="twin_a_in_one_seen_circuit",
            ),
            models.UniqueConstraint(
                fields=("switch", "b"),
                condition=models.Q(seen=True),
                name="twin_b_in_one_seen_circuit",
            ),
            models.CheckConstraint(
                condition=models.Q(wanted=True) | models.Q(seen=True),
                name="twin_circuits_wanted_or_seen",
            ),
            models.CheckConstraint(
                condition=models.Q(a__gte=1, b__gte=1), name="twin_circuit_ports_from_1"
            ),
            models.CheckConstraint(
                condition=models.Q(slice__isnull=True) | models.Q(wanted=True),
                name="twin_slices_want_their_circuits",
            ),
        )

    def __str__(self) -> str:
        return f"{self.switch} {self.told}"

    @property
    def told(self) -> str:
        """Its ports, as SONiC names them; of a flow entry where packets come in and go out."""
        if self.switch.pod.is_cluster:
            return f"{self.a} -> {self.b}"
        return f"{self.a}A-{self.b}B"

    def clean(self) -> None:
        """Refuse ports that the design does not have; a slice's circuits stay as they are."""
        super().clean()
        if None in (self.switch_id, self.a, self.b):
            return
        design = self.switch.pod.design_to_check_by()
        if no := why_not(design.kind, Verb.CIRCUITS):
            raise ValidationError({"switch": f"{no.why[:1].upper()}{no.why[1:]}."})
        radix = design.radix
        for field in ("a", "b"):
            if not 1 <= getattr(self, field) <= radix:
                raise ValidationError({field: f"A side of the switch has ports 1 to {radix}."})
        if self.slice and self.slice.pod_id != self.switch.pod_id:
            raise ValidationError({"slice": "The slice is of another pod."})
        if not (self.wanted or self.seen):
            raise ValidationError({"wanted": "A circuit that nobody wants or sees is none."})
        if self.switch.pod.is_network:
            self._check_joins_two()
        self._check_slice_keeps_it()
        self._check_not_reserved()

    def _check_joins_two(self) -> None:
        """Refuse a circuit within a block; a spare is of the block whose port it stands in for."""
        layout = self.switch.pod.design_to_check_by().layout
        first = layout.ports_of_switch(self.switch.number)[0] - 1
        at = (first + self.a, first + layout.radix + self.b)
        rows = Substitution.objects.filter(spare__pod=self.switch.pod, spare__number__in=at)
        stands_in = dict(rows.values_list("spare__number", "port__number"))
        ends = {end_of_port(layout, stands_in.get(number, number)).port for number in at}
        if any(ends.issubset(block.places) for block in self.switch.pod.blocks.all()):
            raise ValidationError("Both ports are of one block: a link joins two blocks.")

    def validate_constraints(self, exclude: Any = None) -> None:
        """Name the circuit that a port is in already, where a constraint would name itself."""
        left_out = set(exclude or ())
        for kind in ("wanted", "seen"):
            for side in ("a", "b"):
                if getattr(self, kind) and not left_out & {"switch", side}:
                    self._check_port_is_free(kind, side)
        super().validate_constraints(exclude=exclude)

    def _check_port_is_free(self, kind: str, side: str) -> None:
        alike = {"switch": self.switch_id, side: getattr(self, side), kind: True}
        on_port = OpticalCircuit.objects.filter(**alike)
        if there := on_port.exclude(pk=self.pk).first():
            raise ValidationError({side: f"It is in a circuit that is {kind}: {there}."})

    def _check_slice_keeps_it(self) -> None:
        facts = ("switch_id", "a", "b", "wanted", "slice_id")
        joins = {name: getattr(self, name) for name in facts}
        held = OpticalCircuit.objects.filter(pk=self.pk, slice__isnull=False)
        if there := held.exclude(**joins).select_related("slice").first():
            raise ValidationError(
                "The slice %(slice)s holds it: release the slice first.",
                params={"slice": there.slice},
            )

    def _check_not_reserved(self) -> None:
        """Refuse to make or change a circuit on ports that a ticket or a work order holds."""
        facts = ("switch_id", "a", "b", "wanted", "seen", "slice_id")
        there = OpticalCircuit.objects.filter(pk=self.pk).first()
        if there and all(getattr(there, name) == getattr(self, name) for name in facts):
            return
        for one in (self, there):
            if one and (held := Reservation.of_ports(one.switch_id, one.a, one.b)):
                raise ValidationError("%(why)s.", params={"why": held.refusal})


def keep_what_a_slice_holds(instance: OpticalCircuit, **_: Any) -> None:
    """Refuse to delete a slice's circuit, alone, in bulk or with its switch; a release may."""
    if instance.slice:
        # No name in the words: Nautobot formats them, and lists the slices behind them itself.
        raise models.ProtectedError("Release what holds these circuits first: ", {instance.slice})
    if held := Reservation.of_ports(instance.switch_id, instance.a, instance.b):
        raise models.ProtectedError("Wait until what reserves these circuits ends: ", {held.holder})
