"""Queries over 100 000 parts: columns in memory, as a Catalogue has them, and SQLite with an index for each quantity.

Aim: an answer in under 50 ms, whatever the query. The parts are random.

    python benchmarks/catalogue.py [PARTS]

SQLite uses one index of a query and looks at every row that this one leaves; a query that many parts satisfy, or that
sorts them, takes it tens of milliseconds, and its indexes take longer to make than the columns to read. Columns are
compared as a whole in any query, and need no SQL. So a Catalogue holds columns, and SQLite is a file format.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from _timing import best, cheapest

import tellegen as tg

QUANTITIES = {"torque_max": "N.m", "mass": "kg", "speed_max": "rpm", "voltage": "V", "price": "1", "length": "mm"}
QUERIES = {
    "selective": (["torque_max >= 130 mN.m", "mass < 0.1 kg", "voltage > 40 V"], "mass"),
    "most of them, sorted": (["torque_max >= 0.3 N.m"], "mass"),
    "nearly all, sorted": (["mass > 1 g"], "-price"),
    "six ranges": (
        [
            "0.1 N.m < torque_max < 0.9 N.m",
            "100 g < mass < 900 g",
            "speed_max > 500 rpm",
            "voltage < 45 V",
            "price < 90",
            "length < 90 mm",
        ],
        "mass",
    ),
    "nothing": (["torque_max > 100 N.m"], "mass"),
}


def random_parts(count: int) -> pd.DataFrame:
    chance = np.random.default_rng(1)
    scale = {"torque_max": 1.0, "mass": 1.0, "speed_max": 9000.0, "voltage": 48.0, "price": 100.0, "length": 100.0}
    columns = {f"{name} [{unit}]": scale[name] * chance.random(count) for name, unit in QUANTITIES.items()}
    return pd.DataFrame({"name": [f"part {k}" for k in range(count)], **columns})


def indexed(frame: pd.DataFrame) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    frame.rename(columns=lambda heading: heading.partition(" ")[0]).to_sql("parts", connection, index=False)
    for name in QUANTITIES:
        connection.execute(f"CREATE INDEX by_{name} ON parts ({name})")
    connection.execute("ANALYZE")
    return connection


def sql(conditions: list[str], order: str) -> str:
    """The same query in SQL, its numbers already in the units of the columns."""
    numbers = {"130 mN.m": "0.13", "100 g": "0.1", "900 g": "0.9", "1 g": "0.001"}
    terms = []
    for text in conditions:
        for old, new in numbers.items():
            text = text.replace(old, new)
        words = [word for word in text.split() if word not in QUANTITIES.values() or word == "1"]
        terms.append(" ".join(words[:3]) if len(words) == 3 else f"{' '.join(words[:3])} AND {' '.join(words[2:])}")
    direction = "DESC" if order.startswith("-") else "ASC"
    return f"SELECT name FROM parts WHERE {' AND '.join(terms)} ORDER BY {order.removeprefix('-')} {direction}"


def rows_of(database: sqlite3.Connection, query: str) -> list[tuple[str]]:
    return database.execute(query).fetchall()


def main(count: int) -> None:
    frame = random_parts(count)
    reading, catalogue = best(lambda: tg.catalogue(frame, interface="Motor"))
    making, database = best(lambda: indexed(frame), runs=1)
    print(f"{count} parts; columns of a pandas table: {reading:.2f} s; SQLite table with 6 indexes: {making:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("sqlite", "csv", "toml"):
            path = Path(folder) / f"parts.{ending}"
            saving, _ = best(partial(catalogue.save, path), runs=1)
            loading, _ = best(partial(tg.catalogue, path), runs=1)
            print(f"  .{ending}: saved in {saving:.2f} s, read in {loading:.2f} s, {path.stat().st_size / 1e6:.1f} MB")
    print(f"{'query':24} {'parts':>7} {'columns':>10} {'SQLite':>10}   (ms of CPU time, the least of five)")
    for name, (conditions, order) in QUERIES.items():
        answers = {
            "columns": partial(catalogue.find, "Motor", *conditions, order_by=order),
            "SQLite": partial(rows_of, database, sql(conditions, order)),
        }
        names = answers["columns"]().names
        assert names == [row[0] for row in answers["SQLite"]()]
        times = cheapest(answers)
        print(f"{name:24} {len(names):7d} {1e3 * times['columns']:10.2f} {1e3 * times['SQLite']:10.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
