"""Random trees of bodies against pinocchio: accelerations, and the cost of a right-hand side.

Hinges, slides, ball joints and free bodies branch at random; lengths are 0.1 mm to 1 km, masses of a tree 1e-6 to 1e6
kg with ratios up to 1e6 among its bodies. The generator is that of the tests:

    python benchmarks/multibody_trees.py [trees]          20 unless given
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from _timing import peer, show
from multibody import Repeated, beside, measured

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from multibody_functions.by_pinocchio import Peer
from multibody_functions.random_trees import Joint, model_of, random_tree
from multibody_functions.test_random_trees import acceleration

SIZES = (10, 30, 100)
SOLVERS = ("rk45", "rodas", "cvode", "ida")
BODIES = 8


def odd_tree(seed: int, count: int) -> tuple[list[Joint], float]:
    """A tree with odd scales, and its unit of length; speeds are such that it swings as one of size one does."""
    random = np.random.default_rng(seed)
    length = 10 ** random.uniform(-4.0, 3.0)
    rate = length**-0.5
    mass = 10 ** random.uniform(-6.0, 6.0)
    ratio = mass * 10 ** random.uniform(-3.0, 3.0, count)
    return [_scaled(one, length, rate, m) for one, m in zip(random_tree(seed, count), ratio, strict=True)], length


def _scaled(one: Joint, length: float, rate: float, m: float) -> Joint:
    size = {"revolute": [1.0], "prismatic": [length], "spherical": [1.0] * 3, "free": [length] * 3 + [1.0] * 3}
    unit = np.array(size[one.kind])
    scaled = {"r": one.r * length, "c": one.c * length, "inertia": one.inertia * m * length**2}
    return replace(one, m=one.m * m, q=one.q * unit, u=one.u * unit * rate, **scaled)


def deviations(pin: Any, seed: int) -> list[float]:
    """The largest difference of accelerations to pinocchio's under each solver, of each or of 1e-3 of the largest."""
    tree, length = odd_tree(seed, BODIES)
    model = model_of(tree)
    speeds = tg.mechanism(model).speeds
    compiled = tg.compile(model)
    order = [name for k in range(len(tree)) for name in speeds if name.startswith(f"joint{k}.")]
    unit = np.where([name.partition(".")[2][0] in "vs" for name in order], length, 1.0)
    expected = Peer(pin, tree).accelerations() / unit
    least = 1e-3 * np.abs(expected).max()
    found = []
    for solver in SOLVERS:
        run = compiled.simulate(stop=1e-4 * length**0.5, points=2, solver=solver)
        off = np.abs([acceleration(run, tree, name) for name in order] / unit - expected)
        found.append(float((off / np.maximum(np.abs(expected), least)).max()))
    return found


def right_sides(pin: Any) -> None:
    """Cost by size, of one tree each."""
    rows = []
    for n in SIZES:
        tree, length = odd_tree(n, n)
        other = Peer(pin, tree)
        still = np.zeros(len(other.u))
        by_pinocchio = Repeated(partial(pin.aba, other.model, other.data, other.q, other.u, still))
        rows.append([str(n), *beside(measured(model_of(tree), 0.1 * length**0.5), [by_pinocchio])])
    columns = ["n", "tellegen", "pinocchio", "of ours", "rest of a run", "compile + first run"]
    show("Random trees: one right-hand side", columns, rows)


if __name__ == "__main__":
    pin = peer("pinocchio")
    if not pin:
        sys.exit("pip install 'tellegen[bench]'")
    trees = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    worst = np.max([deviations(pin, seed) for seed in range(trees)], axis=0)
    rows = [[solver, f"{off:.1e}"] for solver, off in zip(SOLVERS, worst, strict=True)]
    show(f"{trees} random trees of odd scales: accelerations off by", ["solver", "of the largest"], rows)
    right_sides(pin)
