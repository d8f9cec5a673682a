import unittest

from process import Timed
from table import MIB, Tool, benchmark_line, render

OURS = Tool("run", "twindrift", "", [])
THEIRS = Tool("run", "simpy", "a tenth, extrapolated", [])
RUNS = {
    OURS: [Timed({"messages": 1000}, seconds, 3.0, 50 * MIB) for seconds in (9.0, 2.0, 1.0)],
    THEIRS: [Timed({"messages": 100, "simulated_s": {"wall": seconds, "cpu": 0.2}}, 99.0, 3.0, 25 * MIB) for seconds in (0.1, 0.5, 9.0)],
}


class Table(unittest.TestCase):
    def test_medians_and_ratios(self):
        self.assertEqual(
            render(RUNS, 1000, 2).splitlines(),
            [
                "1,000 messages, 2 threads, median of 3 rounds; x: the peer's to twindrift's",
                "                         messages/s          seconds      CPU seconds         peak MiB",
                "  run     twindrift             500     2.00             3.00            50.00",
                "  run     simpy                 200     5.00   2.50x     2.00   0.67x    25.00   0.50x  a tenth, extrapolated",
            ],
        )

    def test_benchmark_line(self):
        self.assertEqual(
            benchmark_line(THEIRS, RUNS[THEIRS][1], 1000, 2),
            "BenchmarkPeers/job=run/tool=simpy-2\t1\t5000000000 ns/op\t200 msg/s\t2.00 cpu-s\t26214400 peak-bytes",
        )


if __name__ == "__main__":
    unittest.main()
