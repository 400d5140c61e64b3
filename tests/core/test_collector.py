"""The garbage collector comes by more seldom, and is never off."""

import gc

import pytest

from fabric_twin.core.garbage import SELDOM, seldom_collected


def test_it_is_seldom_until_the_last_of_those_at_work_is_done() -> None:
    usual = gc.get_threshold()
    one, other = seldom_collected(), seldom_collected()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert (gc.get_threshold(), gc.isenabled()) == (SELDOM, True)
    other.__exit__(None, None, None)
    assert (gc.get_threshold(), gc.isenabled()) == (usual, True)


def test_work_that_fails_leaves_it_as_it_was() -> None:
    usual = gc.get_threshold()
    with pytest.raises(ZeroDivisionError), seldom_collected():
        raise ZeroDivisionError
    assert gc.get_threshold() == usual
