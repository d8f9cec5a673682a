"""What `twindrift inspect` says of a capture, with Polars.

It goes by the rows of a partition being in the order of their offsets, as twindrift's own
captures have them, which DuckDB's query and twindrift do not. The figures are written as
JSON, named as in `twindrift inspect -o json`. POLARS_MAX_THREADS says how many threads.

    python inspect_polars.py CAPTURE
"""

import json
import sys

import polars as pl

COLUMNS = ["topic", "partition", "offset", "timestamp", "timestamp_type"]


def inspect(capture):
    of_partition = ["topic", "partition"]
    ms, behind = pl.col("ms"), pl.col("behind")
    messages = pl.scan_parquet(capture).select(COLUMNS).with_columns(pl.col("timestamp").dt.epoch("ms").alias("ms"))
    partitions = (
        messages.with_columns((ms.cum_max().over(of_partition) - ms).alias("behind"))
        .group_by(of_partition)
        .agg(
            pl.len().alias("messages"),
            pl.col("offset").min().alias("first_offset"),
            pl.col("offset").max().alias("last_offset"),
            ms.min().alias("first_ms"),
            ms.max().alias("last_ms"),
            (pl.col("timestamp_type") == 1).sum().alias("log_append"),
            (behind > 0).sum().alias("reordered"),
            behind.max().alias("max_behind_ms"),
        )
        .sort(of_partition)
    )
    seconds = messages.group_by((ms // 1000).alias("second")).agg(pl.len().alias("n"))
    peak = seconds.sort("n", "second", descending=[True, False]).head(1)
    partitions, peak = pl.collect_all([partitions, peak])
    return {
        "messages": partitions["messages"].sum(),
        "first_ms": partitions["first_ms"].min(),
        "last_ms": partitions["last_ms"].max(),
        "peak_second": peak["second"][0],
        "peak_messages": peak["n"][0],
        "partitions": partitions.to_dicts(),
    }


if __name__ == "__main__":
    print(json.dumps(inspect(sys.argv[1])))
