"""Whether the device that answers is the one that should: asked of every answer."""

from fabric_twin.core.errors import NotAsAsked
from fabric_twin.core.identity import Answering, Told, in_words, who_answers
from fabric_twin.switches.driver import Target

_REMEDIES = {
    Answering.ANOTHER: "Check its address and target; if the device was replaced, confirm it",
    Answering.NOT_CONFIRMED: "Confirm it on its page, if it is the one that stands there",
    Answering.RIGHT: "",
}


class NotTheDevice(NotAsAsked):
    """Another device than the one recorded, or one that nobody has confirmed: it is left alone."""

    def __init__(self, target: Target, told: Told, answering: Answering) -> None:
        self.told, self.answering = told, answering
        assert target.known  # noqa: S101  # who is not known is not held against anything
        super().__init__(
            in_words(target.known, told, answering), where=target.name, remedy=_REMEDIES[answering]
        )


def check_device(target: Target, told: Told) -> None:
    """Refuse to go on with a device that is not the one recorded."""
    if target.known is None:
        return
    answering = who_answers(target.known, told)
    fine = {Answering.RIGHT} | ({Answering.NOT_CONFIRMED} if target.unconfirmed else set())
    if answering not in fine:
        raise NotTheDevice(target, told, answering)
