"""Mechanisms in space against MuJoCo and pinocchio, in one process: right-hand sides, and one second of motion.

The chain has n rods on hinges whose axes alternate; closed loops are in benchmarks/multibody_loops.py. All times are
CPU time, the least of several, taken in turns. Our right-hand side is what a longer run costs more than a shorter one
by the evaluations it has more, so that the integrator and projections onto closed loops are included and the fixed cost
of a run is not (it is shown beside it); theirs is a call from Python. Peers that are not installed are left out:
pip install 'tellegen[bench]'.

    python benchmarks/multibody.py [largest n]          1000 unless given
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import multibody_loops as loops
import numpy as np
from _timing import cheapest, in_new_process, peer, ratio, seconds, show

import tellegen as tg
from tellegen.library import multibody

SIZES = (10, 100, 300, 1000)
AXES = ((0.0, 1.0, 0.0), (0.0, 0.6, 0.8))
LENGTH = 0.5
INERTIA = (0.001, 0.02, 0.02)
REPEATED = 200
PINOCCHIO_MOST = 300  # its data grow with n^3: 1.6 GB here, 7.8 GB at 500 (176 us), 60 GB at 1000
FIRST = "--first"  # in a process of its own
LONGER = 6  # times the shorter run
COLUMNS = ["tellegen", "mujoco", "of ours", "pinocchio", "of ours", "rest of a run", "compile + first run"]


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
class Run:
    """One of a given length, and how many evaluations it has."""

    compiled: Any
    stop: float
    evaluations: int

    def __call__(self) -> None:
        _stats(self.compiled, self.stop)


@dataclass(frozen=True)
class Measured:
    """One mechanism in Tellegen."""

    compile_and_first: float
    short: Run
    long: Run


def ours(n: int) -> Measured:
    """Compile, run once, and repeat."""
    return measured(chain(n), 1.0 if n <= 10 else 0.1 if n <= 100 else 0.05)


def measured(model: Any, stop: float) -> Measured:
    """Compile and run."""
    begin = time.process_time()
    compiled = tg.compile(model)
    evaluations = _stats(compiled, stop)["rhs_evaluations"]
    spent = time.process_time() - begin
    longer = LONGER * stop
    more = _stats(compiled, longer)["rhs_evaluations"]
    return Measured(spent, Run(compiled, stop, evaluations), Run(compiled, longer, more))


def _stats(compiled: Any, stop: float) -> Any:
    """The tolerance is given, for what hardly moves in so short a time has no size of its own."""
    return compiled.simulate(stop=stop, solver="rk45", points=2, atol=1e-6).stats


def mujoco_chain(mujoco: Any, n: int, step: float = 0.002) -> Any:
    """The same for MuJoCo, and its data."""
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, 0.0, -9.81]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep = step
    body = spec.worldbody
    for k in range(n):
        inertia = {"mass": 1.0, "ipos": [LENGTH / 2, 0, 0], "inertia": list(INERTIA), "explicitinertial": True}
        body = body.add_body(pos=[LENGTH if k else 0.0, 0, 0], **inertia)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=list(AXES[k % 2]))
    model = spec.compile()
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


@dataclass(frozen=True)
class Repeated:
    """A call from Python, many times."""

    action: Callable[[], Any]
    times: int = REPEATED

    def __call__(self) -> None:
        for _ in range(self.times):
            self.action()


def beside(own: Measured, peers: Sequence[Repeated | None]) -> list[str]:
    """A row of a table: our time of a right-hand side, those of peers and their ratios to it."""
    actions = {k: peer for k, peer in enumerate(peers) if peer is not None}
    least = cheapest({"short": own.short, "long": own.long, **actions}, rounds=8)
    ours = (least["long"] - least["short"]) / (own.long.evaluations - own.short.evaluations)
    rest = least["short"] - own.short.evaluations * ours
    row = [f"{ours * 1e6:.2f} us"]
    for k in range(len(peers)):
        one = least[k] / actions[k].times if k in actions else None
        row += ["-" if one is None else f"{one * 1e6:.2f} us", ratio(one, ours)]
    return [*row, seconds(rest), seconds(own.compile_and_first)]


def right_sides(most: int) -> Measured:
    """Growth with n; returns the smallest chain."""
    mujoco = peer("mujoco")
    pin = peer("pinocchio")
    rows = []
    smallest: Measured | None = None
    for n in (size for size in SIZES if size <= most):
        own = ours(n)
        smallest = smallest or own
        by_mujoco = by_pinocchio = None
        if mujoco:
            model, data = mujoco_chain(mujoco, n)
            by_mujoco = Repeated(partial(mujoco.mj_forward, model, data), REPEATED if n <= 300 else 2)
        if pin and n <= PINOCCHIO_MOST:
            model, data = pinocchio_chain(pin, n)
            q, v = np.full(n, 0.3), np.full(n, 0.1)
            by_pinocchio = Repeated(partial(pin.aba, model, data, q, v, v))
        rows.append([str(n), *beside(own, [by_mujoco, by_pinocchio])])
    show("Chain: one right-hand side", ["n", *COLUMNS], rows)
    assert smallest is not None
    return smallest


def first_runs() -> None:
    """Compile and run in new processes after the import, the least of three: without cache, and with it."""
    rows = []
    for n in (10, 1000):
        spent: dict[str, float] = {}
        for _ in range(3):
            with TemporaryDirectory() as cache:
                _first(1, cache)  # Python's own cache, if it is new
            with TemporaryDirectory() as cache:
                _least(spent, "nothing", _first(n, cache))
                _least(spent, "the same model", _first(n, cache))
            with TemporaryDirectory() as cache:
                _first(1, cache)
                _least(spent, "another model", _first(n, cache))
        rows.append([str(n), *(seconds(spent[known]) for known in ("nothing", "another model", "the same model"))])
    columns = ["n", "empty cache", "another model run before", "the same model run before"]
    show("Chain: compile and first run, CPU time", columns, rows)


def _least(spent: dict[str, float], known: str, found: float) -> None:
    spent[known] = min(found, spent.get(known, found))


def _first(n: int, cache: str) -> float:
    return float(in_new_process(__file__, FIRST, str(n), cache=cache))


def print_first(n: int) -> None:
    """For a process of its own."""
    tg.simulate  # imports the engine
    print(measured(chain(n), 1.0 if n <= 10 else 0.05).compile_and_first)


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
        peers: list[Repeated | None] = [None, None]
        if mujoco:
            peers[0] = Repeated(partial(mujoco.mj_forward, *by_mujoco(mujoco)))
        if pin:
            peers[1] = Repeated(by_pinocchio(pin).accelerations, 20 if name == "100 four-bars" else REPEATED)
        rows.append([name, *beside(own, peers)])
    show("Closed loops: one right-hand side", ["mechanism", *COLUMNS], rows)


def one_second(own: Measured) -> None:
    """The chain of ten over one second: CPU time and error at the end, against a run at 1e-12."""
    compiled = own.short.compiled
    exact = compiled.simulate(stop=1.0, solver="rk45", rtol=1e-12, points=2)["j0.phi"][-1]
    runs: dict[str, Callable[[], float]] = {}
    for rtol in (1e-5, 1e-6, 1e-8):
        runs[f"tellegen {rtol:g}"] = partial(_our_second, compiled, rtol)
    mujoco = peer("mujoco")
    for step in (0.01, 0.002, 0.001) if mujoco else ():
        model, data = mujoco_chain(mujoco, 10, step)
        runs[f"mujoco RK4 {step:g} s"] = partial(_their_second, mujoco, model, data, round(1.0 / step))
    spent = cheapest(runs, rounds=20)
    rows = [[name, seconds(spent[name]), f"{abs(run() - exact):.1e}"] for name, run in runs.items()]
    show("Chain of ten: one second", ["program", "CPU time", "error"], rows)


def _our_second(compiled: Any, rtol: float) -> float:
    return float(compiled.simulate(stop=1.0, solver="rk45", rtol=rtol, points=2)["j0.phi"][-1])


def _their_second(mujoco: Any, model: Any, data: Any, steps: int) -> float:
    mujoco.mj_resetData(model, data)
    mujoco.mj_step(model, data, steps)
    return float(data.qpos[0])


if __name__ == "__main__":
    if sys.argv[1:2] == [FIRST]:
        print_first(int(sys.argv[2]))
        sys.exit()
    smallest = right_sides(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    closed_loops()
    one_second(smallest)
    first_runs()
