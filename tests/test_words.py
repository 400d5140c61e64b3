"""Words that users found odd: the old text is nowhere any more, the new one is where they read it.

The source of labels, messages, templates, documents, REST descriptions and docs is searched.
"""

from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
READ = {".py", ".html", ".js", ".svg", ".css", ".md", ".json", ".txt"}

#: What a screen, paper or phone said, and what it says now; empty where it says nothing more.
ON_SCREEN = [
    ("A slice is wished for", "Create slice"),
    ("A slice is released", "Release slice"),
    (":,} go, {", "remove {len(goes):,}, add {len(comes):,}"),
    ("|intcomma }} go, {{", "remove {{ stage.removes|intcomma }}, add {{"),
    (" go again", 'f"remove {_many(stage.add)}"'),
    ("are shown no more", "the switches no longer report {_many(stage.remove)}"),
    ("stage,state,go,come", "stage,state,remove,add"),
    (' comes to be"', ' is created"'),
    ('"Whom it concerns"', '"Impact"'),
    ("Who is hit, who knows", "Impact and status"),
    ('"What was said"', "at,by,step,report,comment"),
    ('label="What you say"', 'label="Comment"'),
    ("at,who,what,said", "at,who,what,comment"),
    ('label="How far it is"', 'label="Progress"'),
    ('("what", "is")', '("item", "value")'),
    ("Bad circuits that it bears", "Allowed failures"),
    ('"Left empty: ', '"Default: 0"'),
    ("awaited, and not missed", "Missing cables are not reported before this time"),
    ("Owned elsewhere", "External reference"),
    ("Circuits seen become those wanted", "Accept drift"),
    ("Designs as they stand", "Cubes, switches and cables of one fabric"),
    ('"Work for hands"', '"Work orders"'),
    ("findings: {severity}s", "{severity}s found"),
    ("{run.errors:,} errors", "{run.errors:,} error{'s'"),
    ("whoever touches what is out", ""),
    ("has it in hand", "held by {holder}"),
    ("Interrupt what cannot move", "Interrupt slices that cannot move"),
    ('"finding by finding: "', '"one by one: "'),
    ("Finding by finding: ", "One by one: "),
    (": at most {' or '", "; largest shapes: {', '"),
    ("of the light come back", "the return loss is at least "),
    ("the fabric does that, and says so itself", "an automatic step, which the fabric does"),
    ("only perhaps", "may be needed"),
    ("steps,settled", "steps,finished"),
    ("light still refuses: {", "the light test still fails: {"),
    ("say_rows", ""),
    ('"serials follow the fabric"', '"overwrite serials from the fabric"'),
    (">Heard<", '"heard": "Neighbours received"'),
    ('"Or else"', '"Alternative"'),
    ("nothing of it is read", "so it is not read"),
    ("tells nothing of its modules:", "reports no modules:"),
    ("light shows nothing of it", "so no light test can show it"),
    ("What is wished for, by kind", "What to do, by kind"),
    ("Let this slice go", "Release this slice"),
    ("What you say to it", "Comment on the action"),
    ("failed by what {fault.at[0]} says of itself", "failed: {fault.at[0]} still reports it"),
    ('"The folder; - ', "Output folder; - "),
    ('"Where to; - is standard output."', '"Output file; - is standard output."'),
    ("or not for you", "or you may not see it"),
    ("Templates of yours", "Your own templates, used instead of ours"),
    ("Who goes at once", "Crews that work at the same time"),
    ("Yes, let it go", "or --yes to remove it."),
    ("lets no light through: it is out, or broken", "it is unplugged or broken"),
    ("modules of {said} stand in each other", "are in each other's ports"),
    ("are there before their time", "are connected too early"),
    ("tells of a moment long gone", "sends data that is too old"),
    ('light back"', '"reflects light"'),
    ("goes, and is not there", "is to be removed, and is not there"),
    ("touching what is out takes", "working on what is out of service takes"),
    ('"nothing stands on it"', '"no slice uses it"'),
    ("nobody says whose they are", "because their owner is not known"),
    ("somebody who is gone", "a deleted user"),
    ("nobody else takes what it needs", "what it changes is reserved"),
    ('is called for again"', 'is queued again"'),
    ("it does not let us in", "it refuses the login"),
    ("it and we do not trust each other", "the TLS handshake failed"),
    ("Say so, and go on", "Report and go on"),
    ("Just said", "Last reports"),
    ("What you say is kept in this phone", "Your reports are kept on this phone"),
    ("Nobody has this order yet", "This order is not assigned yet"),
    ("more pictures would be", "more drawings are left out"),
    ("whom it concerns</summary>", "who is affected</summary>"),
    ("Owes a review", "Needs a review"),
    ("As is safest for what it does", "The safest for this kind of ticket"),
    ("what it brought goes", "what it added is removed, and what it removed is added again"),
    ('"It goes back stage by stage', "It is undone stage by stage"),
    ("nobody is known to care for it", "It is open again: its acknowledgement"),
    ("Findings are never typed", "Findings are never entered by hand"),
    ("what is silenced counts as nothing", "silenced findings do not count"),
    ('"as soon as can be"', '"as soon as possible"'),
    ("check {first.bundle} by light", "test {first.bundle} by {first.by}"),
]

#: What a maintainer read in the source, and the docs.
IN_THE_SOURCE = [
    "cannot become so: {",
    "A wish of somebody whom nobody allowed it",
    "Somebody whose time to work is over",
    "and withdrawn, from everywhere before done",
    "nothing stays asked for, or out",
    "kept dark for hands",
    "is held against what it shows",
    "What hands and tickets have done of each bundle",
    "are let go when it has ended, however that came",
    "Until hands are needed, or nothing goes on",
    "is nobody's before it does",
    "Hands begin, or go on",
    "bundles whose hands are done",
    "What of the records a plan begins with",
    "What came to stand, since a ticket was done",
    "What devices said, by device, as it is kept",
    "Whom to ask about a part of a pod",
    "Somebody knows of all of them",
    "The right to go on with a record",
    "What is taken out of service, in the records",
    "Of what fails Django logs the name",
    "Whoever comes first in a while calls",
    "What a driver can do besides",
    "join it to who is known for a moment",
    "What is still there of ours on a switch",
    "Of pods, who are few",
    "nothing: findings are no failure",
    "The gate is shut for",
    "Serials that the fabric tells otherwise",
    "It is let be, and all that it holds",
    "not yours to see",
    "What this cannot stop is a Set",
    "What hands must do, made small",
    "verything that is told of a ticket",
    "a finding as it stands",
]


@cache
def texts() -> dict[str, str]:
    """Every file that makes what people read, as it is in the source."""
    folders = [ROOT / name for name in ("fabric_twin", "templates", "docs")]
    files = [path for folder in folders for path in folder.rglob("*")] + [ROOT / "README.md"]
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for path in files
        if path.suffix in READ and path.is_file() and "migrations" not in path.parts
    }


@pytest.mark.parametrize(("old", "new"), ON_SCREEN)
def test_an_odd_text_is_gone_and_the_better_one_is_there(old: str, new: str) -> None:
    assert [name for name, text in texts().items() if old in text] == []
    assert any(new in text for text in texts().values())


@pytest.mark.parametrize("old", IN_THE_SOURCE)
def test_a_riddle_is_gone(old: str) -> None:
    assert [name for name, text in texts().items() if old in text] == []
