"""The queue of `twindrift run` as a model in SimPy, a framework for discrete events.

Two sites consume the whole capture, as in run_numpy.py: a process for each partition
brings its messages over the site's link, in order, and the site's consumer, with one worker,
draws a second-slot id for each. Only the simulation is timed, by the wall clock and in CPU
time (`simulated_s`): not the reading, not the delays, which are drawn beforehand, and not
the measures.

    python run_simpy.py CAPTURE [--seed 1]
"""

import argparse
import json
import time

import numpy as np
import simpy

from run_numpy import EPOCH, NODE_RANGE, NODES, NS_PER_MS, PER_SECOND, SECOND, STEP, UTC_OFFSET_S
from run_numpy import lognormal_ns, read, running_max, tau_b_1ms


def link(env, rows, append_ns, delay_ns, arrived):
    """Brings a partition's messages, each after its delay and not before the last one."""
    for row in rows:
        yield env.timeout(max(append_ns[row] + delay_ns[row] - env.now, 0))
        yield arrived.put(row)


def consumer(env, arrived, event_ms, node, ids):
    """Takes up what has arrived, one message after the other, and draws its id."""
    drawn = {}  # ids of each second
    while True:
        row = yield arrived.get()
        second = event_ms[row] // 1000 + UTC_OFFSET_S
        while drawn.get(second, 0) == PER_SECOND:
            second += 1
        sequence = drawn.get(second, 0)
        drawn[second] = sequence + 1
        ids[row] = second * SECOND + node * NODE_RANGE + sequence * STEP + EPOCH


def simulate(event_ms, starts, delays_ns):
    """Ids by site, in the order of event_ms, and the seconds it took, by the wall and of CPU."""
    append_ns = (running_max(event_ms, starts) * NS_PER_MS).tolist()
    event_ms = event_ms.tolist()
    ids = {site: [0] * len(event_ms) for site in NODES}
    env = simpy.Environment(initial_time=min(append_ns))
    for site, node in NODES.items():
        arrived = simpy.Store(env)
        env.process(consumer(env, arrived, event_ms, node, ids[site]))
        delay_ns = delays_ns[site].tolist()
        for rows in np.split(np.arange(len(event_ms)), starts[1:]):
            env.process(link(env, rows.tolist(), append_ns, delay_ns, arrived))
    wall, cpu = time.perf_counter(), time.process_time()
    env.run()
    seconds = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    return {site: np.array(drawn) for site, drawn in ids.items()}, seconds


def main():
    options = argparse.ArgumentParser()
    options.add_argument("capture")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    event_ms, starts = read(given.capture)
    n = len(event_ms)
    delays_ns = {"east": np.zeros(n, np.int64), "west": lognormal_ns(n, np.random.default_rng(given.seed))}
    ids, seconds = simulate(event_ms, starts, delays_ns)
    print(json.dumps({"messages": n, "tau_b_1ms": tau_b_1ms(ids, event_ms), "simulated_s": seconds}))


if __name__ == "__main__":
    main()
