"""Stands between the supervisor and one part of the stack, so that no part outlives it.

    supervisor --- lifeline: a pipe, nothing is ever said on it ---> keeper ---> part

However the supervisor ends, SIGKILL included, the kernel closes its end of the pipe. The keeper
reads the end of the file, asks the part to stop, and kills what is left of its session. Closing
the lifeline on purpose is how a part is stopped, so there is one way only and it is always tried;
a SIGTERM to the keeper goes the same way, and the supervisor starts the part again.

The standard library alone, run as a file: it starts in a few hundredths of a second.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from typing import Any

#: Ctrl-C on the terminal and a hang-up are the supervisor's to answer; it then lets the line go.
_NOT_OURS = (signal.SIGINT, signal.SIGHUP)


def main(stop_signal: str, grace: str, user: str, *command: str) -> int:
    """Run a command until it ends, or until the lifeline does; exit as it did."""
    for number in _NOT_OURS:
        signal.signal(number, _pass_over)
    try:
        part = subprocess.Popen(  # noqa: S603
            command,
            stdin=subprocess.DEVNULL,
            process_group=0,
            close_fds=False,  # it holds what we hold: see kept.py
            **(_identity(user) if user else {}),
        )
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201
        return 127

    def stop() -> None:
        _stop(part, signal.Signals[stop_signal], float(grace))

    def stop_at_end_of_line() -> None:
        while os.read(0, 1024):
            pass
        stop()

    threading.Thread(target=stop_at_end_of_line, daemon=True).start()
    # Somebody stops this part alone, by the number that `status` shows: it is started again then.
    in_time = threading.Thread(target=stop, daemon=True)
    signal.signal(signal.SIGTERM, lambda *_: None if in_time.ident else in_time.start())
    code = part.wait()
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(part.pid, signal.SIGKILL)  # workers it may have left behind
    return code if code >= 0 else 128 - code


def _stop(part: "subprocess.Popen[bytes]", ask: signal.Signals, grace: float) -> None:
    part.send_signal(ask)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(part.pid, signal.SIGCONT)  # somebody may have stopped it
    try:
        part.wait(grace)
    except subprocess.TimeoutExpired:
        os.killpg(part.pid, signal.SIGKILL)


def _pass_over(_number: int, _frame: object) -> None:
    """Do nothing. Unlike a signal that is ignored, one that is handled is not so for the part."""


def _identity(user: str) -> dict[str, Any]:
    """Another user with its group and no others: PostgreSQL refuses to run as root."""
    import pwd

    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": [], "cwd": "/"}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
