"""Templates that users bring: one of theirs goes before ours, and none of them gets out."""

import contextlib
import importlib.util
import os
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fabric_twin.core.errors import TemplateRefused
from fabric_twin.documents import limits as bounds
from fabric_twin.services.pods.which import Which

_spec = importlib.util.spec_from_file_location("small", Path(__file__).with_name("small.py"))
small = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(small)


@pytest.fixture
def templates(tmp_path):
    folder = tmp_path / "templates"
    (folder / "cut-list").mkdir(parents=True)
    return folder


def cut_list(templates, text, form="txt"):
    """The cut list by a template of a user's."""
    (templates / "cut-list" / f"cut-list.{form}").write_text(text)
    [content] = small.documents("cut-list", form, templates=templates).values()
    return content.decode()


def refusal(templates, text, form="txt"):
    with pytest.raises(TemplateRefused) as refused:
        cut_list(templates, text, form)
    return str(refused.value)


def test_a_template_of_theirs_goes_before_ours(templates):
    text = "{{ document.tables[0].rows|length }} cables for {{ document.name }}"
    assert cut_list(templates, text) == "96 cables for s"


def test_the_others_stay_ours(templates):
    cut_list(templates, "mine")
    ours = small.documents("face-map", "txt", Which(cube=1))
    assert small.documents("face-map", "txt", Which(cube=1), templates=templates) == ours


def test_a_copy_of_ours_in_the_sandbox_does_what_ours_does(templates):
    from fabric_twin.documents.environment import TEMPLATES

    for path in ("sheet/sheet.html", "sheet/drawing.svg", "port-map/port-map.svg"):
        (templates / path).parent.mkdir(exist_ok=True)
        (templates / path).write_text((TEMPLATES / path).read_text())
    given = {"which": Which(switch="x-1-1"), "circuits": small.CIRCUITS}
    ours = small.documents("port-map", "html", **given)
    assert small.documents("port-map", "html", templates=templates, **given) == ours


def test_theirs_may_use_a_part_of_ours(templates):
    css = cut_list(templates, '{% include "sheet/drawing.css" %}')
    assert ".alarm" in css


def test_facts_are_escaped_in_theirs_too(templates):
    text = "<p>{{ document.tables[0].rows[0][6] }}</p>"
    (templates / "cut-list" / "cut-list.html").write_text(text)
    cables = small.CABLES[0].replace(b"Hall 3", b"").replace(b"s-c001:2.1.1/X+,", b"<b>,")
    [page] = small.documents("cut-list", "html", templates=templates, cables=(cables, "c")).values()
    assert page == b"<p>&lt;b&gt;</p>"


LOCKED = "Use the facts of the document, and nothing behind them."


@pytest.mark.parametrize(
    "text",
    [
        "{{ document.__class__ }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ document.kind.__class__.__base__.__subclasses__() }}",
        "{{ document.__init__.__globals__ }}",
        "{{ self.__init__ }}",
        "{{ cycler.__init__.__globals__.os }}",
        "{{ lipsum.__globals__ }}",
        "{{ document['__class__'] }}",
        "{{ '{0.__class__}'.format(document) }}",
        "{{ document|attr('__class__') }}",
        "{{ document.drawing.__class__ or document.__dict__ }}",
        "{{ 9 ** 9 }}",
    ],
)
def test_what_is_behind_the_facts_is_locked(templates, text):
    told = refusal(templates, f"one\n\n{text}\n")
    assert told.startswith("template cut-list/cut-list.txt, line 3: the template reaches outside")
    assert told.endswith(LOCKED)


def test_facts_cannot_be_changed(templates):
    assert "reaches outside its sandbox" in refusal(templates, "{{ [1].append(2) }}")


@pytest.mark.parametrize("name", ["../secret", "/etc/hostname", "cut-list/../../secret", "link"])
def test_a_file_outside_is_not_included(templates, name):
    secret = templates.parent / "secret"
    secret.write_text("secret")
    (templates / "link").symlink_to(secret)
    told = refusal(templates, f"{{% include '{name}' %}}")
    assert told.startswith("template cut-list/cut-list.txt, line 1: ")
    assert "there is no template" in told or "a link to a file outside" in told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "a\n{{ document.owner }}",
            "template cut-list/cut-list.txt, line 2: the template asks for what is not there: "
            "'fabric_twin.documents.sheet.Document object' has no attribute 'owner'. "
            "Compare it with ours of the same name.",
        ),
        (
            "a\nb\n{% for %}",
            "template cut-list/cut-list.txt, line 3: the template cannot be read: "
            "Expected an expression, got 'end of statement block'. "
            "Compare it with ours of the same name.",
        ),
        (
            "{{ 1 // 0 }}",
            "template cut-list/cut-list.txt, line 1: the template fails: ZeroDivisionError: "
            "integer division or modulo by zero. Compare it with ours of the same name.",
        ),
        (
            "{% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}",
            "template cut-list/cut-list.txt, line 1: the template fails: RecursionError: "
            "maximum recursion depth exceeded",
        ),
    ],
)
def test_a_template_that_fails_is_refused_with_its_line(templates, text, told):
    assert refusal(templates, text).startswith(told)


