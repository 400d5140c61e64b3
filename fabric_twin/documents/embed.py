"""A drawing within somebody's page: it leads to what it shows, and takes the page's theme."""

from collections.abc import Mapping

from fabric_twin.documents.rendering import render
from fabric_twin.documents.sheet import Document

#: What is drawn ("iw1-c007-t03 4.3.2/X+", "slot 7", "slice train-1") and where its page is.
Links = Mapping[str, str]


def svg(document: Document, pod: str, links: Links) -> str:
    """The drawing of a document; what it names is escaped, where it leads is ours."""
    facts = {"document": document, "pod": pod, "paper": False, "links": links}
    return render([f"{document.kind}/{document.kind}.svg"], facts)


def style() -> str:
    """The looks of all drawings, for a page that holds them in an element `fabric-drawing`."""
    return render(["sheet/in-page.css"], {})
