"""Parts of pages, for our own records and for Nautobot's."""

from nautobot.apps.ui import SectionChoices

#: Where on a page a panel stands.
LEFT, RIGHT = SectionChoices.LEFT_HALF, SectionChoices.RIGHT_HALF
WIDE = SectionChoices.FULL_WIDTH
