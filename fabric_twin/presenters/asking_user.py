"""Who asks, for the doors that have a request."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from nautobot.users.models import User
from rest_framework.request import Request


def user_of(request: HttpRequest | Request) -> User:
    """Who asks; every view has refused whoever has not logged in before it comes so far."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
