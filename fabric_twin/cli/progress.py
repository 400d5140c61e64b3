"""Progress on standard error, when a person is there to see it and it takes a while."""

import contextlib
import sys
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """A function to call with how much is done so far; a bar appears after a second."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from tqdm import tqdm

    with tqdm(
        desc=what, total=total, delay=1, leave=False, unit_scale=True, file=sys.stderr
    ) as bar:

        def advance(done: int) -> None:
            bar.update(done - bar.n)

        yield advance
