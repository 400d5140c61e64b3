"""Make the first administrator; run as a program of its own, inside Nautobot.

Password and token are read from the stack's folder: no command line or environment holds them.
"""

import os
from pathlib import Path

import nautobot

NAME = "admin"


def main() -> None:
    """Make the administrator unless there is one, who may then have changed anything."""
    nautobot.setup(os.environ["NAUTOBOT_CONFIG"])
    from django.contrib.auth import get_user_model
    from django.db import transaction
    from nautobot.users.models import Token

    folder = Path(os.environ["FABRIC_TWIN_STATE"])
    with transaction.atomic():
        users = get_user_model().objects
        user = users.filter(username=NAME).first()
        if user is None:
            password = (folder / "admin-password").read_text().strip()
            user = users.create_superuser(NAME, "", password)
        key = (folder / "api-token").read_text().strip()
        Token.objects.get_or_create(key=key, defaults={"user": user, "description": "fabric-twin"})


if __name__ == "__main__":
    main()
