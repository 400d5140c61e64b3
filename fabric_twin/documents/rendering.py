"""Facts and a template make a document; a template that fails is refused with its line."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fabric_twin.core.errors import FabricTwinError, TemplateRefused
from fabric_twin.documents.environment import TEMPLATES, environment
from fabric_twin.documents.limits import LARGEST, OutOfBounds, bounded, limits


def render(names: Sequence[str], facts: Mapping[str, Any], folder: Path | None = None) -> str:
    """Fill the first of these templates that is there; a folder of the user's goes before ours."""
    if folder is None:
        with _told(None, names):
            return _fill(names, facts, None)
    environment(folder)  # once for all documents, not in each process
    with _told(folder, names):
        return bounded(lambda: _fill_theirs(names, facts, folder)).decode()


def _fill_theirs(names: Sequence[str], facts: Mapping[str, Any], folder: Path) -> bytes:
    with _told(folder, names), limits():
        return _fill(names, facts, folder).encode()


def _fill(names: Sequence[str], facts: Mapping[str, Any], folder: Path | None) -> str:
    template = environment(folder).select_template(list(names))
    parts, size = [], 0
    for part in template.generate(facts):
        size += len(part)
        if size > LARGEST:
            raise OutOfBounds(f"it writes more than {LARGEST // 2**20} million characters")
        parts.append(part)
    return "".join(parts)


@contextlib.contextmanager
def _told(folder: Path | None, names: Sequence[str]) -> Iterator[None]:
    """Say what went wrong in a template in words for its author."""
    try:
        yield
    except FabricTwinError:
        raise
    except Exception as error:  # somebody else's template may fail in any way
        raise TemplateRefused(
            _what(error), where=_where(error, folder, names), remedy=_remedy(error)
        ) from error


def _what(error: Exception) -> str:
    from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError
    from jinja2.exceptions import SecurityError

    text = " ".join(str(error).split()).rstrip(".")[:300]
    match error:
        case OutOfBounds():
            return f"the template was stopped: {text}"
        case SecurityError():
            return f"the template reaches outside its sandbox: {text}"
        case TemplateNotFound():
            return f"there is no template {error.name or text!r} in the folders of templates"
        case TemplateSyntaxError():
            return f"the template cannot be read: {error.message}"
        case UndefinedError():
            return f"the template asks for what is not there: {text}"
    return f"the template fails: {type(error).__name__}: {text}"


def _remedy(error: Exception) -> str:
    from jinja2 import TemplateNotFound
    from jinja2.exceptions import SecurityError

    match error:
        case OutOfBounds():
            return "Loop over the facts of the document only"
        case SecurityError():
            return "Use the facts of the document, and nothing behind them"
        case TemplateNotFound():
            return "Name a template by its path within a folder of templates"
    return "Compare it with ours of the same name"


def _where(error: Exception, folder: Path | None, names: Sequence[str]) -> str:
    """The template, and the last of its lines that was reached, where one was."""
    from jinja2 import TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        return f"template {error.name}, line {error.lineno}"
    roots = [root for root in (folder, TEMPLATES) if root]
    there = (name for name in names if any((root / name).is_file() for root in roots))
    found, trace = f"template {next(there, names[0])}", error.__traceback__
    while trace:
        path = Path(trace.tb_frame.f_code.co_filename)
        for root in roots:
            if path.suffix != ".py" and path.is_relative_to(root):
                found = f"template {path.relative_to(root)}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return found
