"""Stock comes from a CSV file by pages: a good file whole, a bad one not at all, row by row why."""

from typing import Any

from playwright.sync_api import expect

from tests.e2e.conftest import go
from tests.e2e.day.hand import Hand

#: The menu of the list, *Import*, *Run Job*.
IMPORT = 3
HALL = "Demo hall"
GOOD = f"part,location,on_hand,ordered\nOM4 of 12 m,{HALL},12,0\nSpare laser,{HALL},3,40\n"
BAD = f"part,location,on_hand,ordered\nOM4 of 15 m,{HALL},1,0\nOM4 of 20 m,{HALL},-1,0\n"
BAD += "OM4 of 30 m,Nowhere,1,0\n"
WHY = (
    "Row 2: on_hand: Ensure this value is greater than or equal to 0.",
    "Row 3: location: Related object not found",
    "CSV import not successful, all imports were rolled back, see logs",
)


def bring(hand: Hand, text: str) -> None:
    """From the list of stock to the result of an import."""
    page = hand.page
    go(page, "/plugins/fabric-twin/stock/")
    hand.click(page.locator("#actions-dropdown"))
    hand.click(page.locator(".dropdown-menu").get_by_role("link", name="Import").first)
    file = {"name": "stock.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.locator("input[name=csv_file]").set_input_files(files=[file])  # type: ignore[list-item]
    hand.click(page.get_by_role("button", name="Run Job"))


def test_a_good_file_comes_whole_and_a_bad_one_not_at_all(hand: Hand, twin: Any) -> None:
    before = {one.id for one in twin.stock.all()}

    def came() -> dict[str, tuple[int, int]]:
        rows = [one for one in twin.stock.all() if one.id not in before]
        return {one.part: (one.on_hand, one.ordered) for one in rows}

    bring(hand, BAD)
    for words in WHY:
        expect(hand.page.get_by_text(words).first).to_be_visible(timeout=60_000)
    assert came() == {}
    hand.counted()

    bring(hand, GOOD)
    expect(hand.page.get_by_text("Created 2 stock object(s) from 2 row(s)").first).to_be_visible(
        timeout=60_000
    )
    assert hand.counted() <= IMPORT
    assert came() == {"OM4 of 12 m": (12, 0), "Spare laser": (3, 40)}
    hand.link("Spare laser at Demo hall")
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text("Spare laser at Demo hall")
    for one in twin.stock.all():
        if one.id not in before:
            one.delete()
