"""Times twindrift against what people would use in its place, and compares their figures.

    python compare.py [--messages 20000000] [--rounds 3] [--threads 2]
        [--twindrift ./twindrift] [--folder .bench]

The capture is made from ../day.yaml, once, and kept in the folder. Then, in each
round, one program after the other goes over it, so that a machine that others use too
slows all of them:

  inspect   twindrift inspect against DuckDB, DuckDB without the order within partitions,
            and Polars
  run       twindrift run, all measures on, against NumPy, Polars and SciPy with three
            figures of drift; and against SimPy on a capture of a hundredth of the messages,
            its time extrapolated linearly

What is printed: whether the figures agree; a line for each run in the format of Go's
benchmarks, for benchstat (`-col /tool`); and a table of the medians. Where figures do not
agree, the exit status is 1. `make bench-peers` runs it with the versions of requirements.txt.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import agreement
from process import timed
from table import Tool, benchmark_line, render

HERE = pathlib.Path(__file__).parent
RECIPE = HERE.parent / "day.yaml"
DAY_MESSAGES, DAY_SECONDS = 20_000_000, 86_400  # of the recipe
PART = 100  # SimPy gets one message in so many


def made(folder, messages, twindrift):
    """The capture of about so many messages, made unless it is there and newer than the recipe."""
    capture = folder / f"day-{messages}.parquet"
    if capture.exists() and capture.stat().st_mtime > RECIPE.stat().st_mtime:
        return capture
    length = f"length: {max(1, messages * DAY_SECONDS // DAY_MESSAGES)}s"
    recipe = capture.with_suffix(".yaml")
    folder.mkdir(parents=True, exist_ok=True)
    recipe.write_text(re.sub(r"(?m)^length: .*$", length, RECIPE.read_text()))
    subprocess.run([twindrift, "synth", "-q", recipe, "-o", capture], check=True)
    return capture


def tools(twindrift, capture, part, threads):
    """What is run, each job's first against the others."""

    def script(name, *arguments):
        return [sys.executable, str(HERE / name), *arguments]

    return [
        Tool("inspect", "twindrift", "", [twindrift, "inspect", "-q", "-o", "json", capture]),
        Tool("inspect", "duckdb", "", script("inspect_duckdb.py", capture, "--threads", str(threads))),
        Tool("inspect", "duckdb-counts", "without disorder", script("inspect_duckdb.py", capture, "--counts-only", "--threads", str(threads))),
        Tool("inspect", "polars", "trusts the order of rows", script("inspect_polars.py", capture)),
        Tool("run", "twindrift", "all measures", [twindrift, "run", "-q", "-o", "json", capture]),
        Tool("run", "numpy-scipy", "tau-b at 1 ms only", script("run_numpy.py", capture)),
        Tool("run", "simpy", f"no measures; 1/{PART} of the messages, time extrapolated", script("run_simpy.py", part)),
    ]


def check(figures, twindrift_on_part):
    """Prints how the figures agree; says whether all do."""
    inspected = figures["inspect", "twindrift"]
    compared = {
        "inspect, duckdb": agreement.inspected(inspected, figures["inspect", "duckdb"]),
        "inspect, duckdb-counts": agreement.inspected(inspected, figures["inspect", "duckdb-counts"]),
        "inspect, polars": agreement.inspected(inspected, figures["inspect", "polars"]),
        "run, numpy-scipy": agreement.replayed(figures["run", "twindrift"], figures["run", "numpy-scipy"]),
        f"run, simpy (1/{PART})": agreement.simulated(twindrift_on_part, figures["run", "simpy"]),
    }
    all_agree = True
    for title, answers in compared.items():
        print(f"# {title}")
        for name, agrees, how in answers:
            print(f"#   {'ok  ' if agrees else 'FAIL'}  {name}: {how}")
            all_agree &= agrees
    return all_agree


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--messages", type=int, default=DAY_MESSAGES)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--twindrift", default="./twindrift")
    options.add_argument("--folder", type=pathlib.Path, default=".bench")
    given = options.parse_args()

    capture = str(made(given.folder, given.messages, given.twindrift))
    part = str(made(given.folder, given.messages // PART, given.twindrift))
    all_tools = tools(given.twindrift, capture, part, given.threads)
    runs = {tool: [] for tool in all_tools}
    for _ in range(given.rounds):
        for tool in all_tools:
            run = timed(tool.command, given.threads)
            runs[tool].append(run)
            print(benchmark_line(tool, run, messages(runs), given.threads), flush=True)
    figures = {(tool.job, tool.name): done[0].figures for tool, done in runs.items()}
    all_agree = check(figures, timed([given.twindrift, "run", "-q", "-o", "json", part], given.threads).figures)
    print()
    print(render(runs, messages(runs), given.threads))
    if not all_agree:
        sys.exit("FAIL: the figures do not agree")


def messages(runs):
    """How many messages the whole capture has: the first tool has said so."""
    return next(iter(runs.values()))[0].figures["messages"]


if __name__ == "__main__":
    main()
