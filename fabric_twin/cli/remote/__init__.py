"""`fabric-twin remote`: the same verbs against a Nautobot somewhere else."""

import click

from fabric_twin.cli.lazy import LazyGroup

COMMANDS = {
    "load": "Make a pod in a Nautobot from its design or a cut sheet, or what it lacks.",
    "adopt": "Bind racks, devices and ports that a Nautobot has to a pod.",
    "slice": "Make, list and release slices of a pod.",
    "multislice": "Ask for jobs over several pods, and release them.",
    "cutsheet": "Write the cut sheet of a pod as its Nautobot has it.",
    "audit": "Say what is wrong with a pod, by physical cause.",
    "findings": "List the findings that a Nautobot keeps of a pod.",
    "sync": "Let a Nautobot ask a pod's fabric how it is.",
    "ticket": "Ask for changes of circuits, follow them, and undo them.",
    "order": "Make work orders, hand them out, and report on them.",
    "render": "Write maps, lists and labels of a pod as its Nautobot has it.",
    "remove": "Take a pod out of a Nautobot.",
}


@click.group(
    cls=LazyGroup,
    package=__name__,
    lines=COMMANDS,
    epilog="\b\nExample:\n"
    "  export NAUTOBOT_URL=https://nautobot.example.com NAUTOBOT_TOKEN=...\n"
    "  fabric-twin remote audit --pod iw1",
)
def remote() -> None:
    """The same commands against a remote Nautobot, as one of its users sees it.

    With the App fabric_twin there all of it works; with core records alone cutsheet, audit and
    render do. Name the server by --url or NAUTOBOT_URL; the token is read from NAUTOBOT_TOKEN or
    from a file.
    """
