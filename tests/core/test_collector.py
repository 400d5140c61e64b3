"""The garbage collector comes by more seldom, leaves alone what is loaded, and is never off."""

import gc

import pytest

from fabric_twin.core.garbage import SELDOM, seldom_collected, spare_what_is_loaded


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


def test_what_is_loaded_is_not_walked_any_more_and_what_comes_later_is() -> None:
    loaded: list[object] = [[]]
    spare_what_is_loaded()
    later: list[object] = [[]]
    walked = {id(one) for one in gc.get_objects()}
    assert (id(loaded) in walked, id(later) in walked) == (False, True)
