"""The orders of a technician, on a page for a phone."""

from typing import Any

from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views import View

from fabric_twin.presenters.my_orders import my_orders


class MyOrdersView(LoginRequiredMixin, View):
    """What is given to the user, what is ready first."""

    def get(self, request: Any) -> HttpResponse:
        """Each order with one tap to its next step."""
        if not request.user.has_perm("fabric_twin.do_workorder"):
            raise PermissionDenied
        orders, many = my_orders(request.user)
        context = {"orders": orders, "more": many - len(orders), "now": timezone.now()}
        shown = render(request, "fabric_twin/my_orders.html", context)
        # Phones are shared: the next user must not see it, neither without a network.
        shown["Cache-Control"] = "private, no-store"
        return shown
