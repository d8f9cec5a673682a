"""Whether the peers' figures are those of twindrift: a faster wrong answer is no peer."""

import math

PARTITION = ["messages", "first_offset", "last_offset", "first_ms", "last_ms", "log_append", "reordered", "max_behind_ms"]
WHOLE = ["messages", "first_ms", "last_ms", "peak_second", "peak_messages"]

EXACT = 1e-13  # of tau-b without luck: what roundings may leave
APART, APART_MESSAGES = 0.10, 200_000


def tolerance(messages):
    """How far 1 - tau-b may be apart where the luck is another, as a share of it.

    Over seeds it varies by 1 % of itself at 200,000 messages of sim/bench/day.yaml,
    and less with the root of their number: this is some six times the deviation of a
    difference of two.
    """
    return APART * math.sqrt(APART_MESSAGES / messages)


def inspected(twindrift, peer):
    """Compares what two say of a capture: for each figure, its name, whether it agrees, and how.

    A peer leaves out what it was not asked for, in all of its partitions.
    """
    differ = differing("", WHOLE, twindrift, peer)
    yield "the whole", not differ, "; ".join(differ) or ", ".join(WHOLE)
    ours, theirs = by_partition(twindrift), by_partition(peer)
    yield same("partitions", len(ours), len(theirs))
    asked = [name for name in PARTITION if any(name in p for p in theirs.values())]
    differ = [line for name, p in ours.items() for line in differing(name + " ", asked, p, theirs.get(name, {}))]
    yield "each partition", not differ, "; ".join(differ) or ", ".join(asked)


def by_partition(inspected):
    return {f"{p['topic']}/{p['partition']}": p for p in inspected["partitions"]}


def differing(what, names, ours, theirs):
    return [f"{what}{name} {ours[name]}, the peer has {theirs.get(name)}" for name in names if theirs.get(name) != ours[name]]


def replayed(twindrift, numpy):
    """Compares a run's figures with those of run_numpy.py."""
    read, sites = twindrift["input"], twindrift["sites"]
    yield same("messages", read["messages"], numpy["messages"])
    yield same("peak second", read["peak_second"], numpy["peak_second"])
    for site, count in numpy["with_offset"].items():
        yield same(f"ids with an offset, {site}", sites[site]["overflow"]["with_offset"], count)
    tau_b = tau_b_1ms(twindrift)
    yield without_luck("tau-b at 1 ms, east", tau_b["east"], numpy["tau_b_1ms"]["east"])
    for place in ["west", "between"]:
        yield with_luck(f"tau-b at 1 ms, {place}", tau_b[place], numpy["tau_b_1ms"][place], read["messages"])


def simulated(twindrift, simpy):
    """Compares a run's figures with those of run_simpy.py.

    SimPy takes messages of one moment as its events happened to be scheduled, so there is
    luck at both sites.
    """
    messages = twindrift["input"]["messages"]
    yield same("messages", messages, simpy["messages"])
    for place, tau_b in tau_b_1ms(twindrift).items():
        yield with_luck(f"tau-b at 1 ms, {place}", tau_b, simpy["tau_b_1ms"][place], messages)


def tau_b_1ms(twindrift):
    """Kendall's tau-b of a result, at each site and between them."""
    tau_b = {site: figures["order"]["tau_b"]["1ms"] for site, figures in twindrift["sites"].items()}
    return tau_b | {"between": twindrift["between"]["east-west"]["tau_b"]["1ms"]}


def same(name, ours, theirs):
    return name, ours == theirs, f"{ours}" if ours == theirs else f"{ours}, the peer has {theirs}"


def without_luck(name, ours, theirs):
    return name, abs(ours - theirs) <= EXACT, f"{ours!r}, the peer has {theirs!r} (no luck in it: to {EXACT:g})"


def with_luck(name, ours, theirs, messages):
    apart, most = abs(theirs - ours) / max(1 - ours, EXACT), tolerance(messages)
    return name, apart <= most, f"1 - tau-b {1 - ours:.4g}, the peer has {1 - theirs:.4g}: {apart:.2%} apart (at most {most:.2%}, the luck is other)"
