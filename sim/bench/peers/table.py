"""What was timed, as lines for benchstat and as a table."""

import dataclasses
from statistics import median

MIB = 1 << 20


@dataclasses.dataclass(frozen=True, eq=False)
class Tool:
    job: str
    name: str
    remark: str  # in which way it does less
    command: list


def whole(run, messages):
    """Seconds for all messages, by the wall clock and of CPU: as timed, or extrapolated
    linearly from a simulation of some of the messages."""
    if "simulated_s" not in run.figures:
        return run.seconds, run.cpu_seconds
    times = messages / run.figures["messages"]
    return run.figures["simulated_s"]["wall"] * times, run.figures["simulated_s"]["cpu"] * times


def benchmark_line(tool, run, messages, threads):
    """A run in the format of Go's benchmarks. Memory is never extrapolated."""
    seconds, cpu_seconds = whole(run, messages)
    return (
        f"BenchmarkPeers/job={tool.job}/tool={tool.name}-{threads}\t1\t{seconds * 1e9:.0f} ns/op\t"
        f"{messages / seconds:.0f} msg/s\t{cpu_seconds:.2f} cpu-s\t{run.peak_bytes} peak-bytes"
    )


def medians(done, messages):
    """Of the rounds: seconds, CPU seconds, MiB."""
    seconds, cpu_seconds = zip(*(whole(run, messages) for run in done))
    return median(seconds), median(cpu_seconds), median(run.peak_bytes for run in done) / MIB


def render(runs, messages, threads):
    """The medians, and how each peer stands to twindrift, which is the first tool of its job."""
    rounds = len(next(iter(runs.values())))
    lines = [
        f"{messages:,} messages, {threads} threads, median of {rounds} round{'s' if rounds > 1 else ''}; x: the peer's to twindrift's",
        "                         messages/s          seconds      CPU seconds         peak MiB",
    ]
    twindrift = {}
    for tool, done in runs.items():
        theirs = medians(done, messages)
        columns = f"  {tool.job:7} {tool.name:13} {messages / theirs[0]:11,.0f}"
        for value, ours in zip(theirs, twindrift.setdefault(tool.job, theirs)):
            ratio = "" if theirs is twindrift[tool.job] else f"{value / ours:.2f}x"
            columns += f" {value:8,.{2 if value < 100 else 0}f} {ratio:>7}"
        lines.append(f"{columns}  {tool.remark}".rstrip())
    return "\n".join(lines)
