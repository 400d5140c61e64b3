"""Whether the device that answers is the one that should: asked of every answer."""

from fabric_twin.core.errors import NotAsAsked
from fabric_twin.core.identity import Answering, Told, in_words, who_answers
from fabric_twin.switches.driver import Target

#: Of a name or a serial.
LONGEST = 255
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


def plain_text(told: object) -> str:
    """What a stranger says of itself, fit to be shown and kept."""
    text = str(told or "")
    if not text.isprintable():
        text = "".join(c for c in text if c.isprintable())
    return text.strip()[:LONGEST]


def check_device(target: Target, told: Told) -> None:
    """Refuse to go on with a device that is not the one recorded."""
    if target.known is None:
        return
    answering = who_answers(target.known, told)
    tested = target.unconfirmed and answering is Answering.NOT_CONFIRMED and told.is_nothing
    if answering is not Answering.RIGHT and not tested:
        raise NotTheDevice(target, told, answering)
