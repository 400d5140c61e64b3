"""A day in which much goes wrong, by orders and one by one: `make proof`, short."""

from .repairs import ByOrders, Repairs

SLOTS = (1, 2, 4, 5, 7, 8, 10, 11)


def test_orders_leave_nothing_open_and_visit_fewer_racks() -> None:
    naive = Repairs(1, days=1, times=60, slots=SLOTS).run()
    ours = ByOrders(1, days=1, times=60, slots=SLOTS, every=12).run()
    assert ours.left_open == []
    assert ours.ledger.open == []
    assert len(ours.ledger.entries) > 10
    assert ours.cost["rack visits"] < naive.cost["rack visits"]
    assert ours.cost["metres"] < naive.cost["metres"]
