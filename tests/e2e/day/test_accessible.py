"""Pages as axe-core judges them, a tool that is not ours: nothing that it minds is of our making.

What it minds on Nautobot's own pages too is Nautobot's (its side bar, the machinery of its tables
and forms, the colours of its links, buttons and badges): that is counted apart, and printed.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.conftest import PHONE, SHOWN_WITHIN, Running, go
from tests.e2e.day.conftest import NETWORK

WIDE = {"width": 1440, "height": 900}
OURS = "plugins/fabric-twin"
#: The demo's pod of cubes; a network stands beside it.
POD = "iw1"
CONTRAST = "color-contrast"
#: The theme changes colours, and nothing else that axe looks at.
COLOURS = {"runOnly": {"type": "rule", "values": [CONTRAST]}}
#: Nautobot's list has its rows after a request of its own.
HAS_ROWS = "() => !document.querySelector('#object_table_wrapper.htmx-request, .htmx-request')"
#: What axe minds: the rule, and what tells its element from others: its two colours, or else
#: the element and the two that it is in, by tag and classes.
MINDED = """
async options => {
    for (const change of document.getAnimations()) {
        if (change.effect.getComputedTiming().endTime < Infinity) { change.finish(); }
    }
    const fast = { resultTypes: ["violations"], elementRef: true, selectors: false };
    const { violations } = await axe.run(document, { ...options, ...fast });
    const looks = at => at && at !== document.body
        ? [at.tagName.toLowerCase(), ...at.classList].join(".") : "";
    const told = ({ any: [{ data } = {}], element }, rule) => rule === "color-contrast"
        ? `${data.fgColor} on ${data.bgColor}`
        : [element.parentElement?.parentElement, element.parentElement, element]
            .map(looks).join(" > ");
    return violations.flatMap(({ id, nodes }) =>
        nodes.map(node => [id, told(node, id), node.html.slice(0, 160)]));
}
"""
#: Links, badges, buttons, notes and heads of tables with Nautobot's classes alone, in its page.
PALETTE = """
() => {
    const kinds = ["primary", "secondary", "success", "warning", "danger", "info"];
    const shown = kinds.map(kind => `<span class="badge bg-${kind}">badge</span>
        <button class="btn btn-${kind}">button</button>
        <div class="alert alert-${kind}">note</div>`);
    document.querySelector("main").insertAdjacentHTML("beforeend", `
        <div class="card"><div class="card-header">head <a href="#">link</a></div>
        <div class="card-body"><a href="#">link</a><span class="text-secondary">quiet</span></div>
        <table class="table table-hover nb-table-headings"><thead><tr><th>head</th></tr></thead>
        <tbody><tr><td><a href="#">link</a></td></tr></tbody></table></div>${shown.join("")}`);
}
"""
#: Text in a drawing that is smaller than it may be, or hard to see on what lies behind it.
DRAWN = """
() => {
    const channels = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
    const light = colour => channels(colour).slice(0, 3).map(part => part / 255)
        .map(part => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4)
        .reduce((sum, part, i) => sum + part * [.2126, .7152, .0722][i], 0);
    const contrast = (one, other) => {
        const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
        return (high + .05) / (low + .05);
    };
    const covers = fill => fill.startsWith("rgb") && (channels(fill)[3] ?? 1) > 0;
    const holds = (box, x, y) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    const wrong = new Set();
    for (const drawing of document.querySelectorAll(".fabric-drawing svg")) {
        let page = drawing;
        while (!covers(getComputedStyle(page).backgroundColor)) { page = page.parentElement; }
        const below = [];
        for (const part of drawing.querySelectorAll("use, rect, circle, text")) {
            if (part.closest("defs")) { continue; }
            const style = getComputedStyle(part), box = part.getBoundingClientRect();
            if (part.tagName !== "text") {
                if (covers(style.fill)) { below.push([box, style.fill]); }
                continue;
            }
            if (!part.textContent.trim()) { continue; }
            const words = `${drawing.getAttribute("aria-label")}: ${part.textContent.trim()}`;
            for (const said of [part, ...part.querySelectorAll("tspan")]) {
                const its = getComputedStyle(said);
                const { c, d } = part.getScreenCTM();  // words may be turned
                const size = parseFloat(its.fontSize) * Math.hypot(c, d);
                if (size < 9.95) { wrong.add(`${words}: ${size.toFixed(1)} px`); }
                const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
                const behind = below.findLast(([under]) => holds(under, x, y))?.[1]
                    ?? getComputedStyle(page).backgroundColor;
                const seen = contrast(its.fill, behind);
                if (seen < 4.5) {
                    wrong.add(`${words}: ${its.fill} on ${behind} is ${seen.toFixed(1)}:1`);
                }
            }
        }
    }
    return [...wrong];
}
"""
#: Acts with what is ticked in a list: the page that asks.
CHOSEN = (
    ("assign several findings", "findings", "Assign Selected"),
    ("withdraw several tickets", "tickets", "Withdraw Selected"),
    ("assign several orders", "work-orders", "Assign Selected"),
)
#: What a ticket or an order would be, before it is made.
LOOKED_AT = (
    (
        "what a ticket would do",
        f"{OURS}/tickets/add/?kind=release&pod={{pod}}&slice={{slice}}",
        "See what it would do",
    ),
    (
        "what an order would take",
        f"{OURS}/work-orders/add/?kind=repair&pod={{pod}}",
        "See what it would take",
    ),
)


class Records:
    """Keys of records of the demo."""

    def __init__(self, stack: Running) -> None:
        self.api = stack.api()

    def key(self, kind: str, app: str = OURS, **query: Any) -> str:
        """The first record that fits."""
        answer = self.api.http_session.get(
            f"{self.api.base_url}/{app}/{kind}/",
            params={**query, "limit": 1},
            headers={"Authorization": f"Token {self.api.token}"},
        )
        return str(answer.json()["results"][0]["id"])


@pytest.fixture(scope="module")
def records(stack: Running) -> Records:
    return Records(stack)


@pytest.fixture(scope="module")
def light(browser: Browser, stack: Running, session: Any) -> Iterator[BrowserContext]:
    """A screen of the administrator's, in Nautobot's light theme."""
    context = browser.new_context(
        base_url=stack.address, storage_state=session, viewport=WIDE, reduced_motion="reduce"
    )
    context.set_default_timeout(SHOWN_WITHIN)
    yield context
    context.close()


class Judged:
    """What axe minds, page by page; what its elements are told by, and where the first was."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: dict[tuple[str, str], str] = {}
        self.many: Counter[tuple[str, str]] = Counter()

    def see(self, name: str) -> None:
        """Judge the page in the light theme, then its colours in the dark one."""
        self.page.wait_for_function(HAS_ROWS)
        self.page.evaluate(AXE_SCRIPT)
        self._see(name, {})
        self.turn("dark")
        self._see(f"{name}, dark", COLOURS)
        self.turn("light")

    def turn(self, theme: str) -> None:
        """As Nautobot's own switch does; the phone's page goes by the browser's."""
        self.page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        self.page.evaluate("theme => { document.documentElement.dataset.bsTheme = theme; }", theme)

    def _see(self, name: str, options: dict[str, Any]) -> None:
        for rule, told, element in self.page.evaluate(MINDED, options):
            self.found.setdefault((rule, told), f"{name}: {element}")
            self.many[rule, told] += 1


