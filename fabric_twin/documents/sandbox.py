"""Templates that users bring: they see the facts of their document, and nothing behind them."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

#: A template is a page of text.
LARGEST = 2**20


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, without powers: one of them can keep a machine busy for a day."""

    intercepted_binops = frozenset(["**"])

    def call_binop(self, _context: object, operator: str, *_sides: object) -> object:
        """Refuse an operator."""
        raise SecurityError(f"the operator {operator} is not for templates")


class Folder(FileSystemLoader):
    """A folder that no link leads out of, with files no larger than a template is."""

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Read a template, or refuse it."""
        source, filename, current = super().get_source(environment, template)
        path = Path(filename)
        if not path.resolve().is_relative_to(Path(self.searchpath[0]).resolve()):
            raise SecurityError(f"{template} is a link to a file outside the folder of templates")
        if path.stat().st_size > LARGEST:
            raise SecurityError(f"{template} is larger than {LARGEST // 2**20} MiB")
        return source, filename, current
