"""What a phone's camera sees, in a browser with and without a reader of its own.

Chromium takes a video in place of a camera; its pictures are those of our own paper and labels.
"""

import io
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from fabric_twin.documents.pods.labels import ACROSS, label_pages
from fabric_twin.documents.rendering import render
from fabric_twin.documents.sheet import Document, Table
from tests.e2e.aisle import Server, no_network, wait_until_kept
from tests.e2e.conftest import PHONE, Running, go, page_without_errors

Picture = Callable[[Page, str], Path]
#: The pictures of a camera.
WIDE, HIGH = 1280, 720
#: In place of the reader that Chromium has on a phone, and not here: it reads with the decoder
#: that was given to the page under another name, and says that it was asked.
OWN_READER = """
window.BarcodeDetector = class {
    static async getSupportedFormats() { return ["qr_code"]; }
    async detect(video) {
        window.wasAsked = true;
        const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
        const pen = canvas.getContext("2d");
        pen.drawImage(video, 0, 0);
        const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height);
        const read = ownReader(data, width, height);
        return read ? [{ rawValue: read.data }] : [];
    }
};
"""
#: An order that lays cables, with labels.
SLOT = 66


@pytest.fixture(scope="module")
def server(stack: Running) -> Iterator[Server]:
    """An order of two crews; the next step of one of them is to scan a cable."""
    server = Server(stack)
    server.begin(kind="install", slots=str(SLOT), crews=2)
    first = scan_step(server)
    before = server.steps()[: first["number"] - 1]
    server.do([step for step in before if crew_of(step) == crew_of(first)])
    yield server
    server.post(f"{server.path}withdraw/", said="The test is over")


def scan_step(server: Server) -> dict[str, Any]:
    return next(step for step in server.steps() if step["do"] == "scan")


def crew_of(step: dict[str, Any]) -> int:
    return int(step.get("crew", 1))


def at(step: dict[str, Any]) -> str:
    return f"{step['device']} port {step['port']}"


def page_of(server: Server, crew: int) -> str:
    return f"/plugins/fabric-twin/work-orders/{server.path}do/?crew={crew}"


def label(cable: str) -> str:
    """The sheet that the label printer gets, with one label: a page for a browser."""
    cells = ((cable, "a", cable, "device", "port", "other device", "other port"),)
    document = Document("labels", "l", "l", (), (Table("Labels", tuple("abcdefg"), cells),))
    [labels] = label_pages(document)
    facts = {"document": document, "pod": "iw1", "paper": True, "labels": labels}
    return render(["labels/page.svg"], {**facts, "across": ACROSS})


def seen(browser: Browser, page: str, where: str, zoom: float = 1) -> Image.Image:
    """What a camera sees that is held over it."""
    context = browser.new_context(viewport={"width": 1200, "height": 1700}, device_scale_factor=2)
    shown = context.new_page()
    shown.set_content(page)
    picture = Image.open(io.BytesIO(shown.locator(where).first.screenshot()))
    context.close()
    return picture.convert("RGB").resize(
        (round(picture.width * zoom), round(picture.height * zoom))
    )


