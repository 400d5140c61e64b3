"""A dump without chance in it, so that two runs of the same migrations give the same text.

They differ in the identifiers of records, in times, and in a key of pg_dump's own; nothing else.
Records get identifiers that follow from what they hold, and all times become one moment.
"""

import re
from collections import Counter
from uuid import NAMESPACE_OID, uuid5

from fabric_twin.stack.empty_database import MOMENT
from tests.database.dump import parts

_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_TIME = re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00\b")
#: A key and versions of pg_dump's, and a setting that only PostgreSQL 17 and newer know.
_OF_PG_DUMP = re.compile(
    r"^(?:\\(?:un)?restrict |-- Dumped |SET transaction_timeout).*\n", re.MULTILINE
)


def canonical(dump: str) -> str:
    """The same text for each run of the same migrations."""
    text = _TIME.sub(MOMENT, _OF_PG_DUMP.sub("", dump))
    names = _names(text)
    return _UUID.sub(lambda found: names.get(found[0], found[0]), text)


def _names(text: str) -> dict[str, str]:
    """Identifiers that follow from the rest of each row; rows that are alike are counted."""
    alike: Counter[str] = Counter()
    names = {}
    for part in parts(text):
        if part.kind != "table data":
            continue
        for row in part.text.splitlines():
            if own := _UUID.match(row):
                held = f"{part.name} {_UUID.sub('', row)}"
                alike[held] += 1
                names[own[0]] = str(uuid5(NAMESPACE_OID, f"{held} {alike[held]}"))
    return names
