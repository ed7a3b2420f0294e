"""Mechanisms compared with the reference tables: every row of every table, the largest error, and what it may be.

The tables were made with closed-form solutions, pinocchio and DOP853 (see the README beside them). Runs have rtol 1e-8;
errors are relative to the range of a column. Twenty random loops are compared with Newton's and Euler's equations in
Cartesian coordinates. The result is a table in Markdown and, if wanted, a plot of the errors.

    python benchmarks/mechanism_tables.py FOLDER [PLOT.png]
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from importers.test_mass_properties import solid
from library.multibody import loops, mechanisms, test_random_loops

RUN: dict[str, Any] = {"rtol": 1e-8}
LOOPS = 20


class SteadyTop(tg.Component):
    """A symmetric top that precesses without nodding, for a rate of precession W (table 03b)."""

    W = tg.parameter(1.34348508212, "rad/s", "precession")
    theta = 0.523598775598
    spin = 200.0

    world = mb.World(n=[0, 0, -1])
    tilt = mb.FixedRotation(n=[1, 0, 0], angle=theta)
    ball = mb.Spherical(w_rel_a_start=[0.0, W * np.sin(theta), spin])
    body = mb.BodyShape(r=[0, 0, 0.5], r_CM=[0, 0, 0.5], m=1.0, I_11=0.05, I_22=0.05, I_33=0.02)

    def connections(self) -> Any:
        yield self.world.frame_b, self.tilt.frame_a
        yield self.tilt.frame_b, self.ball.frame_a
        yield self.ball.frame_b, self.body.frame_a


@dataclass(frozen=True)
class Case:
    """A table, the model, which columns of the table it is to have, and how large errors may be."""

    file: str
    model: Callable[[], tg.Component]
    columns: Mapping[int, str | Callable[[Any], Any]]
    allowed: float = 1e-6
    note: str = ""

    def error(self, folder: Path) -> float:
        """The largest one, of the ranges of the columns."""
        rows = np.array(json.loads((folder / f"{self.file}.json").read_text())["rows"], float)
        s = tg.simulate(self.model(), stop=float(rows[-1, 0]), points=rows[:, 0], **RUN)
        errors = []
        for column, what in self.columns.items():
            found = s[what] if isinstance(what, str) else what(s)
            expected = rows[:, column]
            errors.append(np.abs(found - expected).max() / max(np.ptp(expected), 1e-3))
        return float(max(errors))


CASES = [
    Case("01_simple_pendulum_A01", mechanisms.Pendulum, {1: "point.r[0]", 2: "point.r[1]"}),
    Case(
        "02_dzhanibekov",
        loops.Tumbling,
        {k + 1: f"rate.w[{k}]" for k in range(3)}
        | {4 + k: f"body.frame_a.R[0, {k}]" for k in range(3)}
        | {7 + k: f"body.frame_a.R[1, {k}]" for k in range(3)},
    ),
    Case(
        "03_heavy_top",
        loops.Top,
        {1 + k: f"tip.r[{k}]" for k in range(3)} | {4 + k: f"body.frame_a.w[{k}]" for k in (0, 2)},
    ),
    Case(
        "04_spatial_double_pendulum",
        lambda: mechanisms.chain(2, [0.3, -0.5], [0.0, 2.0]),
        {1: "joints[0].phi", 2: "joints[1].phi", 3: "joints[0].w", 4: "joints[1].w"},
    ),
    Case("05_chain10", lambda: mechanisms.chain(10), {1 + k: f"joints[{k}].phi" for k in range(10)}),
    Case("06_n_four_bar_A02", lambda: loops.windows(2), {1: lambda s: -np.sin(s["foot[0].phi"])}),
    Case("06_n_four_bar_A02", lambda: loops.windows(40), {3: lambda s: -np.sin(s["foot[0].phi"])}, note=", N = 40"),
    Case(
        "07_bricard_A04",
        loops.Bricard,
        {1 + k: f"corner.r[{k}]" for k in range(3)} | {3 + k: f"j{k}.phi" for k in range(1, 6)},
    ),
    Case("08_flyball_A05", mechanisms.Governor, {1: "slide.s", 2: "joints[0].phi", 3: "shaft.w", 4: "slide.v"}, 1e-5),
    Case("09_spatial_slider_crank", loops.SliderCrank, {1: "slide.s", 2: "hinge.phi", 3: "hinge.w"}),
    Case("10_furuta", mechanisms.Furuta, {1: "column.phi", 2: "hinge.phi", 3: "column.w", 4: "hinge.w"}),
    Case("11_four_bar_in_space", loops.FourBar, {1: "j1.phi", 2: "j2.phi", 3: "j3.phi", 4: "j1.w"}),
    Case(
        "13_seeker_gimbal",
        mechanisms.Seeker,
        {1: "yaw.phi", 2: "pitch.phi", 3: "yaw.tau", 4: "pitch.tau"},
    ),
]


def precession(folder: Path) -> float:
    """Table 03b: how much the top nods in one period, for both rates, in rad."""
    rows = json.loads((folder / "03b_steady_precession.json").read_text())["rows"]
    worst = 0.0
    for _, rate, _, period in rows:
        s = tg.simulate(SteadyTop(W=rate), stop=period, points=101, **RUN)
        axis = s["body.frame_a.R[2, :]"]
        around = np.unwrap(np.arctan2(axis[:, 0], -axis[:, 1]))
        nods = np.abs(np.arccos(axis[:, 2]) - SteadyTop.theta).max()
        worst = max(worst, nods, np.abs(around - rate * s.time).max())
    return worst


def arm(folder: Path) -> float:
    """Table 12, from its URDF file: M, h, g, accelerations, inverse dynamics."""
    rows = json.loads((folder / "12_arm6_matrices.json").read_text())["rows"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of its inertias are those of no body
        robot = tg.read_urdf(folder / "12_arm6.urdf", inertia="any").component()

        class Mounted(tg.Component):
            world = mb.World(n=[0, 0, -1])
            arm = robot

            def connections(self) -> Any:
                yield self.world.frame_b, self.arm.mount

        m = tg.mechanism(Mounted())
    q, v, tau, M, h, g, a = (np.array([row[k] for row in rows]) for k in range(7))
    pairs = [
        (m.mass_matrix(q), M),
        (m.bias(q, v), h),
        (m.gravity(q), g),
        (m.accelerations(q, v, tau), a),
        (m.inverse_dynamics(q, v, a), tau),
    ]
    return max(float(np.abs(one - other).max() / np.abs(other).max()) for one, other in pairs)


def masses(folder: Path) -> float:
    """Table 14: mass, centre and inertia of six solids."""
    worst = 0.0
    for name, _, _, mass, centre, inertia in json.loads((folder / "14_mass_properties.json").read_text())["rows"]:
        found = solid(name)
        xx, yy, zz, xy, xz, yz = inertia
        worst = max(worst, abs(found.m / mass - 1), np.abs(found.r_CM - np.array(centre)).max())
        worst = max(worst, np.abs(found.I - [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).max() / max(inertia))
    return worst


@dataclass(frozen=True)
class Row:
    """A line of the result."""

    name: str
    error: float
    allowed: float

    def __str__(self) -> str:
        missed = "" if self.error <= self.allowed else " (missed)"
        return f"| {self.name} | {self.error:.1e}{missed} | {self.allowed:.0e} |"


def measured(folder: Path) -> list[Row]:
    """All tables, in the order of their names, then the random loops."""
    rows = [Row(case.file + case.note, case.error(folder), case.allowed) for case in CASES]
    rows.append(Row("03b_steady_precession", precession(folder), 1e-6))
    rows.append(Row("12_arm6_matrices, from URDF", arm(folder), 1e-10))
    rows.append(Row("14_mass_properties", masses(folder), 1e-10))
    rows.sort(key=lambda row: row.name)
    worst = max(test_random_loops.deviation(test_random_loops.random_loop(seed)) for seed in range(LOOPS))
    odd = max(test_random_loops.odd_deviation(seed) for seed in range(LOOPS))
    return [
        *rows,
        Row(f"{LOOPS} random loops, accelerations", worst, 1e-6),
        Row(f"{LOOPS} random loops of odd scales", odd, 1e-6),
    ]


def plot(rows: list[Row], path: str) -> None:
    """Errors and what they may be."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    names = [row.name for row in rows][::-1]
    axes.barh(names, [max(row.error, 1e-16) for row in rows][::-1], label="error", left=1e-16)
    axes.plot([row.allowed for row in rows][::-1], names, "k|", markersize=12, label="allowed")
    axes.set_xscale("log")
    axes.set_xlabel("largest error, of the range")
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=100)


def main() -> None:
    """See the top of this file."""
    rows = measured(Path(sys.argv[1]))
    print("| table | error | allowed |\n|---|---|---|")
    for row in rows:
        print(row)
    if len(sys.argv) > 2:
        plot(rows, sys.argv[2])


if __name__ == "__main__":
    main()
