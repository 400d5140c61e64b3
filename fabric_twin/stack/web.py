"""The web server, run as a program of its own, inside Nautobot.

    web.py [static] [administrator] -- OPTIONS OF UWSGI

What its pages need is made first, in the same process: to import Nautobot takes seconds. Password
and token are read from the stack's folder: no command line or environment holds them.
"""

import os
import sys
from pathlib import Path

import nautobot

NAME = "admin"


def main() -> None:
    """Make what is named, then serve."""
    nautobot.setup(os.environ["NAUTOBOT_CONFIG"])
    from django.core.management import call_command
    from django.db import connections
    from nautobot.core.management.commands.start import Command

    end = sys.argv.index("--")
    needed, options = sys.argv[1:end], sys.argv[end + 1 :]
    if "static" in needed:
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    if "administrator" in needed:
        make_administrator()
    connections.close_all()  # uWSGI forks
    Command().run_from_argv(["nautobot-server", "start", *options])


def make_administrator() -> None:
    """Make the administrator unless there is one, who may then have changed anything."""
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
