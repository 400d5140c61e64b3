"""An act with several rows of a list: with all of them, or with none, and why not."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.operations.acts import Deed, Deeds
from fabric_twin.presenters.acts import Shown
from fabric_twin.views.chosen.rows import chosen_rows

#: Letters of a name that stays in one line, also on a phone.
_SHORT = 14


class ChosenActs(ABC):
    """For lists below which buttons do something with all that is ticked.

    The page shows what is ticked and asks for what the act needs. Where some are refused nothing
    is done, and each of them says why and is not ticked any more.
    """

    queryset: Any
    #: What can be done with each, and what is done with many by an act's own number.
    chosen_deeds: ClassVar[Deeds[Any, Any]]
    chosen_acts: ClassVar[Mapping[str, Shown]]
    #: Heads of the rows; the first is the link to the record, the third its state.
    chosen_columns: ClassVar[Sequence[str]]

    def act_on_chosen(self, request: Any, act: str) -> HttpResponse:
        """Ask about what is chosen, then do it with all; say which are refused."""
        meta = self.queryset.model._meta
        rows = self.chosen_from(self.queryset.model.objects.restrict(request.user, "view"))
        try:
            deed = self.chosen_deeds.named(act)
            self.chosen_deeds.check_many(deed, 0)
            chosen = chosen_rows(self, request, rows, str(meta.verbose_name_plural))
            self.chosen_deeds.check_many(deed, len(chosen))
        except FabricTwinError as refusal:
            messages.error(request, str(refusal))
            return HttpResponseRedirect(self._list())
        form = self.chosen_form(deed, request.POST if "sure" in request.POST else None)
        refused: Mapping[Any, str] = {}
        if form.is_valid():
            try:
                given = self.chosen_deeds.given(**form.facts())
                refused = self.chosen_deeds.do_with_all(deed, chosen, request.user, given)
            except FabricTwinError as refusal:
                messages.error(request, str(refusal))
            else:
                if not refused:
                    messages.success(request, self.chosen_told(deed, chosen))
                    return HttpResponseRedirect(self._list())
        context = {
            "act": self.chosen_acts[deed.name],
            "form": form,
            "back": self._list(),
            "refused": refused,
            "what": meta.verbose_name if len(chosen) == 1 else meta.verbose_name_plural,
            "columns": self.chosen_columns,
            "rows": [self._row(deed, one, refused, len(chosen), request) for one in chosen],
        }
        return render(request, "fabric_twin/chosen_act.html", context)

    def get_extra_context(self, request: Any, instance: Any = None) -> dict[str, Any]:
        """The buttons below the list: what this user may do with several."""
        context: dict[str, Any] = super().get_extra_context(request, instance)  # type: ignore[misc]
        if self.action == "list":  # type: ignore[attr-defined]
            context["below_list"] = [
                {"shown": self.chosen_acts[deed.name], "to": self.chosen_url(deed.name)}
                for deed in self.chosen_deeds.for_many(request.user)
            ]
        return context

    def _row(
        self, deed: Deed[Any, Any], record: Any, refused: Mapping[Any, str], many: int, request: Any
    ) -> dict[str, Any]:
        why = refused.get(record.pk, "")
        return {
            "record": record,
            "is_short": len(str(record)) <= _SHORT,
            "cells": self.chosen_cells(record),
            "why": why,
            # Where all are refused it is as a rule what was said, and is to be said otherwise.
            "ticked": not why or len(refused) == many,
        } | self.chosen_beside(deed, record, request)

    @abstractmethod
    def chosen_from(self, rows: Any) -> Any:
        """The rows as they are shown, and in the order in which they are held."""

    @abstractmethod
    def chosen_form(self, deed: Deed[Any, Any], given: Any) -> Any:
        """What is asked with an act; `facts()` of the form is what was said and given."""

    @abstractmethod
    def chosen_cells(self, record: Any) -> Sequence[Any]:
        """What stands beside its link: what it is; and after its state, the rest."""

    @abstractmethod
    def chosen_url(self, act: str) -> str:
        """Where a button below the list leads, with a question mark at its end or in it."""

    def chosen_beside(self, deed: Deed[Any, Any], record: Any, request: Any) -> dict[str, Any]:  # noqa: ARG002
        """What is to be read below a row before it is done."""
        return {}

    def chosen_told(self, deed: Deed[Any, Any], chosen: Sequence[Any]) -> str:
        """What is said once it is done."""
        return f"{self.chosen_acts[deed.name].label}: {', '.join(one.name for one in chosen)}."

    def _list(self) -> str:
        """The list with the filters that it had: what is left of thousands is dealt with next."""
        url = reverse(f"plugins:fabric_twin:{self.queryset.model._meta.model_name}_list")
        asked = self.request.GET.copy()  # type: ignore[attr-defined]
        asked.pop("do", None)
        return f"{url}?{asked.urlencode()}" if asked else url
