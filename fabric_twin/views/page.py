"""What all pages of the App have, and Nautobot's own have not."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from rest_framework.decorators import action

#: Nautobot's page with our head; templates of our own extend it, Nautobot's by this name.
ROOT = "fabric_twin/page.html"


class PageMixin:
    """A page of the App that a template of Nautobot's makes."""

    def get_extra_context(self, request: Any, instance: Any = None) -> dict[str, Any]:
        """Nautobot's templates extend what is named here."""
        return {**super().get_extra_context(request, instance), "root_template": ROOT}  # type: ignore[misc]


class FollowedPageMixin(PageMixin):
    """The page of a record that goes on by itself: it is new as soon as the record has."""

    def version_of(self, record: Any) -> str:
        """How far the record is; empty where it does not go on by itself any more."""
        raise NotImplementedError

    def get_extra_context(self, request: Any, instance: Any = None) -> dict[str, Any]:
        """Where the page asks whether it is still what the record is."""
        context = super().get_extra_context(request, instance)
        is_page = getattr(self, "action", "") == "retrieve"  # nobody writes a note there
        if is_page and instance is not None and (version := self.version_of(instance)):
            name = f"plugins:fabric_twin:{instance._meta.model_name}_follow"
            url = reverse(name, args=[instance.pk])
            context["follow"] = f"{url}?{urlencode({'was': version})}"
        return context

    @action(detail=True, custom_view_base_action="view")
    def follow(self, request: Any, pk: str) -> HttpResponse:  # noqa: ARG002
        """Nothing; or, where the record went on, that the page is to be loaded again."""
        answer = HttpResponse()
        if request.GET.get("was") != self.version_of(self.get_object()):  # type: ignore[attr-defined]
            answer["HX-Refresh"] = "true"
        return answer
