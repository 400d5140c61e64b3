"""What a server refuses, with gRPC's codes."""

import grpc


class Refusal(Exception):
    """An answer that is a status."""

    def __init__(self, code: grpc.StatusCode, words: str) -> None:
        super().__init__(words)
        self.code, self.words = code, words


class NotFound(Refusal):
    """Nothing has that name."""


def not_found(words: str) -> NotFound:
    """Nothing has that name."""
    return NotFound(grpc.StatusCode.NOT_FOUND, words)


def invalid(words: str) -> Refusal:
    """A request that means nothing."""
    return Refusal(grpc.StatusCode.INVALID_ARGUMENT, words)


def unimplemented(words: str) -> Refusal:
    """A request that means something, and not to this server."""
    return Refusal(grpc.StatusCode.UNIMPLEMENTED, words)


def failed(words: str) -> Refusal:
    """A change that goes wrong late: SONiC's server tells it without a code."""
    return Refusal(grpc.StatusCode.UNKNOWN, words)


def unavailable(words: str) -> Refusal:
    """Nobody is there to answer."""
    return Refusal(grpc.StatusCode.UNAVAILABLE, words)