def nautobot(records: Records) -> dict[str, str]:
    """Pages that are Nautobot's alone."""
    rack, device, hall = (records.key(kind, "dcim") for kind in ("racks", "devices", "locations"))
    return {
        "locations": "dcim/locations/",
        "racks": "dcim/racks/",
        "a rack": f"dcim/racks/{rack}/",
        "a tab of a rack": f"dcim/racks/{rack}/changelog/",
        "a rack's form": f"dcim/racks/{rack}/edit/",
        "a device": f"dcim/devices/{device}/",
        "a form with some of many": f"ipam/vlans/add/?locations={hall}",
    }


def ours(records: Records) -> dict[str, str]:
    """One page of each kind."""
    keys = {"pods": records.key("pods", name=POD)} | {
        kind: records.key(kind, pod=POD)
        for kind in ("cubes", "switches", "ports", "slices", "findings", "audit-runs")
    }
    keys["circuits"] = records.key("optical-circuits", pod=POD)
    ticket, order = records.key("tickets", state="submitted"), records.key("work-orders")
    keys |= {"tickets": ticket, "work-orders": order}
    kinds = (*keys, "substitutions", "stock", "silences")
    made = ("pods", "cubes", "switches", "slices", "circuits", "substitutions", "stock", "silences")
    named = {"name__isw": f"{POD}-"}
    rack, device = (records.key(kind, "dcim", **named) for kind in ("racks", "devices"))
    cable = records.key("cables", "dcim", label__isw=f"{POD}-")
    pod, cube = keys["pods"], keys["cubes"]
    switch = records.key("switches", device="iw1-ocs-x-3-2")
    add = f"{OURS}/work-orders/add/?pod={pod}"
    return {
        "home": "",
        "shift": f"{OURS}/shift/",
        **{f"list of {kind}": f"{OURS}/{kind}/" for kind in kinds},
        **{f"one of {kind}": f"{OURS}/{kind}/{key}/" for kind, key in keys.items()},
        **{f"form of {kind}": f"{OURS}/{kind}/add/" for kind in made},
        "change a cube": f"{OURS}/cubes/{cube}/edit/",
        "delete a cube": f"{OURS}/cubes/{cube}/delete/",
        "findings of a switch": f"{OURS}/switches/{switch}/findings/",
        "tickets of a switch": f"{OURS}/switches/{switch}/tickets/",
        "approval of a ticket": f"{OURS}/tickets/{ticket}/approvalworkflow/",
        "withdraw a ticket": f"{OURS}/tickets/{ticket}/act/?do=withdraw",
        "assign an order": f"{OURS}/work-orders/{order}/act/?do=assign",
        "ask for an order's tickets": f"{OURS}/work-orders/{order}/act/?do=ask",
        "assign a finding": f"{OURS}/findings/{keys['findings']}/assign/",
        "a ticket to release": f"{OURS}/tickets/add/?kind=release&pod={pod}&slice={keys['slices']}",
        "a ticket to maintain": f"{OURS}/tickets/add/?kind=maintenance&pod={pod}&cubes={cube}",
        "an order to repair": f"{add}&kind=repair&findings={keys['findings']}",
        "an order to decommission": f"{add}&kind=decommission&slots=1",
        "findings of a rack": f"{OURS}/racks/{rack}/findings/",
        "orders of a device": f"{OURS}/devices/{device}/work-orders/",
        "light path of a cable": f"{OURS}/cables/{cable}/light-path/",
    }


