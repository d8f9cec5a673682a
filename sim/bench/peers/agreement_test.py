"""Every comparison is seen to fail."""

import copy
import unittest

import agreement


def disagreeing(answers):
    return [name for name, agrees, _ in answers if not agrees]


def inspected():
    partition = dict.fromkeys(agreement.PARTITION, 5) | {"topic": "orders", "partition": 0}
    return dict.fromkeys(agreement.WHOLE, 7) | {"partitions": [partition, partition | {"partition": 1}]}


def result():
    """What the comparison takes of a result, as sim/result has it."""

    def site(tau_b):
        return {"order": {"tau_b": {"1ms": tau_b}}, "overflow": {"with_offset": 0}}

    return {
        "input": {"messages": 200_000, "peak_second": {"second": 9, "count": 3}},
        "sites": {"east": site(0.9999), "west": site(0.999)},
        "between": {"east-west": {"tau_b": {"1ms": 0.9995}}},
    }


def peer():
    return {
        "messages": 200_000,
        "peak_second": {"second": 9, "count": 3},
        "with_offset": {"east": 0, "west": 0},
        "tau_b_1ms": {"east": 0.9999, "west": 0.99901, "between": 0.99951},
    }


class Inspected(unittest.TestCase):
    def test_agrees(self):
        self.assertEqual(disagreeing(agreement.inspected(inspected(), inspected())), [])

    def test_each_figure(self):
        for name in agreement.WHOLE:
            other = inspected() | {name: 8}
            self.assertEqual(disagreeing(agreement.inspected(inspected(), other)), ["the whole"])
        for name in agreement.PARTITION:
            other = inspected()
            other["partitions"][1][name] = 6
            self.assertEqual(disagreeing(agreement.inspected(inspected(), other)), ["each partition"])

    def test_partitions(self):
        other = inspected()
        del other["partitions"][1]
        self.assertEqual(disagreeing(agreement.inspected(inspected(), other)), ["partitions", "each partition"])
        self.assertEqual(disagreeing(agreement.inspected(other, inspected())), ["partitions"])

    def test_left_out(self):
        other = inspected()
        del other["partitions"][1]["reordered"]
        self.assertEqual(disagreeing(agreement.inspected(inspected(), other)), ["each partition"])
        del other["partitions"][0]["reordered"]
        self.assertEqual(disagreeing(agreement.inspected(inspected(), other)), [])


class Replayed(unittest.TestCase):
    def test_agrees(self):
        self.assertEqual(disagreeing(agreement.replayed(result(), peer())), [])
        self.assertEqual(disagreeing(agreement.simulated(result(), peer())), [])

    def test_each_figure(self):
        for change, name in [
            (lambda p: p.update(messages=1), "messages"),
            (lambda p: p["peak_second"].update(count=4), "peak second"),
            (lambda p: p["with_offset"].update(west=1), "ids with an offset, west"),
            (lambda p: p["tau_b_1ms"].update(east=0.9999 + 1e-9), "tau-b at 1 ms, east"),
            (lambda p: p["tau_b_1ms"].update(west=0.9988), "tau-b at 1 ms, west"),
            (lambda p: p["tau_b_1ms"].update(between=0.9999), "tau-b at 1 ms, between"),
        ]:
            other = copy.deepcopy(peer())
            change(other)
            self.assertEqual(disagreeing(agreement.replayed(result(), other)), [name])

    def test_simulated(self):
        other = peer()
        other["tau_b_1ms"]["east"] = 0.99
        self.assertEqual(disagreeing(agreement.simulated(result(), other)), ["tau-b at 1 ms, east"])

    def test_tolerance(self):
        self.assertAlmostEqual(agreement.tolerance(200_000), 0.10)
        self.assertAlmostEqual(agreement.tolerance(20_000_000), 0.01)


if __name__ == "__main__":
    unittest.main()