def video(picture: Image.Image, path: Path) -> Path:
    """Pictures as Chromium takes them for a camera's: a code on a desk, a little askew."""
    desk = Image.new("RGB", (WIDE, HIGH), "#777268")
    picture.thumbnail((WIDE - 200, HIGH - 100))
    turned = picture.rotate(4, expand=True, fillcolor="#777268")
    desk.paste(turned, ((WIDE - turned.width) // 2, (HIGH - turned.height) // 2))
    light, blue, red = desk.convert("YCbCr").split()
    half = (WIDE // 2, HIGH // 2)
    frame = light.tobytes() + blue.resize(half).tobytes() + red.resize(half).tobytes()
    head = f"YUV4MPEG2 W{WIDE} H{HIGH} F10:1 Ip A1:1 C420jpeg\n".encode()
    path.write_bytes(head + (b"FRAME\n" + frame) * 10)
    return path


@contextmanager
def with_camera(
    browser: Browser, stack: Running, session: Any, film: Path, script: str = ""
) -> Iterator[Page]:
    """A phone whose camera sees a video."""
    flags = ["--no-sandbox", "--disable-gpu", "--use-fake-ui-for-media-stream"]
    flags += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    program = browser.browser_type.launch(executable_path=shutil.which("chromium"), args=flags)
    context = program.new_context(base_url=stack.address, storage_state=session, viewport=PHONE)
    context.grant_permissions(["camera"])
    if script:
        context.add_init_script(script)
    with page_without_errors(context) as page:
        yield page
    program.close()


def test_a_label_is_read_without_a_reader_of_the_browser_and_without_a_network(
    browser: Browser, stack: Running, session: Any, server: Server, tmp_path: Path
) -> None:
    first = scan_step(server)
    film = video(seen(browser, label(first["cable"]), "rect, svg > path"), tmp_path / "l.y4m")
    with with_camera(browser, stack, session, film) as phone:
        go(phone, page_of(server, crew_of(first)))
        assert phone.evaluate("'BarcodeDetector' in window") is False
        phone.wait_for_function("() => navigator.serviceWorker.controller")
        with no_network(phone):
            phone.get_by_role("button", name="Camera", exact=True).click()
            expect(phone.get_by_role("heading", level=1)).to_contain_text("Inspect")
            expect(phone.locator("video")).to_be_hidden()
        expect(phone.get_by_text("not sent yet")).to_be_hidden()
    assert server.state(first["number"]) == "done"


def test_the_code_of_a_visit_on_paper_opens_its_step_and_skips_nothing(
    browser: Browser,
    stack: Running,
    session: Any,
    server: Server,
    tmp_path: Path,
    picture: Picture,
) -> None:
    address = f"{server.root}{server.path}document/?form=html"
    paper = server.session.get(address).text
    crew = crew_of(scan_step(server))
    walk = [s for s in server.steps() if s["do"] == "go" and crew_of(s) == crew][-1]
    code = f'a.code[href$="crew={crew}&step={walk["number"]}"]'
    film = video(seen(browser, paper, code, 3), tmp_path / "paper.y4m")
    with with_camera(browser, stack, session, film) as phone:
        go(phone, page_of(server, crew))
        heading = phone.get_by_role("heading", level=1).inner_text()
        phone.get_by_role("button", name="Scan a code").click()
        told = phone.get_by_role("status").filter(has_text=f"This is step {walk['number']}")
        expect(told).to_contain_text("comes first.")
        expect(phone.get_by_role("heading", level=1)).to_have_text(heading)
        assert phone.url.endswith(f"?crew={crew}&step={walk['number']}")
        picture(phone, "doing-paper")
        # The page of another crew, and of another order.
        go(phone, page_of(server, 3 - crew))
        phone.get_by_role("button", name="Scan a code").click()
        expect(told).to_be_visible()
        [other, *_] = stack.api().plugins.fabric_twin.work_orders.filter(number=1)
        go(phone, f"/plugins/fabric-twin/work-orders/{other.id}/do/")
        phone.get_by_role("button", name="Scan a code").click()
        phone.get_by_role("link", name="Open that order").click()
        expect(told).to_be_visible()


def test_an_address_of_a_step_says_whose_turn_it_is(phone: Page, server: Server) -> None:
    first = scan_step(server)
    page, now = page_of(server, crew_of(first)), first["number"] + 1
    said = phone.locator("#asked")
    go(phone, f"{page}&step={now + 1}")
    expect(said).to_have_text(f"This is step {now + 1}: clean {at(first)}. Step {now} comes first.")
    go(phone, f"{page}&step={now - 1}")
    expect(said).to_have_text(f"Step {now - 1} is done: scan {first['cable']} at {at(first)}.")
    go(phone, f"{page}&step={now}")
    expect(phone.get_by_role("heading", level=1)).to_have_text(f"Inspect {at(first)}")
    expect(said).to_be_hidden()


def test_a_scan_does_not_lose_the_page_without_a_network(phone: Page, server: Server) -> None:
    go(phone, page_of(server, 1))
    wait_until_kept(phone)
    heading = phone.get_by_role("heading", level=1).inner_text()
    walk = next(s for s in server.steps() if s["do"] == "go" and crew_of(s) == 1)
    # As a scan of the paper's code has it: crew 1 is not in the address.
    phone.evaluate(
        "n => history.replaceState(null, '', pageOf({ crew: 1, step: n }))", walk["number"]
    )
    assert phone.url.endswith(f"/do/?step={walk['number']}")
    with no_network(phone):
        phone.reload()
        expect(phone.get_by_role("heading", level=1)).to_have_text(heading)


def test_my_orders_are_a_tap_from_home_and_each_a_tap_from_its_step(
    phone: Page, server: Server, picture: Picture
) -> None:
    first = scan_step(server)
    go(phone, "/")
    phone.locator("main").get_by_role("link", name="My orders").click()
    name = server.get(server.path)["display"]
    mine = phone.get_by_role("article").filter(has_text=name)
    expect(mine).to_contain_text(f"rack {first['rack']}")
    expect(mine).to_contain_text("Under way")
    picture(phone, "my-orders")
    mine.get_by_role("link", name=f"Do it: crew {crew_of(first)}").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(f"Inspect {at(first)}")
    phone.get_by_role("link", name="My orders").click()
    expect(mine).to_be_visible()


def test_the_walk_is_drawn_with_the_stop_that_is_now_and_without_a_network(
    phone: Page, server: Server, picture: Picture
) -> None:
    first = scan_step(server)
    crew = crew_of(first)
    visits = [s for s in server.steps() if s["do"] == "go" and crew_of(s) == crew]
    go(phone, page_of(server, crew))
    wait_until_kept(phone)
    with no_network(phone):
        phone.reload()
        walk = phone.get_by_text(f"Route: stop 1 of {len(visits)}")
        walk.click()
        stops = phone.locator("#stops li")
        expect(stops).to_have_count(len(visits))
        expect(stops.first).to_contain_text(f"{first['rack']} · row")
        expect(stops.first).to_contain_text("now")
        expect(phone.locator("#floor .here title")).to_have_text(f"stop 1: {first['rack']}")
        left = int(stops.first.inner_text().split(" steps")[0].split()[-1])
        phone.get_by_role("button", name="Done", exact=True).click()
        expect(stops.first).to_contain_text(f"{left - 1} steps")
    expect(phone.get_by_text("not sent yet")).to_be_hidden()
    phone.locator("#route").scroll_into_view_if_needed()
    phone.mouse.wheel(0, 600)
    picture(phone, "doing-route")


def test_a_reader_of_the_browser_goes_before_ours(
    browser: Browser, stack: Running, session: Any, server: Server, tmp_path: Path
) -> None:
    film = video(seen(browser, label("no-cable-of-ours"), "rect, svg > path"), tmp_path / "l.y4m")
    decoder = Path("fabric_twin/static/fabric_twin/jsqr/jsQR.js").read_text()
    script = f"{decoder}\nwindow.ownReader = window.jsQR; delete window.jsQR;\n{OWN_READER}"
    with with_camera(browser, stack, session, film, script) as phone:
        go(phone, page_of(server, 3 - crew_of(scan_step(server))))
        phone.get_by_role("button", name="Scan a code").click()
        expect(phone.get_by_role("alert")).to_contain_text("This code says no-cable-of-ours.")
        assert phone.evaluate("[window.wasAsked, 'jsQR' in window]") == [True, False]


def test_the_side_bar_is_closed_on_our_pages_and_its_button_opens_it(
    phone: Page, stack: Running, server: Server, picture: Picture
) -> None:
    twin = stack.api().plugins.fabric_twin
    pod = twin.pods.get(name="iw1")
    finding, *_ = twin.findings.filter(pod="iw1")
    ticket, *_ = twin.tickets.filter(pod="iw1")
    bar, button = phone.locator("#sidenav"), phone.locator(".nb-sidenav-toggler")
    pages = (f"pods/{pod.id}/", f"findings/{finding.id}/", f"tickets/{ticket.id}/", "shift/")
    for path in (*pages, "findings/", "tickets/", "work-orders/add/", f"work-orders/{server.path}"):
        go(phone, f"/plugins/fabric-twin/{path}")
        expect(button).to_have_attribute("aria-expanded", "false")
        assert bar.bounding_box()["width"] < PHONE["width"] / 5, path
        # The bar is out of the page's way, open or not.
        assert phone.locator("#main-content").bounding_box()["width"] > PHONE["width"] * 0.7, path
    picture(phone, "order-on-phone")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    phone.get_by_role("button", name="Fabric Twin").click()
    phone.get_by_role("link", name="My orders", exact=True).click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("My orders")
    # Nautobot's own pages are as they were.
    go(phone, "/dcim/racks/")
    expect(button).to_have_attribute("aria-expanded", "true")
