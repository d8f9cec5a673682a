"""What `twindrift inspect` says of a capture, asked of DuckDB.

    python inspect_duckdb.py CAPTURE [--counts-only] [--threads 2]

The figures are written as JSON, named as in `twindrift inspect -o json`. With
--counts-only those are left out that need the order within a partition.
"""

import argparse
import json

import duckdb

# One scan: counts by partition and second, from which the rest is summed.
COUNTS = """
create temp table counts as
select topic, partition, epoch_ms(timestamp) // 1000 as second, count(*) as messages,
       min("offset") as first_offset, max("offset") as last_offset,
       min(epoch_ms(timestamp)) as first_ms, max(epoch_ms(timestamp)) as last_ms,
       count(*) filter (timestamp_type = 1) as log_append
from read_parquet($capture) group by all
"""
WHOLE = """
select sum(messages)::bigint as messages, min(first_ms) as first_ms, max(last_ms) as last_ms
from counts
"""
PEAK = """
select second as peak_second, sum(messages)::bigint as peak_messages
from counts group by second order by peak_messages desc, second limit 1
"""
PARTITIONS = """
select topic, partition, sum(messages)::bigint as messages,
       min(first_offset) as first_offset, max(last_offset) as last_offset,
       min(first_ms) as first_ms, max(last_ms) as last_ms,
       sum(log_append)::bigint as log_append
from counts group by all order by all
"""
# Messages below the largest timestamp before them in their partition.
DISORDER = """
select topic, partition, count(*) filter (ms < largest) as reordered,
       max(largest - ms) as max_behind_ms
from (
  select topic, partition, epoch_ms(timestamp) as ms,
         max(ms) over (partition by topic, partition order by "offset"
                       rows between unbounded preceding and current row) as largest
  from read_parquet($capture)
) group by all order by all
"""


def rows(connection, query, **parameters):
    """The answer to a query, a dict each row."""
    cursor = connection.execute(query, parameters)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row)) for row in cursor.fetchall()]


def inspect(capture, counts_only, threads):
    connection = duckdb.connect()
    connection.execute(f"set threads = {threads}")
    connection.execute(COUNTS, {"capture": capture})
    partitions = rows(connection, PARTITIONS)
    if not counts_only:
        disorder = rows(connection, DISORDER, capture=capture)
        partitions = [counted | more for counted, more in zip(partitions, disorder, strict=True)]
    return rows(connection, WHOLE)[0] | rows(connection, PEAK)[0] | {"partitions": partitions}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("capture")
    options.add_argument("--counts-only", action="store_true")
    options.add_argument("--threads", type=int, default=2)
    print(json.dumps(inspect(**vars(options.parse_args()))))


if __name__ == "__main__":
    main()
