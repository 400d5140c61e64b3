"""What a switch refuses with."""

from fabric_twin.dialects import openflow as of

_CODES = {name: codes for codes, name in of.ERRORS.items()}


class Refusal(Exception):
    """An error by the specification's name of it, like `OFPFMFC_OVERLAP`."""

    @property
    def codes(self) -> tuple[int, int]:
        """Its type and code."""
        return _CODES[str(self)]
