"""What a server refuses, with gRPC's codes."""

import grpc

from fabric_twin.core.errors import FabricTwinError, NotPossible


class Refusal(Exception):
    """An answer that is a status."""

    def __init__(self, code: grpc.StatusCode, words: str) -> None:
        super().__init__(words)
        self.code, self.words = code, words

    @classmethod
    def of(cls, error: FabricTwinError) -> "Refusal":
        """The status of a refusal of the simulator's own."""
        possible = isinstance(error, NotPossible)
        code = grpc.StatusCode.FAILED_PRECONDITION if possible else grpc.StatusCode.INVALID_ARGUMENT
        return cls(code, str(error))


class NotFound(Refusal):
    """There is nothing of that name."""


def not_found(words: str) -> NotFound:
    """There is nothing of that name."""
    return NotFound(grpc.StatusCode.NOT_FOUND, words)


def invalid(words: str) -> Refusal:
    """A request that means nothing."""
    return Refusal(grpc.StatusCode.INVALID_ARGUMENT, words)


def unavailable(words: str) -> Refusal:
    """Nobody is there to answer."""
    return Refusal(grpc.StatusCode.UNAVAILABLE, words)
