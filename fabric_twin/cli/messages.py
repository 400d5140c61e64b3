"""Messages for a person, on standard error; standard output is the product."""

import click


def tell(words: str) -> None:
    """Tell a person; a control character in a name must not reach the terminal."""
    harmless = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)
    click.echo(f"fabric-twin: {harmless}", err=True)
