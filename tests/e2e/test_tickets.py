"""Two people and a ticket: wished for, approved by the other, carried out, verified, undone."""

import itertools
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect
from pynautobot.core.endpoint import DetailEndpoint

from fabric_twin.core.designs.ironwood import DESIGN
from fabric_twin.core.pods.names import Names
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.e2e.conftest import PATIENCE, SHOWN_WITHIN, Running, go

Picture = Callable[[Page, str], Path]
NAME, SHAPE = "wish-1", "8x8x16"
EVERYTHING = ["view", "add", "change", "delete"]
#: What each of the two may do: models, and actions on them.
MAY = {
    "ann": {
        ("fabric_twin.pod", "fabric_twin.cube", "fabric_twin.switch"): ["view"],
        ("fabric_twin.slice",): EVERYTHING,
        ("fabric_twin.ticket",): [*EVERYTHING, "run"],
    },
    "bob": {("fabric_twin.pod", "fabric_twin.cube", "fabric_twin.switch"): ["view"]},
}


class Person(NamedTuple):
    """Somebody who logs in."""

    name: str
    password: str


@pytest.fixture(scope="module")
def people(stack: Running) -> dict[str, Person]:
    """Ann wishes and runs; Bob is an approver."""
    api = stack.api()
    found = {}
    for name, may in MAY.items():
        person = Person(name, secrets.token_urlsafe(16))
        groups = [api.users.groups.get(name="Fabric approvers").id] if name == "bob" else []
        user = api.users.users.create(
            username=name, password=person.password, is_active=True, groups=groups
        )
        for models, actions in may.items():
            api.users.permissions.create(
                name=f"{name}: {models[0]}",
                object_types=list(models),
                actions=actions,
                users=[user.id],
            )
        found[name] = person
    return found


