"""Messages for a person, on standard error; standard output is the product."""

from collections.abc import Callable, Iterable
from typing import TextIO

import click


def tell(words: str) -> None:
    """Tell a person; a control character in a name must not reach the terminal."""
    harmless = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)
    click.echo(f"fabric-twin: {harmless}", err=True)


def warn(warnings: Iterable[str]) -> None:
    """Tell what is odd, and done all the same."""
    for warning in warnings:
        tell(f"warning: {warning}.")


def styling(ctx: click.Context, out: TextIO) -> Callable[..., str]:
    """How words get their colours: not at all where nobody wants them, or sees them."""
    return click.style if ctx.color is not False and out.isatty() else _plain


def _plain(text: str, **_: object) -> str:
    return text
