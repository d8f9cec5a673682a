"""One run of a program, timed."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Timed:
    """What a run gave (the JSON that it printed) and took."""

    figures: dict
    seconds: float  # by the wall clock
    cpu_seconds: float
    peak_bytes: int  # the largest resident set


def timed(command, threads):
    """Runs a program on so many threads, of those who ask for a number, and waits for it."""
    environment = os.environ | {"GOMAXPROCS": str(threads), "POLARS_MAX_THREADS": str(threads), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryFile() as out:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, env=environment)
        # Not RUSAGE_CHILDREN, whose peak is that of the largest child so far.
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: ended with status {process.returncode}")
        out.seek(0)
        figures = json.load(out)
    unit = 1 if sys.platform == "darwin" else 1024
    return Timed(figures, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)
