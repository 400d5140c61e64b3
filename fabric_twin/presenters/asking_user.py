"""Who asks, for the doors that have a request."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from nautobot.users.models import User
from rest_framework.request import Request


def user_of(request: HttpRequest | Request) -> User:
    """The user who asks; every view has refused visitors without a login before this."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user
