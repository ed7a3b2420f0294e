"""Mechanisms in space against MuJoCo and pinocchio, in one process: right-hand sides, and one second of motion.

The chain has n rods on hinges whose axes alternate. Our right-hand side is the time of a run by the evaluations in it;
theirs is CPU time of a call from Python. Peers that are not installed are left out: pip install 'tellegen[bench]'.

    python benchmarks/multibody.py [largest n]          100 unless given; the first run of 1000 takes minutes
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from _timing import cheapest, exponent, peer, ratio, seconds, show

import tellegen as tg
from tellegen.library import multibody

SIZES = (10, 100, 1000)
AXES = ((0.0, 1.0, 0.0), (0.0, 0.6, 0.8))
LENGTH = 0.5
INERTIA = (0.001, 0.02, 0.02)
REPEATED = 200
MUJOCO_MOST = 300  # its bodies are nested; beyond this its compiler takes minutes


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
    stop = 1.0 if n <= 10 else 0.05
    begin = time.process_time()
    compiled = tg.compile(chain(n))
    compiled.simulate(stop=stop, solver="rk45")
    first = time.process_time() - begin
    runs = [compiled.simulate(stop=stop, solver="rk45").stats for _ in range(5)]
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


def each(action: Any) -> float:
    """CPU seconds of one of many calls."""

    def many() -> None:
        for _ in range(REPEATED):
            action()

    return cheapest({"": many})[""] / REPEATED


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
        if mujoco and n <= MUJOCO_MOST:
            model, data = mujoco_chain(mujoco, n)
            by_mujoco = each(lambda model=model, data=data: mujoco.mj_forward(model, data))
        if pin:
            model, data = pinocchio_chain(pin, n)
            q, v = np.full(n, 0.3), np.full(n, 0.1)
            by_pinocchio = each(lambda model=model, data=data, q=q, v=v: pin.aba(model, data, q, v, v))
        times = (own.right_side, by_mujoco, by_pinocchio)
        shown = ["-" if one is None else f"{one * 1e6:.2f} us" for one in times]
        ratios = [ratio(one, own.right_side) for one in times[1:]]
        rows.append([str(n), shown[0], shown[1], ratios[0], shown[2], ratios[1], seconds(own.compile_and_first)])
    growth = f"exponent {exponent(points[0], points[-1]):.2f}" if len(points) > 1 else ""
    columns = ["n", "tellegen", "mujoco", "of ours", "pinocchio", "of ours", "compile + first run"]
    show("Chain: one right-hand side", columns, rows, growth)
    assert smallest is not None
    return smallest


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
    one_second(right_sides(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
