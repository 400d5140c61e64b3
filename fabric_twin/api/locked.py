"""A PATCH changes a record as it is when it is locked, not as it was when it was read."""

from typing import Any

from django.db import transaction
from rest_framework.mixins import UpdateModelMixin
from rest_framework.request import Request
from rest_framework.response import Response


class LockedUpdateMixin(UpdateModelMixin):
    """For records that workers write too: a PATCH writes every field, their state among them."""

    def update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Hold the record, read it again, and change it."""
        with transaction.atomic():
            self.hold(self.get_object())  # type: ignore[attr-defined]
            return super().update(request, *args, **kwargs)

    def hold(self, record: Any) -> None:
        """Hold a record until the transaction ends, as what is done with it does."""
        type(record).objects.select_for_update(of=("self",)).order_by().get(pk=record.pk)
