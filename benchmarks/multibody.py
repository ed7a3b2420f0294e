"""Mechanisms in space against MuJoCo and pinocchio, in one process: right-hand sides, and one second of motion.

The chain has n rods on hinges whose axes alternate; closed loops are in benchmarks/multibody_loops.py. Our right-hand
side is the time of a run by the evaluations in it, projections onto closed loops included; theirs is CPU time of a call
from Python. Peers that are not installed are left out: pip install 'tellegen[bench]'.

    python benchmarks/multibody.py [largest n]          1000 unless given
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import multibody_loops as loops
import numpy as np
from _timing import cheapest, exponent, peer, ratio, seconds, show

import tellegen as tg
from tellegen.library import multibody

SIZES = (10, 100, 300, 1000)
AXES = ((0.0, 1.0, 0.0), (0.0, 0.6, 0.8))
LENGTH = 0.5
INERTIA = (0.001, 0.02, 0.02)
REPEATED = 200
PEERS_MOST = 300  # MuJoCo compiles 1000 nested bodies for minutes, pinocchio's data of 1000 joints take 20 GB
COLUMNS = ["tellegen", "mujoco", "of ours", "pinocchio", "of ours", "compile + first run"]


def chain(n: int) -> Any:
    """n rods, one after the other."""
    system = tg.System("Chain")
    system.add(world=multibody.World(n=[0, 0, -1]))
    below = system.world.frame_b
    I_11, I_22, I_33 = INERTIA
    for k in range(n):
        rod = multibody.BodyShape(r=[LENGTH, 0, 0], r_CM=[LENGTH / 2, 0, 0], m=1.0, I_11=I_11, I_22=I_22, I_33=I_33)
        system.add(**{f"j{k}": multibody.Revolute(n=AXES[k % 2]), f"rod{k}": rod})
        joint = getattr(system, f"j{k}")
        system.connect(below, joint.frame_a)
        system.connect(joint.frame_b, getattr(system, f"rod{k}").frame_a)
        below = getattr(system, f"rod{k}").frame_b
    return system


@dataclass(frozen=True)
class Measured:
    """One chain in Tellegen."""

    compile_and_first: float
    right_side: float  # least of several runs
    compiled: Any


def ours(n: int) -> Measured:
    """Compile, run once, and repeat."""
    return measured(chain(n), 1.0 if n <= 10 else 1e-3)


def measured(model: Any, stop: float) -> Measured:
    """Compile and run; the tolerance is given, for what hardly moves in so short a time has no size of its own."""
    begin = time.process_time()
    compiled = tg.compile(model)

    def run() -> Any:
        return compiled.simulate(stop=stop, solver="rk45", points=2, atol=1e-6).stats

    run()
    first = time.process_time() - begin
    runs = [run() for _ in range(5)]
    return Measured(first, min(run["seconds"] / run["rhs_evaluations"] for run in runs), compiled)


def mujoco_chain(mujoco: Any, n: int, step: float = 0.002) -> Any:
    """The same for MuJoCo, and its data."""
    inertia = " ".join(map(str, INERTIA))
    body = ""
    for k in reversed(range(n)):
        place = f"{LENGTH if k else 0} 0 0"
        axis = " ".join(map(str, AXES[k % 2]))
        body = (
            f'<body pos="{place}"><joint type="hinge" axis="{axis}"/>'
            f'<inertial pos="{LENGTH / 2} 0 0" mass="1" diaginertia="{inertia}"/>{body}</body>'
        )
    option = f'<option gravity="0 0 -9.81" integrator="RK4" timestep="{step}"/>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{body}</worldbody></mujoco>")
    return model, mujoco.MjData(model)


def pinocchio_chain(pin: Any, n: int) -> Any:
    """The same for pinocchio, and its data."""
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    last = 0
    for k in range(n):
        placement = pin.SE3(np.eye(3), np.array([LENGTH if k else 0.0, 0, 0]))
        last = model.addJoint(last, pin.JointModelRevoluteUnaligned(np.array(AXES[k % 2])), placement, f"j{k}")
        rod = pin.Inertia(1.0, np.array([LENGTH / 2, 0, 0]), np.diag(INERTIA))
        model.appendBodyToJoint(last, rod, pin.SE3.Identity())
    return model, model.createData()


def each(action: Any, repeated: int = REPEATED) -> float:
    """CPU seconds of one of many calls."""

    def many() -> None:
        for _ in range(repeated):
            action()

    return cheapest({"": many})[""] / repeated


def right_sides(most: int) -> Measured:
    """Growth with n; returns the smallest chain."""
    mujoco = peer("mujoco")
    pin = peer("pinocchio")
    rows = []
    points: list[tuple[float, float]] = []
    smallest: Measured | None = None
    for n in (size for size in SIZES if size <= most):
        own = ours(n)
        smallest = smallest or own
        points.append((n, own.right_side))
        by_mujoco = by_pinocchio = None
        if mujoco and n <= PEERS_MOST:
            model, data = mujoco_chain(mujoco, n)
            by_mujoco = each(lambda model=model, data=data: mujoco.mj_forward(model, data))
        if pin and n <= PEERS_MOST:
            model, data = pinocchio_chain(pin, n)
            q, v = np.full(n, 0.3), np.full(n, 0.1)
            by_pinocchio = each(lambda model=model, data=data, q=q, v=v: pin.aba(model, data, q, v, v))
        rows.append([str(n), *_beside(own, [by_mujoco, by_pinocchio])])
    growth = f"exponent {exponent(points[0], points[-1]):.2f}" if len(points) > 1 else ""
    show("Chain: one right-hand side", ["n", *COLUMNS], rows, growth)
    assert smallest is not None
    return smallest


def _beside(own: Measured, peers: Sequence[float | None]) -> list[str]:
    """A row of a table: our time, those of peers and their ratios to it."""
    row = [f"{own.right_side * 1e6:.2f} us"]
    for one in peers:
        row += ["-" if one is None else f"{one * 1e6:.2f} us", ratio(one, own.right_side)]
    return [*row, seconds(own.compile_and_first)]


def closed_loops() -> None:
    """A hundred four-bars and a Stewart platform."""
    mujoco = peer("mujoco")
    pin = peer("pinocchio")
    cases = {
        "100 four-bars": (loops.FourBars, 0.2, loops.mujoco_bars, loops.pinocchio_bars),
        "Stewart platform": (loops.stewart, 0.5, loops.mujoco_stewart, loops.pinocchio_stewart),
    }
    rows = []
    for name, (model, stop, by_mujoco, by_pinocchio) in cases.items():
        own = measured(model(), stop)
        times: list[float | None] = [None, None]
        if mujoco:
            one, data = by_mujoco(mujoco)
            times[0] = each(lambda one=one, data=data: mujoco.mj_forward(one, data))
        if pin:
            times[1] = each(by_pinocchio(pin).accelerations, 20 if name == "100 four-bars" else REPEATED)
        rows.append([name, *_beside(own, times)])
    show("Closed loops: one right-hand side", ["mechanism", *COLUMNS], rows)


def one_second(own: Measured) -> None:
    """The chain of ten over one second: time and error at the end, against a run at 1e-12."""
    exact = own.compiled.simulate(stop=1.0, solver="rk45", rtol=1e-12, points=2)["j0.phi"][-1]
    rows = []
    for rtol in (1e-5, 1e-6, 1e-8):
        runs = [own.compiled.simulate(stop=1.0, solver="rk45", rtol=rtol, points=2) for _ in range(5)]
        rows.append([f"tellegen {rtol:g}", seconds(min(run.stats["seconds"] for run in runs)), _error(runs[0], exact)])
    mujoco = peer("mujoco")
    for step in (0.01, 0.002, 0.001) if mujoco else ():
        model, data = mujoco_chain(mujoco, 10, step)
        count = round(1.0 / step)

        def run(model: Any = model, data: Any = data, count: int = count) -> None:
            mujoco.mj_resetData(model, data)
            mujoco.mj_step(model, data, count)

        spent = cheapest({"": run})[""]
        rows.append([f"mujoco RK4 {step:g} s", seconds(spent), f"{abs(data.qpos[0] - exact):.1e}"])
    show("Chain of ten: one second", ["program", "CPU time", "error"], rows)


def _error(solution: Any, exact: float) -> str:
    return f"{abs(solution['j0.phi'][-1] - exact):.1e}"


if __name__ == "__main__":
    smallest = right_sides(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    closed_loops()
    one_second(smallest)
