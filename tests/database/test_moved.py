"""The packaged database is of what is installed here."""

from fabric_twin.stack.empty_database import moved


def test_the_dump_is_of_what_is_installed_here() -> None:
    assert moved() == "", "run `make empty-database`"
