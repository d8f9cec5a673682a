import sys
import unittest

from process import timed

PRINT_THREADS = "import os; print('{\"threads\": ' + os.environ['GOMAXPROCS'] + '}')"


class Process(unittest.TestCase):
    def test_figures_and_peak(self):
        small = timed([sys.executable, "-c", PRINT_THREADS], 3)
        self.assertEqual(small.figures, {"threads": 3})
        large = timed([sys.executable, "-c", "b = b'x' * (64 << 20); print('{}')"], 1)
        self.assertGreater(large.peak_bytes, small.peak_bytes + (48 << 20))
        after = timed([sys.executable, "-c", "print('{}')"], 1)
        self.assertLess(after.peak_bytes, large.peak_bytes - (48 << 20))

    def test_failure(self):
        with self.assertRaisesRegex(SystemExit, "ended with status 3"):
            timed([sys.executable, "-c", "raise SystemExit(3)"], 1)


if __name__ == "__main__":
    unittest.main()
