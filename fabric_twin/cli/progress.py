"""Progress on standard error, when a person is there to see it and it takes a while."""

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress(total: int | None = None) -> Iterator[Callable[[str, int], None]]:
    """A function to call with what is being counted and how much so far; a bar after a second."""
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
