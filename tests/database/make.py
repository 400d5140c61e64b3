"""`make empty-database`: migrate anew, and package the dump of it."""

from fabric_twin.stack.empty_database import DUMP, packed
from tests.database.anew import migrated, server
from tests.database.canonical import canonical


def main() -> None:
    """Write the dump; who runs it twice writes the same bytes."""
    with server() as postgres:
        dump = packed(canonical(migrated(postgres)))
    same = DUMP.exists() and DUMP.read_bytes() == dump
    DUMP.write_bytes(dump)
    print(f"{DUMP.name}: {len(dump):,} bytes, {'as it was' if same else 'written anew'}")


if __name__ == "__main__":
    main()
