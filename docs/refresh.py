"""Bring the documentation up to date with the product: examples, pictures, and shown output.

    make refresh-docs                       everything but the screenshots
    make refresh-docs ARGS=--screenshot     those too (needs chromium)

A page shows a command and its output in a `console` block. `tests/test_docs.py` runs the same
commands and compares. A line `...` stands for any lines; such a block is yours to mend.
"""

# ruff: noqa: INP001 - a script, not a package

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from importlib import util
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("decisions/*.md"))]

#: Programs that a page may call; the others (make, git, eval) are shown and not run.
RUN = {"fabric-twin", "cat", "echo", "grep", "head", "sed"}

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ .*?(?=^\$ |\Z)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A command as a page shows it."""

    command: str
    output: str
    line: int
    #: Where command and output begin and end in the page.
    span: tuple[int, int]

    @property
    def runs(self) -> bool:
        """Whether it is for this machine to run."""
        return self.command.split()[0] in RUN


def shown(text: str) -> Iterator[Shown]:
    """Every command of a page's console blocks, in order."""
    for block in _BLOCK.finditer(text):
        for part in _COMMAND.finditer(block[1]):
            start, end = (block.start(1) + at for at in part.span())
            yield Shown(*_parted(part[0][2:]), text.count("\n", 0, start) + 1, (start, end))


def _parted(part: str) -> tuple[str, str]:
    """A command, which goes on while its lines end in a backslash, and its output."""
    lines = part.rstrip("\n").split("\n")
    end = next(n for n, line in enumerate(lines) if not line.endswith("\\"))
    return "\n".join(lines[: end + 1]), "\n".join(lines[end + 1 :])


class Folder:
    """A temporary folder where a page's commands run one after the other."""

    def __init__(self, path: Path) -> None:
        self._path, self._last = path, 0
        shutil.copytree(DOCS / "examples", path / "docs" / "examples")
        programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self._environment = {**os.environ, "PATH": programs, "NO_COLOR": "1"}

    def run(self, command: str) -> str:
        """What a person would see."""
        done = subprocess.run(  # noqa: S603 - what our own pages show
            ["/bin/sh", "-c", f"(exit {self._last})\n{command}"],
            cwd=self._path,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self._last = done.returncode
        return done.stdout.rstrip("\n")


def agrees(shown: str, said: str) -> bool:
    """Whether output is what a page shows; a line `...` there stands for any lines."""
    parts = ("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in shown.split("\n"))
    return bool(re.fullmatch("".join(parts), said + "\n"))


def load(path: Path) -> object:
    """A script of the documentation as a module."""
    spec = util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} cannot be loaded")
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def made() -> dict[Path, str]:
    """Every file that a script of the documentation makes, and what should be in it."""
    names = (
        "images/make_images.py",
        "examples/make_examples.py",
        "examples/make_tori.py",
        "examples/make_network.py",
        "examples/make_rings.py",
        "make_kinds.py",
    )
    scripts = (DOCS / name for name in names)
    return {path: text for script in scripts for path, text in load(script).files().items()}


def refresh(page: Path) -> Iterable[str]:
    """Put new output in a page; say which commands need a person."""
    text = page.read_text(encoding="utf-8")
    new, kept = "", 0
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(Path(name))
        for example in filter(lambda example: example.runs, shown(text)):
            said = folder.run(example.command)
            if agrees(example.output, said):
                continue
            if "..." in example.output.split("\n"):
                yield f"{page.name}, line {example.line}: {example.command}\n{said[:2000]}\n"
                continue
            start, end = example.span
            new += text[kept:start] + f"$ {example.command}\n" + said + "\n" * bool(said)
            kept = end
    page.write_text(new + text[kept:], encoding="utf-8")


#: Name, the finding at the top (0 is the head of the page), height.
SCREENSHOTS = (("report", 0, 860), ("report-more", 2, 1330))
WINDOW = """<body style="margin:0"><div style="height:{high}px;overflow:hidden">
<iframe srcdoc="{page}" style="width:100%;height:9000px;border:0"></iframe></div>
<script>const frame = document.querySelector("iframe");
frame.onload = () => {{ const at = frame.contentDocument.querySelectorAll("article")[{first} - 1];
if (at) frame.style.marginTop = 10 - at.getBoundingClientRect().top + "px"; }}</script>"""


def screenshot(name: str, first: int, high: int) -> None:
    """Take a picture of the example's report as a browser shows it, from one finding on."""
    page = escape((DOCS / "examples" / "report.html").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        window = Path(folder) / "window.html"
        window.write_text(WINDOW.format(page=page, first=first, high=high), encoding="utf-8")
        subprocess.run(  # noqa: S603 - a browser on our own page
            [
                shutil.which("chromium") or "chromium",
                *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"),
                *("--no-first-run", "--disable-background-networking"),
                *("--disable-component-update", "--disable-sync", "--hide-scrollbars"),
                "--blink-settings=preferredColorScheme=1",
                f"--window-size=860,{high}",
                f"--user-data-dir={folder}/profile",
                f"--screenshot={DOCS / 'images' / name}.png",
                window.as_uri(),
            ],
            check=True,
            capture_output=True,
        )


def main() -> None:
    """Refresh everything, and exit 1 where a person must look."""
    for path, text in made().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if "--screenshot" in sys.argv:
        for picture in SCREENSHOTS:
            screenshot(*picture)
    left = [problem for page in PAGES for problem in refresh(page)]
    sys.exit("\n".join(left) or 0)


if __name__ == "__main__":
    main()