def of_networks(records: Records, network: str) -> dict[str, str]:
    """What a network of blocks has, and a pod of cubes has not."""
    switch, demand = records.key("switches", pod=NETWORK), records.key("demands", pod=NETWORK)
    block = records.key("blocks", pod=NETWORK)
    return {
        "one of networks": f"{OURS}/pods/{network}/",
        "list of blocks": f"{OURS}/blocks/",
        "one of blocks": f"{OURS}/blocks/{block}/",
        "findings of a block": f"{OURS}/blocks/{block}/findings/",
        "form of blocks": f"{OURS}/blocks/add/",
        "delete a block": f"{OURS}/blocks/{block}/delete/",
        "list of demands": f"{OURS}/demands/",
        "one of demands": f"{OURS}/demands/{demand}/",
        "describe a demand": f"{OURS}/demands/{demand}/edit/",
        "one of switches of a network": f"{OURS}/switches/{switch}/",
    }


def phone(records: Records) -> dict[str, str]:
    """A technician's pages."""
    order = records.key("work-orders", state="under way")
    return {
        "my orders on a phone": f"{OURS}/work-orders/mine/",
        "an order on a phone": f"{OURS}/work-orders/{order}/do/",
    }


def counted(judged: Judged, theirs: Judged, *, whose: bool) -> dict[str, int]:
    """Elements by rule: those that Nautobot's pages have too, or the others."""
    many: Counter[str] = Counter()
    for look, found in judged.many.items():
        if (look in theirs.found) is whose:
            many[look[0]] += found
    return dict(many.most_common())


def test_axe_minds_nothing_of_ours(light: BrowserContext, records: Records, network: str) -> None:
    page = light.new_page()
    theirs = Judged(page)
    for name, path in nautobot(records).items():
        go(page, path)
        if name == "locations":
            page.wait_for_function(HAS_ROWS)
            page.evaluate(PALETTE)
        theirs.see(name)
    judged = Judged(page)
    for name, path in (ours(records) | of_networks(records, network)).items():
        go(page, path)
        judged.see(name)
    for name, kind, act in CHOSEN:
        go(page, f"{OURS}/{kind}/")
        page.wait_for_function(HAS_ROWS)
        page.locator("#object_table tbody input[type=checkbox]").first.check()
        with page.expect_navigation():  # or what is left of the list is judged
            page.get_by_role("button", name=act).click()
        judged.see(name)
    for name, path, button in LOOKED_AT:
        go(page, path.format(pod=records.key("pods", name=POD), slice=records.key("slices")))
        page.get_by_role("button", name=button).click()
        page.locator("#what-it-would-be").wait_for()
        judged.see(name)
    page.set_viewport_size(PHONE)
    for name, path in phone(records).items():
        go(page, path)
        judged.see(name)

    print(f"\nNautobot's, on ours: {counted(judged, theirs, whose=True)}")
    print(f"Ours: {counted(judged, theirs, whose=False)}")
    ours_alone = [
        f"{rule}: {told}: {seen}"
        for (rule, told), seen in judged.found.items()
        if (rule, told) not in theirs.found
    ]
    assert not ours_alone, "\n".join(ours_alone)


def test_drawings_can_be_read_and_passed_by(
    light: BrowserContext, records: Records, network: str
) -> None:
    """Text of at least 10 px, 4.5:1 to what is behind it, and a link past hundreds of links."""
    page = light.new_page()
    judged = Judged(page)
    hard: dict[str, list[str]] = {}
    for name, path in (ours(records) | of_networks(records, network)).items():
        if not name.startswith("one of"):
            continue
        go(page, path)
        for theme in ("light", "dark"):
            judged.turn(theme)
            hard |= {f"{name}, {theme}": said} if (said := page.evaluate(DRAWN)) else {}
        judged.turn("light")
        for drawing in page.locator(".fabric-drawing:has(a)").all():
            past = drawing.locator("xpath=preceding-sibling::a[1]")
            past.focus()
            expect(past).to_be_visible()
            past.press("Enter")
            page.keyboard.press("Tab")
            assert not drawing.evaluate("drawing => drawing.contains(document.activeElement)")
    assert not hard, "\n".join(f"{name}: {one}" for name, said in hard.items() for one in said)
