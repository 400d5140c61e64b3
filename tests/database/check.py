"""`make check-database`: migrate anew, and hold the packaged database to that."""

import sys

from fabric_twin.stack.empty_database import make_database, moved, restore
from tests.database.anew import migrated, server
from tests.database.differences import differences

#: So many differences are printed; one lost record may be named by many others.
_SHOWN = 50


def main() -> None:
    """Name each difference; exit 1 where there is one."""
    with server() as postgres:
        make_database(postgres, "packaged", restore)
        found = list(differences(postgres.dump("packaged"), migrated(postgres)))
    if why := moved():
        found.insert(0, f"the dump is of something else: {why}")
    for line in found[:_SHOWN]:
        print(line)
    if found:
        sys.exit(f"{len(found)} differences. Run `make empty-database`.")
    print("The packaged database is what all migrations make.")


if __name__ == "__main__":
    main()
