"""Read the drawings of a page."""

import re
from xml.etree import ElementTree as ET


def drawing_of(page: str) -> ET.Element:
    """The drawing of a page, read as XML."""
    drawn = re.search(r'<svg class="drawing[^"]*".*?</svg>', page, re.DOTALL)
    assert drawn, "the page has no drawing"
    return ET.fromstring(drawn[0])  # noqa: S314


def words(drawing: ET.Element) -> list[str]:
    """Every text of a drawing."""
    return [
        "".join(text.itertext()).strip() for text in drawing.iter() if text.tag.endswith("text")
    ]


def leads_to(drawing: ET.Element) -> set[str]:
    """Where the links of a drawing go."""
    return {link.attrib["href"] for link in drawing.iter() if link.tag.endswith("}a")}
