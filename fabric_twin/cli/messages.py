"""Messages and progress for a person, on standard error; standard output is the product."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
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


@contextlib.contextmanager
def progress(total: int | None = None) -> Iterator[Callable[[str, int], None]]:
    """A function to call with what is being counted and how much so far; a bar after a second, and
    only for a person who is there to see it."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _what, _done: None
        return
    from tqdm import tqdm

    with tqdm(total=total, delay=1, leave=False, unit_scale=True, file=sys.stderr) as bar:

        def advance(what: str, done: int) -> None:
            if bar.desc != f"{what}: ":
                bar.set_description(what, refresh=False)
                bar.n = 0
            bar.update(done - bar.n)

        yield advance
