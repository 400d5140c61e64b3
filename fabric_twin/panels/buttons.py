"""Buttons that lead to a page about the record, or to a form filled in with it."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from nautobot.apps.ui import Button, ButtonColorChoices, PostButton
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.core.kinds import Verb
from fabric_twin.operations.acts import Deeds
from fabric_twin.operations.discovery.ask import can_be_discovered
from fabric_twin.operations.pods.ask_sync import can_be_read
from fabric_twin.panels.once import once
from fabric_twin.presenters.acts import Shown

#: Whether a button is shown for a record and a user.
Fits = Callable[[Any, Any], bool]


def _fits(button: Any, context: Any) -> bool:
    record, user = get_obj_from_context(context), context["request"].user
    return button.fits is None or bool(button.fits(record, user))


class RecordButton(Button):
    """Leads to a page about the record."""

    #: What the page is asked for, such as `{"form": "pdf"}`.
    asks: dict[str, str] = {}
    fits: Fits | None = None

    def should_render(self, context: Any) -> bool:
        """Only where it leads somewhere."""
        return bool(super().should_render(context)) and _fits(self, context)

    def get_link(self, context: Any) -> str:
        """The page, and what it is asked for."""
        page = super().get_link(context)
        return f"{page}?{urlencode(self.asks)}" if self.asks else page


def act_buttons(
    model: str, acts: Mapping[str, Shown], deeds: Deeds[Any, Any]
) -> Iterable[RecordButton]:
    """A button for each thing that people do with a record, for a user who can do it now."""
    for place, (act, shown) in enumerate(acts.items()):
        yield RecordButton(
            weight=100 + 10 * place,
            label=shown.label,
            icon=shown.icon,
            color=shown.color,
            link_name=f"plugins:fabric_twin:{model}_act",
            asks={"do": act},
            fits=partial(_can_act, deeds, act),
        )


def _can_act(deeds: Deeds[Any, Any], act: str, record: Any, user: User) -> bool:
    return any(deed.name == act for deed in once(deeds.possible, record, user))


def document_buttons(
    link_name: str,
    forms: Iterable[str],
    fits: Mapping[str, Fits] | None = None,
) -> Iterable[RecordButton]:
    """A button for each form of a record's document; some are there for some records alone."""
    for place, form in enumerate(forms):
        yield RecordButton(
            weight=500 + place,
            label="Labels" if form == "labels" else form.upper(),
            icon="mdi-file-document-outline",
            link_name=f"plugins:fabric_twin:{link_name}",
            asks={"form": form},
            fits=(fits or {}).get(form),
        )


class FittingPostButton(PostButton):
    """Does something at once, where that can be done with the record."""

    fits: Fits | None = None

    def should_render(self, context: Any) -> bool:
        """Only where it would not be refused at once."""
        return bool(super().should_render(context)) and _fits(self, context)


def sync_buttons(model: str) -> Iterable[FittingPostButton]:
    """Have what can answer read: and keep what it says, or only say what differs."""
    told = ("sync", "Sync", "mdi-sync"), ("compare", "Compare", "mdi-compare-horizontal")
    for place, (act, label, icon) in enumerate(told):
        yield FittingPostButton(
            weight=160 + place,
            label=label,
            icon=icon,
            link_name=f"plugins:fabric_twin:{model}_{act}",
            required_permissions=["extras.run_job"],
            fits=_can_be_read,
        )


def discover_button() -> FittingPostButton:
    """Have light show which cable of a pod is in which port."""
    return FittingPostButton(
        weight=165,
        label="Discover",
        icon="mdi-lightbulb-on-outline",
        link_name="plugins:fabric_twin:pod_discover",
        required_permissions=["extras.run_job", "fabric_twin.change_switch"],
        fits=_can_be_discovered,
    )


def _can_be_discovered(pod: Any, _user: User) -> bool:
    return can_be_discovered(pod)


def _can_be_read(record: Any, _user: User) -> bool:
    return can_be_read(record)


class FilledFormButton(Button):
    """Leads to a form; `fill` names its fields and the attributes of the record for them."""

    fill: dict[str, str] = {}
    link_includes_pk = False
    fits: Fits | None = None

    def should_render(self, context: Any) -> bool:
        """Only where the form could be sent."""
        return bool(super().should_render(context)) and _fits(self, context)

    def get_link(self, context: Any) -> str:
        """The form's page, with what is known of it."""
        record = get_obj_from_context(context)
        known = {field: getattr(record, name) for field, name in self.fill.items()}
        return f"{self.get_page()}?{urlencode(known)}"

    def get_page(self) -> str:
        """Where the form is."""
        return reverse(self.link_name)


class WishButton(FilledFormButton):
    """Leads to the form of a ticket of some kind."""

    kind = ""
    #: What the pod must be able to do.
    verb = Verb.PLAN
    color = ButtonColorChoices.BLUE
    link_name = "plugins:fabric_twin:ticket_add"
    required_permissions = ("fabric_twin.add_ticket",)

    def should_render(self, context: Any) -> bool:
        """Only in a pod whose kind has such tickets or orders."""
        record = get_obj_from_context(context)
        return super().should_render(context) and getattr(record, "pod", record).can(self.verb)

    def get_link(self, context: Any) -> str:
        """The form's page, with the kind first."""
        page, _, known = super().get_link(context).partition("?")
        return f"{page}?kind={self.kind}&{known}"


class OrderWishButton(WishButton):
    """Leads to the form of a work order of some kind."""

    verb = Verb.REPAIR
    icon = "mdi-account-hard-hat"
    link_name = "plugins:fabric_twin:workorder_add"
    required_permissions = ("fabric_twin.add_workorder",)


class JobFormButton(FilledFormButton):
    """Leads to the form of a Job, which says itself what is missing to run it."""

    job = ""
    #: What more is filled in, such as `{"light": "true"}`.
    asks: dict[str, str] = {}
    required_permissions = ("extras.run_job",)

    def get_link(self, context: Any) -> str:
        """The form's page, with what is known of it, and what is asked for."""
        page = super().get_link(context)
        return f"{page}&{urlencode(self.asks)}" if self.asks else page

    def get_page(self) -> str:
        """Where the Job is run."""
        return reverse("extras:job_run_by_class_path", kwargs={"class_path": self.job})