@contextmanager
def sitting(browser: Browser, stack: Running, person: Person) -> Iterator[Page]:
    """A page of somebody's who has logged in; nothing in it may fail."""
    size = {"width": 1280, "height": 1000}
    context = browser.new_context(
        base_url=stack.address, viewport=size, reduced_motion="reduce", timezone_id="UTC"
    )
    page = context.new_page()
    page.set_default_timeout(SHOWN_WITHIN)
    expect.set_options(timeout=SHOWN_WITHIN)
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    go(page, "/login/")
    page.get_by_label("Username").fill(person.name)
    page.get_by_label("Password").fill(person.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(stack.address)
    page.on("response", lambda r: problems.append(f"{r.status} {r.url}") if r.status >= 500 else 0)
    yield page
    context.close()
    assert problems == []


class Follower:
    """Reads over the API how the ticket stands, and of the switches what they do."""

    def __init__(self, stack: Running) -> None:
        self.twin = stack.api().plugins.fabric_twin
        self.pod = self.twin.pods.get(name="iw1")
        state = stack.folder
        address = f"127.0.0.1:{(state / 'fabric-port').read_text().strip()}"
        password = (state / "fabric-password").read_text().strip()
        trusted = (state / "fabric" / "fabric-twin.pem").read_bytes()
        self.names = Names(DESIGN.layout, "iw1")
        self.switches = shared_targets(address, self.names.switches)
        self.address, self.access = address, Access("demo", password, trusted)

    def ticket(self) -> Any:
        (found,) = [
            t for t in self.twin.tickets.filter(pod="iw1") if t.title.startswith(f"Slice {NAME}")
        ]
        return found

    def state(self) -> str:
        return str(self.ticket().state.value)

    def carried(self) -> set[tuple[str, str, str]]:
        """Every circuit that is tuned, as the switches say it."""
        with open_fabric(self.switches, (), self.access) as fabric:
            shown = fabric.read_switches().all()
        return {(name, *pair) for name, switch in shown.items() for pair in switch.tuned}

    def heard(self, slots: Iterable[int]) -> dict[tuple[int, str], tuple[str, str]]:
        """Whom each port of these cubes hears, over the light path."""
        cubes = {self.names.cube(slot): slot for slot in slots}
        with open_fabric((), shared_targets(self.address, cubes), self.access) as fabric:
            told = fabric.read_neighbours().all()
        return {
            (slot, port): (heard.device, heard.port)
            for cube, slot in cubes.items()
            for port, heard in told[cube].neighbours.items()
        }

    def plan(self) -> dict[str, Any]:
        """What the ticket does, as its file has it."""
        return dict(DetailEndpoint(self.ticket(), "plan").list())


@pytest.fixture(scope="module")
def follower(stack: Running) -> Follower:
    return Follower(stack)


#: A chip in the torus, counted from 0 over all cubes.
Chip = tuple[int, int, int]
CHIPS: Chip = (8, 8, 16)


def port_of(chip: Chip, axis: int, sign: str, slots: Mapping[Chip, int]) -> tuple[int, str, str]:
    """The slot, the tray and the port by which a chip looks along an axis, by the rule alone."""
    x, y, z = (coordinate % 4 + 1 for coordinate in chip)
    slot = slots[chip[0] // 4, chip[1] // 4, chip[2] // 4]
    tray = 1 + (-(-x // 2) - 1) + 2 * (-(-y // 2) - 1) + 4 * (z - 1)
    return slot, f"iw1-c{slot:03}-t{tray:02}", f"{x}.{y}.{z}/{'XYZ'[axis]}{sign}"


def check_torus(follower: Follower, slots: Mapping[Chip, int]) -> None:
    """Each chip that looks out of its cube hears its neighbour in the torus, and is heard by it."""
    heard = follower.heard(slots.values())
    checked = 0
    for chip in itertools.product(*map(range, CHIPS)):
        for axis in range(3):
            following = list(chip)
            following[axis] = (chip[axis] + 1) % CHIPS[axis]
            if following[axis] % 4:
                continue  # within a cube copper joins them
            here = port_of(chip, axis, "+", slots)
            there = port_of((following[0], following[1], following[2]), axis, "-", slots)
            assert heard[here[0], here[2]] == there[1:]
            assert heard[there[0], there[2]] == here[1:]
            checked += 2
    assert checked == 16 * 96


def act(page: Page, deed: str, said: str = "", tick: str = "") -> None:
    """Press a button of the ticket's page, say something, and confirm."""
    page.get_by_role("link", name=deed, exact=True).click()
    if tick:
        page.get_by_label(tick, exact=True).check()
    if said:
        page.get_by_label("Comment").fill(said)
    page.get_by_role("button", name=deed, exact=True).click()


def badge(page: Page) -> Any:
    """The state in the line of steps."""
    return page.locator("#ticket-progress [aria-current=step]")


def wish(ann: Page, pod: str, picture: Picture) -> str:
    """Look at what a slice would need, make the draft, and submit it: where the ticket is."""
    go(ann, f"/plugins/fabric-twin/tickets/add/?kind=slice&pod={pod}")
    ann.get_by_label("Shape").fill(SHAPE)
    ann.get_by_label("Name", exact=True).fill(NAME)
    ann.get_by_label("Reason").fill("The run of Friday")
    ann.get_by_role("button", name="See what it would do").click()
    would = ann.locator("#what-it-would-be")
    expect(would).to_contain_text(f"Slice {NAME} ({SHAPE})")
    ann.set_viewport_size({"width": 1280, "height": 1500})
    would.scroll_into_view_if_needed()
    picture(ann, "ticket-wish")
    ann.get_by_role("button", name="Make the draft").click()
    expect(badge(ann)).to_have_text("Draft")
    act(ann, "Submit", "Please, before Friday")
    expect(badge(ann)).to_have_text("Submitted")
    picture(ann, "ticket-submitted")
    return ann.url


def decide(bob: Page, address: str, picture: Picture) -> None:
    """See the change drawn, and approve it."""
    bob.set_viewport_size({"width": 1280, "height": 1300})
    go(bob, address)
    drawn = bob.locator(".fabric-drawing svg.drawing")
    expect(drawn).to_contain_text("iw1-ocs-x-1-1 and 15 more alike")
    bob.get_by_role("link", name="Approve", exact=True).click()
    expect(drawn).to_contain_text("stage 1: remove 0, add 16 on each")
    bob.get_by_label("Comment").fill("Free cubes only")
    bob.get_by_role("button", name="Approve", exact=True).click()
    expect(badge(bob)).to_have_text("Approved")
    bob.locator("a.nav-link", has_text="Approval").click()
    expect(bob.get_by_text("bob: Free cubes only")).to_be_visible()
    picture(bob, "ticket-approval")


def release(ann: Page, bob: Page) -> None:
    """Let the slice go by another ticket, which the other approves too."""
    go(ann, "/plugins/fabric-twin/slices/?pod=iw1")
    ann.get_by_role("link", name=NAME, exact=True).click()
    ann.get_by_role("link", name="Release by Ticket").click()
    ann.get_by_role("button", name="Make the draft").click()
    expect(badge(ann)).to_have_text("Draft")
    if ann.get_by_role("link", name="Confirm drained", exact=True).count():
        act(ann, "Confirm drained", "Its jobs have ended", NAME)
    act(ann, "Submit")
    expect(badge(ann)).to_have_text("Submitted")
    go(bob, ann.url)
    act(bob, "Approve")
    expect(badge(bob)).to_have_text("Approved")
    expect(badge(ann)).to_have_text("Approved")  # her page follows by itself
    act(ann, "Start now")
    ended(ann, "Done")


def undo(ann: Page, bob: Page, said: str) -> None:
    """Ask that what is done be undone; the other approves that, and nothing runs there."""
    act(ann, "Ask for Undo", said)
    go(bob, ann.url)
    act(bob, "Approve")
    ann.reload()
    if ann.get_by_role("link", name="Confirm drained", exact=True).count():
        act(ann, "Confirm drained", "Its jobs have ended", NAME)
    act(ann, "Undo")


def ended(page: Page, state: str) -> None:
    """The page follows by itself, for as long as a worker takes."""
    expect(badge(page)).to_have_text(state, timeout=PATIENCE * 1000)


def test_one_wishes_another_approves_it_runs_and_all_of_it_is_undone(
    browser: Browser, stack: Running, people: Any, follower: Follower, picture: Picture
) -> None:
    before = follower.carried()
    with (
        sitting(browser, stack, people["ann"]) as ann,
        sitting(browser, stack, people["bob"]) as bob,
    ):
        address = wish(ann, follower.pod.id, picture)
        expect(ann.get_by_role("link", name="Approve", exact=True)).to_have_count(0)
        go(ann, f"{address}act/?do=approve")
        ann.get_by_role("button", name="Approve", exact=True).click()
        expect(ann.get_by_text("nobody decides about their own ticket")).to_be_visible()
        assert follower.state() == "submitted"
        decide(bob, address, picture)

        plan = follower.plan()
        slots = {
            (x, y, z): cube["slot"]
            for effect in plan["effects"]
            for cube in effect["slice"]["cubes"]
            for x, y, z in [cube["at"]]
        }
        wished = {(c["switch"], c["a"], c["b"]) for c in plan["add"]}
        assert (len(slots), len(wished)) == (16, 16 * 48)

        go(ann, address)
        act(ann, "Start now")
        ended(ann, "Done")
        picture(ann, "ticket-done")
        assert follower.carried() == before | wished
        check_torus(follower, slots)

        release(ann, bob)
        assert follower.carried() == before
        undo(ann, bob, "It is needed once more")
        ended(ann, "Undone")
        assert follower.carried() == before | wished
        check_torus(follower, slots)

        go(ann, address)
        undo(ann, bob, "Thank you")
        ended(ann, "Undone")
        picture(ann, "ticket-undone")
        assert follower.carried() == before
        go(ann, "/plugins/fabric-twin/tickets/?pod=iw1")
        expect(ann.get_by_role("link", name=NAME).or_(ann.get_by_text(NAME)).first).to_be_visible()
        picture(ann, "tickets")
