"""What is reached over the network: where it answers, by what name, and who says that it is it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.choices import ChoiceSet

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.identity import ConfirmedBy
from fabric_twin.inventory.addresses import canonical_address

#: Asked before a record gets another address; operations say who may (`app_config.py`).
_CHECKS: list[Callable[[Any], None]] = []


def ask_before_connecting(check: Callable[[Any], None]) -> None:
    """Have this asked before a record gets another address."""
    if check not in _CHECKS:
        _CHECKS.append(check)


def check_connecting(record: Any) -> None:
    try:
        for check in _CHECKS:
            check(record)
    except FabricTwinError as refusal:
        raise ValidationError(
            {"address": ValidationError("%(why)s", params={"why": refusal})}
        ) from None


class ConfirmedByChoices(ChoiceSet):
    """How it came to be known that the recorded device answers."""

    CHOICES = (
        (ConfirmedBy.LOAD, "By its load"),
        (ConfirmedBy.PERSON, "By a person"),
        (ConfirmedBy.ORDER, "By a work order"),
        (ConfirmedBy.TEST_CIRCUIT, "By a test circuit"),
    )


class Reached(models.Model):
    """A device of a pod that tells of itself."""

    address = models.CharField(
        max_length=255,
        blank=True,
        help_text="HOST:PORT of its gNMI server; empty: it is not contacted",
    )
    target = models.CharField(
        max_length=64, blank=True, help_text="Its name, where several devices share an address"
    )

    called = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="What it calls itself, where that is not its name here",
    )
    confirmed_by = models.CharField(
        max_length=16,
        blank=True,
        editable=False,
        choices=ConfirmedByChoices,
        help_text="How it is known that the recorded device answers there",
    )
    confirmed_at = models.DateTimeField(null=True, blank=True, editable=False)

    #: The code that writes it has checked that it may be connected.
    is_vouched = False

    class Meta:
        abstract = True

    def clean(self) -> None:
        """Refuse an address that nobody could answer at, or that another device has."""
        super().clean()
        try:
            if self.address:
                self.address = canonical_address(self.address, "address")
        except FabricTwinError as refusal:
            raise ValidationError(
                {"address": ValidationError("%(why)s", params={"why": refusal})}
            ) from None
        if self._is_moved() and not self.is_vouched:
            check_connecting(self)
        if self.address:
            self._check_alone()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write it, with its address in the one way: REST saves what it was given."""
        with suppress(FabricTwinError):
            self.address = canonical_address(self.address, "address") if self.address else ""
        super().save(*args, **kwargs)

    def _is_moved(self) -> bool:
        """Whether it gets another address, or is another device: who was seen is not it, then."""
        of_what = "device_id" if hasattr(self, "device_id") else "rack_id"
        facts = ("address", "target", "pod_id", of_what)
        was = type(self)._default_manager.filter(pk=self.pk).values_list(*facts).first()
        if was is None:
            return bool(self.address)
        now = tuple(getattr(self, fact) for fact in facts)
        if was == now:
            return False
        # A gateway that moved is held against the same names; another device is another matter.
        if self.confirmed_by != ConfirmedBy.LOAD or was[2:] != now[2:]:
            self.confirmed_by, self.confirmed_at = ConfirmedBy.NOBODY.value, None
        return bool(self.address or was[0])

    def _check_alone(self) -> None:
        """Two records of one device would let each change what is the other's."""
        for model in Reached.__subclasses__():
            there = model._default_manager.filter(address=self.address, target=self.target)
            other: Any = there.exclude(pk=self.pk).first()
            if other:
                name = f"{self.address} {self.target}".rstrip()
                raise ValidationError(
                    {"address": f"{name} is {other} of pod {other.pod.name} already."}
                )
