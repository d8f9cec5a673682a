"""The job of `twindrift run` in its simplest form, with NumPy, Polars and SciPy.

Two sites consume the whole capture: east (node 1) at once, west (node 2) over a link whose
delay is lognormal, 35 ms in the median and 400 ms at p99, twindrift's defaults. Each site's
one consumer draws second-slot ids in the order of arrival. Kendall's tau-b at 1 ms then
says how far the order of ids is from that of event times at each site, and from that of
the other site.

That is three figures of one run's many, all of it in memory, and right only without faults:
a second that overflows goes on in the next ones as a queue does, with no jump limit and no
end of the day. What comes of it is written as JSON.

    python run_numpy.py CAPTURE [--seed 1]
"""

import argparse
import json
import math

import numpy as np
import polars as pl
from scipy.stats import kendalltau

DELAY_P50_MS, DELAY_P99_MS = 35, 400
Z_P99 = 2.3263478740408408  # the normal distribution's 99th percentile
NODES = {"east": 1, "west": 2}
PER_SECOND, STEP, NODE_RANGE, SECOND = 5000, 200, 1_000_000, 10_000_000
UTC_OFFSET_S = 8 * 3600
EPOCH = 621_355_968_000_000_000  # the .NET tick count of 1970-01-01
TICKS_PER_MS = 10_000
NS_PER_MS = 1_000_000


def read(capture):
    """Event times in ms, int64, by (topic, partition, offset), and where partitions begin."""
    rows = (
        pl.read_parquet(capture, columns=["topic", "partition", "offset", "timestamp"])
        .sort("topic", "partition", "offset")
        .with_columns(pl.col("timestamp").dt.epoch("ms"))
    )
    new = rows.select(pl.struct("topic", "partition").rle_id()).to_series().to_numpy()
    return rows["timestamp"].to_numpy(), np.flatnonzero(np.diff(new, prepend=-1))


def running_max(values, starts):
    """The largest value so far, in each partition."""
    return np.concatenate([np.maximum.accumulate(part) for part in np.split(values, starts[1:])])


def lognormal_ns(n, random):
    """Delays given by p50 and p99."""
    sigma = math.log(DELAY_P99_MS / DELAY_P50_MS) / Z_P99
    return (random.lognormal(math.log(DELAY_P50_MS), sigma, n) * NS_PER_MS).astype(np.int64)


def draw(event_ms, arrival_ns, node):
    """Ids in the order of arrival, ties by (topic, partition, offset).

    A second's messages stand in a queue that serves PER_SECOND of them a second, so message
    k of all, by second, gets place max(place of k - 1, plus 1; the first of its second).
    """
    second = event_ms // 1000 + UTC_OFFSET_S
    by_arrival = np.argsort(arrival_ns, kind="stable")
    queue = by_arrival[np.argsort(second[by_arrival], kind="stable")]
    k = np.arange(len(queue))
    place = k + np.maximum.accumulate(second[queue] * PER_SECOND - k)
    ids = np.empty(len(queue), np.int64)
    ids[queue] = place // PER_SECOND * SECOND + node * NODE_RANGE + place % PER_SECOND * STEP + EPOCH
    return ids


def run(event_ms, starts, seed):
    """All figures, named as in the result of twindrift."""
    append_ns = running_max(event_ms, starts) * NS_PER_MS
    late_ns = append_ns + lognormal_ns(len(append_ns), np.random.default_rng(seed))
    arrival_ns = {"east": append_ns, "west": running_max(late_ns, starts)}
    ids = {site: draw(event_ms, arrival_ns[site], node) for site, node in NODES.items()}
    seconds, counts = np.unique(event_ms // 1000, return_counts=True)
    peak = np.argmax(counts)
    return {
        "messages": len(event_ms),
        "peak_second": {"second": int(seconds[peak]), "count": int(counts[peak])},
        "with_offset": {site: with_offset(of_site, event_ms) for site, of_site in ids.items()},
        "tau_b_1ms": tau_b_1ms(ids, event_ms),
    }


def with_offset(ids, event_ms):
    """How many ids say another second than that of their message."""
    return int(np.count_nonzero((ids - EPOCH) // SECOND - UTC_OFFSET_S != event_ms // 1000))


def tau_b_1ms(ids, event_ms):
    """Kendall's tau-b at each site, and between the two by the times that the ids say."""
    east_ms, west_ms = (ids[site] // TICKS_PER_MS for site in NODES)
    tau_b = {site: kendalltau(of_site, event_ms).statistic for site, of_site in ids.items()}
    return tau_b | {"between": kendalltau(east_ms, west_ms).statistic}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("capture")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    print(json.dumps(run(*read(given.capture), given.seed)))


if __name__ == "__main__":
    main()
