"""Audits of a night, nothing new: one worker and two, each a process of its own.

python tests/benchmarks/app/workers.py iw1 iw2      one worker, which waits for a word to begin
"""

import subprocess
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any

from empty_nautobot import CONFIG
from ten_pods import POD

#: A pod that has cables of which nobody knows an end: a finding each.
LOOSE, FINDINGS = POD, 100


def audit(pod: str, scope: Any = None) -> Any:
    """One audit of a pod, as a worker is called to it."""
    from fabric_twin.models import Pod
    from fabric_twin.operations.audits.audit import WHOLE_POD
    from fabric_twin.operations.audits.observe import observe_scope
    from fabric_twin.operations.audits.run import How, run_audit

    found = Pod.objects.get(name=pod)
    return run_audit(found, scope or WHOLE_POD, How(look=observe_scope))


def grow(pods: Sequence[str]) -> None:
    """Time one worker and two, with more and more pods."""
    print("\npods  workers  seconds  s a pod   (workers started, then called)")
    for count in (1, 2, 5, 10):
        for workers in (1, 2):
            if workers > count or count > len(pods):
                continue
            shares = [pods[:count][first::workers] for first in range(workers)]
            processes = [
                subprocess.Popen(
                    [sys.executable, __file__, *share],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
                for share in shares
            ]
            for process in processes:
                assert process.stdout
                process.stdout.readline()
            begun = time.perf_counter()
            for process in processes:
                assert process.stdin
                process.stdin.write("go\n")
                process.stdin.flush()
            for process in processes:
                assert process.stdout
                if process.stdout.readline() != "done\n":
                    sys.exit("a worker failed")
            took = time.perf_counter() - begun
            for process in processes:
                process.communicate(timeout=60)
            print(f"{count:4} {workers:8} {took:8.1f} {took / count:8.2f}", flush=True)


def main(pods: list[str]) -> None:
    """Audit pods one after the other, as one worker does, once somebody calls."""
    import nautobot

    with warnings.catch_warnings(action="ignore"):
        nautobot.setup(str(CONFIG))
    print("ready", flush=True)
    sys.stdin.readline()
    for pod in pods:
        found = audit(pod).found
        assert found == (FINDINGS if pod == LOOSE else 0), (pod, found)
    print("done", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