def test_output_without_end_is_stopped(templates, monkeypatch):
    monkeypatch.setattr("fabric_twin.documents.rendering.LARGEST", 100_000)
    told = refusal(templates, "{% for n in range(99999) %}ten digits{% endfor %}")
    assert "the template was stopped: it writes more than" in told


@pytest.mark.parametrize(
    "text",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    ],
)
def test_a_loop_without_end_is_stopped(templates, monkeypatch, text):
    monkeypatch.setattr(bounds, "SECONDS", 0.3)
    monkeypatch.setattr("fabric_twin.documents.rendering.LARGEST", 2**62)
    started = time.monotonic()
    told = refusal(templates, f"\n{text}")
    assert "the template was stopped: it runs for more than 0.3 seconds" in told
    assert time.monotonic() - started < 30


DEEP = "{% set a = [0] %}{% set b = [0] %}" + 5 * (
    "{% set a = [a] * 1000 %}{% set b = [b] * 1000 %}"
)


@pytest.mark.parametrize(
    "text", [DEEP + "{{ a == b }}", DEEP + "{{ b in [a] }}", DEEP + "{{ [a, b]|sort }}"]
)
def test_one_step_without_end_that_hears_no_alarm_is_stopped_too(templates, monkeypatch, text):
    monkeypatch.setattr(bounds, "SECONDS", 0.3)
    assert refusal(templates, text) == (
        "template cut-list/cut-list.txt: the template was stopped: it runs for more than 0.3 "
        "seconds. Loop over the facts of the document only."
    )


def test_seconds_are_those_of_the_clock(templates, monkeypatch):
    monkeypatch.setattr(bounds, "SECONDS", 0.3)
    started = time.monotonic()
    assert "more than 0.3 seconds" in refusal(
        templates, "{{ ('x ' * 20000000)|urlize|wordwrap(1) }}"
    )
    with pytest.raises(bounds.OutOfBounds):  # what takes no time of the processor is stopped too
        bounds.bounded(lambda: time.sleep(60) or b"")
    assert time.monotonic() - started < 30


def test_a_thread_may_fill_a_template_and_is_held_to_the_same_limits(templates, monkeypatch):
    monkeypatch.setattr(bounds, "SECONDS", 0.3)
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(cut_list, templates, "mine").result() == "mine"
        told = thread.submit(refusal, templates, loop).result()
    assert "line 1: the template was stopped: it runs for more than 0.3 seconds" in told


def test_a_template_is_filled_however_many_files_are_open(templates):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 1200:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(1200, hard), hard))
    try:
        with contextlib.ExitStack() as many:
            for _ in range(1030):
                many.enter_context(Path(os.devnull).open())
            assert cut_list(templates, "mine") == "mine"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_template_leaves_nothing_of_its_limits_behind(templates):
    before = [resource.getrlimit(what) for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    cut_list(templates, "mine")
    after = [resource.getrlimit(what) for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    assert after == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_half_a_character_is_refused(templates):
    told = refusal(templates, r"{{ '\ud800' }}")
    assert told.startswith(
        "template cut-list/cut-list.txt: the template fails: UnicodeEncodeError: "
    )


def test_a_long_range_is_refused(templates):
    assert "Range too big" in refusal(templates, "{{ range(10000000)|list }}")


@pytest.mark.parametrize(
    "text", ["{{ 'x' * 99999999999 }}", "{{ 'x'|center(99999999999) }}", "{{ [0] * 9999999999 }}"]
)
def test_memory_without_end_is_refused(templates, text):
    assert "memory" in refusal(templates, text).lower()


def test_a_page_for_paper_shows_nothing_from_elsewhere(templates):
    picture = '<svg xmlns="http://www.w3.org/2000/svg"><image href="/etc/hostname"/></svg>'
    (templates / "cut-list" / "page.svg").write_text(picture)
    with pytest.raises(TemplateRefused, match="cannot be put on paper: failed to load"):
        small.documents("cut-list", "pdf", templates=templates)


def test_a_template_is_no_larger_than_a_template(templates):
    assert "larger than 1 MiB" in refusal(templates, "x" * 2**21)


def test_a_template_is_text(templates):
    (templates / "cut-list" / "cut-list.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(TemplateRefused, match="the template fails: UnicodeDecodeError"):
        small.documents("cut-list", "txt", templates=templates)
