"""In whose change we are: the one place that knows a private name of Nautobot's change log.

`nautobot.apps` opens changes and does not say which is open;
`tests/nautobot/app/test_change_context.py` holds Nautobot to it.
"""

from nautobot.apps.change_logging import ChangeContext
from nautobot.extras.signals import change_context_state


def current_change() -> ChangeContext | None:
    """The request, job or command that is being logged, if there is one."""
    context: ChangeContext | None = change_context_state.get()
    return context
