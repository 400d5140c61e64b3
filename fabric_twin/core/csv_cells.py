"""Cells of a CSV file that a spreadsheet would run as a formula, made harmless and back."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def escape(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would run.

    >>> escape("=1+1"), escape("iw1-c007")
    ("'=1+1", 'iw1-c007')
    """
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


def unescape(cell: str) -> str:
    """Read back what `escape` wrote.

    >>> unescape("'=1+1"), unescape("'tis")
    ('=1+1', "'tis")
    """
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_FORMULA) else cell
