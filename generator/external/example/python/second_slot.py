#!/usr/bin/env python3
"""The published second-slot generator, as an external generator for twindrift: an
example to start from. It needs Python 3 and nothing else:

    python3 second_slot.py             NDJSON framing
    python3 second_slot.py --binary    binary framing

What is yours goes into SecondSlot.draw; the rest only reads requests and writes answers.
The steps in comments are those of the design page GENERATORS, section 1. The faults of
the published algorithm are kept.
"""

import json
import struct
import sys

EPOCH = 621_355_968_000_000_000  # 1970-01-01 in .NET ticks
SECONDS_PER_DAY = 86_400
PER_SECOND = 5000
STEP = 200
MAX_HOPS = 16

TOO_EARLY = 1  # the status of an event for which there is no slot: it gets no id


class SecondSlot:
    def __init__(self, utc_offset_ms=8 * 3600 * 1000):
        self.utc_offset_ms = utc_offset_ms
        # For each second of the local day: day, jump target, next number.
        self.slots = [(0, 0, 0)] * SECONDS_PER_DAY

    def draw(self, node, event_ms):
        """The id of an event (ms since the Unix epoch) and a status: 0, or why there is none."""
        if event_ms + self.utc_offset_ms < 0:
            return 0, TOO_EARLY
        slots = self.slots
        second = (event_ms + self.utc_offset_ms) // 1000  # step 1
        day, own = divmod(second, SECONDS_PER_DAY)
        at, hops = own, 0
        while True:
            slot_day, jump, sequence = slots[at]  # step 2
            if slot_day > day:  # step 3: not drawn
                return make_id(second, node, 0), 0
            if slot_day < day:  # step 4
                jump = sequence = 0
                slots[at] = slot(day, 0, 1)
            elif jump == 0 and sequence < PER_SECOND:  # step 5
                slots[at] = slot(day, 0, sequence + 1)
            elif jump == 0:  # step 6
                jump = at + 1
                slots[at] = slot(day, jump, sequence)
            # else step 7; nobody else draws, so there is no step 8
            if jump == 0:
                break
            at = jump  # step 9: the slot at `at` has not been drawn from
            if at >= SECONDS_PER_DAY:
                break
            hops += 1
            if hops > MAX_HOPS:
                break
        if hops > 2 and at - own > 1 and slots[own][1] < at:  # step 10
            slots[own] = slot(day, at, PER_SECOND)
        return make_id(second + at - own, node, sequence), 0  # step 11


def slot(day, jump, next_number):
    return day & 0xFFFFFF, jump, next_number  # a day has 24 bits


def make_id(second, node, sequence):
    number = second * 10_000_000 + node * 1_000_000 + sequence * STEP + EPOCH
    return (number + 2**63) % 2**64 - 2**63  # 64 bits, as everywhere else


def answer_lines(generator, source, sink):
    """NDJSON: take what input is ready, answer its whole lines, flush."""
    begun = b""
    while chunk := source.read1(1 << 20):
        *lines, begun = (begun + chunk).split(b"\n")
        for line in lines:
            message = json.loads(line)
            number, status = generator.draw(message["node"], message["event_ms"])
            sink.write(b'{"id":"%d","status":%d}\n' % (number, status))
        sink.flush()


def answer_frames(generator, source, sink):
    """Binary: a count, then the messages; all numbers are little endian."""
    while head := source.read(4):
        (count,) = struct.unpack("<I", head)
        answer = [head]
        for event_ms, _now_ms, node, _partition in struct.iter_unpack("<qqii", source.read(24 * count)):
            answer.append(struct.pack("<qi", *generator.draw(node, event_ms)))
        sink.write(b"".join(answer))
        sink.flush()


if __name__ == "__main__":
    serve = answer_frames if "--binary" in sys.argv[1:] else answer_lines
    serve(SecondSlot(), sys.stdin.buffer, sys.stdout.buffer)
