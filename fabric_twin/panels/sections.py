"""Where on a page a panel stands."""

from nautobot.apps.ui import SectionChoices

LEFT, RIGHT = SectionChoices.LEFT_HALF, SectionChoices.RIGHT_HALF
WIDE = SectionChoices.FULL_WIDTH
