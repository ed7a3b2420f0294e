"""The drive of examples/motor_catalogue.py: motor, gear and current against all pairs by hand.

Without friction everything is known: with current I the table is accelerated by a = n k I / (J_m n^2 + J), the move
takes t = 2 sqrt(angle / a), and as more current is faster, the best one is the least of what heat, peak and voltage
allow.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import tellegen as tg


@pytest.fixture(scope="module")
def example() -> Any:
    path = Path(__file__).resolve().parents[2] / "examples" / "motor_catalogue.py"
    spec = importlib.util.spec_from_file_location("motor_catalogue", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def by_hand(example: Any, row: dict[str, Any], n: float) -> tuple[float, float]:
    """The most current a pair allows, and the time of the move with it."""
    inertia = row["rotor.J"] * n**2 + example.LOAD

    def time(current: float) -> float:
        return 2 * np.sqrt(example.ANGLE * inertia / (n * row["emf.k"] * current))

    def heat(current: float) -> float:
        return (current / row["i_rated"]) ** 2 * time(current) - example.CYCLE

    def voltage(current: float) -> float:
        speed = np.sqrt(example.ANGLE * n * row["emf.k"] * current / inertia)
        return row["winding.R"] * current + row["emf.k"] * n * speed - example.SUPPLY

    most = min(row["i_peak"], *(brentq(limit, 1e-6, 1e3) for limit in (heat, voltage)))
    return most, time(most)


@pytest.fixture(scope="module")
def known(example: Any) -> dict[tuple[str, float], tuple[float, float]]:
    return {(row["name"], n): by_hand(example, row, n) for row in example.MOTORS for n in example.GEARS}


def asked(motors: Any, gears: Any) -> dict[str, Any]:
    return {"choices": {"motor": motors, "gear.ratio": gears}, "variables": {"current": (0.5, 25.0)}, "stop": 5.0}


def test_the_fastest_drive(example: Any, known: dict[tuple[str, float], tuple[float, float]]) -> None:
    """Every pair as by hand, so the best of them too; different limits hold different pairs."""
    given = asked(example.MOTORS, example.GEARS)
    best = tg.optimize(example.Drive(), minimize=tg.final("time"), subject_to=example.LIMITS, **given)
    pair = min(known, key=lambda each: known[each][1])
    assert best.success, best.message
    assert (best.choice["motor"], best.choice["gear.ratio"]) == pair
    assert best.variables["current"] == pytest.approx(known[pair][0], rel=1e-4)
    assert best.objective == pytest.approx(known[pair][1], rel=1e-5)
    runs = best.to_pandas()
    kept = runs[runs.violation < 1e-5].groupby("choice").objective.min()
    for (name, n), (_, time) in known.items():
        assert kept[f"motor={name}, gear.ratio={n}"] == pytest.approx(time, rel=1e-4)


def test_the_cheapest_drive_that_is_fast_enough(
    example: Any, known: dict[tuple[str, float], tuple[float, float]]
) -> None:
    """Of the two smaller motors, for what does not fit takes many runs until that is clear."""
    motors, gears = example.MOTORS[:2], [22.0, 33.0]
    prices = {row["name"]: row["price"] for row in example.MOTORS}
    enough = [name for (name, n), (_, time) in known.items() if time <= 0.4 and n in gears]
    best = tg.optimize(
        example.Drive(),
        minimize=tg.final("cost"),
        subject_to=[*example.LIMITS, tg.final("time") <= 0.4],
        **asked(motors, gears),
    )
    assert best.success, best.message
    assert best.objective == min(prices[name] for name in enough)
    assert known[best.choice["motor"], best.choice["gear.ratio"]][1] <= 0.4 * (1 + 1e-5)
    assert best.objective > min(prices.values()), "the cheapest of all is too slow"
