"""Each benchmark that needs Nautobot, once and small, all on one database.

`make test-programs` runs it. Whole, each has an empty database of its own: `make bench`.
"""

import auditing
import loading
import pages
import tickets
from empty_nautobot import nautobot_on_an_empty_database
from sizes import SMALL


def main() -> None:
    """Run them."""
    with nautobot_on_an_empty_database():
        print("# Benchmark loading")
        loading.run(SMALL)
        print("# Benchmark tickets")
        tickets.run(SMALL)
        print("# Benchmark pages")
        pages.run(SMALL, pages.wishes(["--rounds", "1"]))
        print("# Benchmark auditing")
        auditing.run(SMALL, auditing.wishes(["--rounds", "1", "--most", "1"]))


if __name__ == "__main__":
    main()
