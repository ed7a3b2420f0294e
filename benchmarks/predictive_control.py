"""Predictive control of a cart with a pendulum: time per sample and cost, beside do-mpc (CasADi, IPOPT) in one run.

Both controllers have the same plant, horizon, weights and limits, and move the same plant, integrated here. do-mpc and
casadi have to be installed: pip install do-mpc.

Then random starts. Inside of the basin are those from which the cart can be stopped before the end of its track,
whatever the rod does; there it is to be upright after five seconds and never off the track. Of a
start that fails tg.trajectory says whether there is a way at all. Outside (faster than the track is long, beyond its
ends, a rod that spins four times a second) a run fails that is not upright after fifteen seconds, or leaves the track
on which it was; each of these is to be one that the controller has reported, by a sample without a plan or by a limit
that its plan exceeds.

    python benchmarks/predictive_control.py [samples] [starts inside] [starts outside]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

import tellegen as tg

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from swing_up import FORCE, TRACK, Cart  # type: ignore[import-not-found]

PERIOD = 0.05
HORIZON = 40
WEIGHTS = {"phi": 10.0, "s": 1.0, "w": 0.1, "v": 0.1}
EFFORT = 0.01
STATES = ("s", "v", "phi", "w")
HANGING = np.array([0.0, 0.0, np.pi, 0.0])


LIMITS = {"force": (-FORCE, FORCE), "s": (-TRACK, TRACK)}


def ours(violation: float = 1e4) -> tg.PredictiveController:
    """The controller of examples/swing_up.py."""
    cost = tg.Cost(track=WEIGHTS, effort={"force": EFFORT}, violation=violation)
    return tg.predictive_control(Cart(), period=PERIOD, horizon=HORIZON, cost=cost, limits=LIMITS)


def theirs() -> Any:
    """The same with do-mpc, its linear solver and printing as they come."""
    import do_mpc  # type: ignore[import-not-found]
    from casadi import cos, sin  # type: ignore[import-not-found]

    model = do_mpc.model.Model("continuous")
    s, v, phi, w = (model.set_variable("_x", name) for name in STATES)
    force = model.set_variable("_u", "force")
    M, m, rod, g = 1.0, 0.2, 0.5, 9.81
    # (M + m) v' - m rod (cos w' - sin w^2) = force, rod w' - cos v' = g sin
    speed_up = (force + m * g * sin(phi) * cos(phi) - m * rod * sin(phi) * w**2) / (M + m - m * cos(phi) ** 2)
    model.set_rhs("s", v)
    model.set_rhs("phi", w)
    model.set_rhs("v", speed_up)
    model.set_rhs("w", (g * sin(phi) + cos(phi) * speed_up) / rod)
    model.setup()
    mpc = do_mpc.controller.MPC(model)
    mpc.settings.n_horizon = HORIZON
    mpc.settings.t_step = PERIOD
    mpc.settings.supress_ipopt_output()
    cost = 0.5 * (10.0 * phi**2 + s**2 + 0.1 * w**2 + 0.1 * v**2)
    mpc.set_objective(mterm=cost, lterm=cost + 0.5 * EFFORT * force**2)
    mpc.bounds["lower", "_u", "force"] = -FORCE
    mpc.bounds["upper", "_u", "force"] = FORCE
    mpc.set_nl_cons("right", s, ub=TRACK, soft_constraint=True, penalty_term_cons=1e4)
    mpc.set_nl_cons("left", -s, ub=TRACK, soft_constraint=True, penalty_term_cons=1e4)
    mpc.setup()
    return mpc


def loop(plant: Any, choose: Callable[[Any], float], samples: int, state: Any) -> tuple[Any, float, Any]:
    """CPU seconds of every sample, the cost of the whole way, and where it ends."""
    seconds = []
    cost = 0.0
    for _ in range(samples):
        begin = process_time()
        force = choose(state)
        seconds.append(process_time() - begin)
        given = named(state)
        end = plant.simulate(PERIOD, points=[PERIOD], parameters={"force.pieces[0]": force}, initial=given)
        state = np.array([end[name][-1] for name in STATES])
        weights = np.array([WEIGHTS[name] for name in STATES])
        cost += 0.5 * float((weights * state**2).sum()) + 0.5 * EFFORT * force**2
    return np.array(seconds), cost, state


def named(state: Any) -> dict[str, float]:
    """A state by names."""
    return dict(zip(STATES, state.tolist(), strict=True))


def swing_up(samples: int) -> None:
    """Both controllers on the same way."""
    own = ours()
    print(own)
    results = {}
    results["tellegen"] = loop(own.plant.compiled, lambda state: own.step(named(state))["force"], samples, HANGING)
    try:
        other = theirs()
    except ImportError as error:
        print(f"do-mpc is not here ({error})")
    else:
        other.x0 = HANGING
        other.set_initial_guess()
        results["do-mpc"] = loop(
            own.plant.compiled, lambda state: float(other.make_step(state[:, None])[0, 0]), samples, HANGING
        )
    print(f"{'':10}{'median ms':>12}{'first ms':>12}{'cost':>12}{'|phi| at end':>14}")
    for name, (seconds, cost, state) in results.items():
        print(f"{name:10}{1e3 * np.median(seconds[1:]):12.2f}{1e3 * seconds[0]:12.1f}{cost:12.3f}{abs(state[2]):14.2e}")
    if len(results) == 2:
        fast, slow = (np.median(results[name][0][1:]) for name in ("tellegen", "do-mpc"))
        print(f"ratio of medians: {slow / fast:.1f}")


INSIDE = np.array([0.5, 1.0, np.pi, 3.0])  # braked by 6.7 m/s2 or more, the cart stops 0.22 m before the end
OUTSIDE = np.array([1.2, 6.0, np.pi, 25.0])
HARD = 1e6  # the price of a metre beyond the track: with 1e4 it pays to balance two centimetres beyond its end
UPRIGHT = 20  # samples in which the rod has to stand: then a run has succeeded


@dataclass(frozen=True)
class Way:
    """How a run from a random start went."""

    start: tuple[float, ...]
    is_upright: bool
    left_track: bool
    is_reported: bool
    without_plan: int
    slowest: float  # seconds of a sample after the first

    @property
    def success(self) -> bool:
        """Upright, and on the track all the time."""
        return self.is_upright and not self.left_track


def follow(own: tg.PredictiveController, start: Any, samples: int) -> Way:
    """The plant under control, until the rod has stood for a second."""
    own.reset()
    state = start
    standing = 0
    was_on_track = left_track = False
    for _ in range(samples):
        force = own.step(named(state))["force"]
        given = {"force.pieces[0]": force}
        end = own.plant.compiled.simulate(PERIOD, points=[PERIOD], parameters=given, initial=named(state))
        state = np.array([end[name][-1] for name in STATES])
        is_on_track = abs(state[0]) < TRACK + 1e-3
        left_track |= was_on_track and not is_on_track
        was_on_track |= is_on_track
        angle = (state[2] + np.pi) % (2.0 * np.pi) - np.pi
        standing = standing + 1 if abs(angle) < 0.1 and abs(state[3]) < 0.5 and is_on_track else 0
        if standing == UPRIGHT:
            break
    return Way(
        start=tuple(start.tolist()),
        is_upright=standing > 0,
        left_track=left_track,
        is_reported=any(not sample.success or sample.beyond for sample in own.samples),
        without_plan=sum(not sample.success for sample in own.samples),
        slowest=max((sample.seconds for sample in own.samples[1:]), default=0.0),
    )


def follow_some(starts: Any, samples: int) -> list[Way]:
    """Several runs by one controller."""
    own = ours(HARD)
    return [follow(own, start, samples) for start in starts]


def ways_from(starts: Any, samples: int) -> list[Way]:
    """All runs, by as many processes as there are cores."""
    cores = os.cpu_count() or 1
    with ProcessPoolExecutor(cores) as pool:
        parts = pool.map(follow_some, np.array_split(starts, cores), [samples] * cores)
        return [way for part in parts for way in part]


def is_in_basin(start: tuple[float, ...]) -> bool:
    """Whether there is a way to the upright position, within all limits."""
    turns = np.round(start[2] / (2.0 * np.pi)) * 2.0 * np.pi
    for end in (turns, turns + 2.0 * np.pi, turns - 2.0 * np.pi):
        goal = tg.Goal(end={"s": 0.0, "v": 0.0, "phi": end, "w": 0.0}, effort={"force": 1.0})
        try:
            tg.trajectory(Cart(), 5.0, goal=goal, limits=LIMITS, intervals=100, initial=named(np.array(start)))
        except tg.DesignError:
            continue
        return True
    return False


def random_starts(count: int, reach: Any, seed: int, seconds: float) -> None:
    """From positions and speeds within a reach: how many are upright and on the track, and what was reported."""
    starts = np.random.default_rng(seed).uniform(-reach, reach, (count, len(reach)))
    ways = ways_from(starts, round(seconds / PERIOD))
    failed = [way for way in ways if not way.success]
    silent = [way for way in failed if not way.is_reported]
    without = sum(way.without_plan for way in ways)
    slowest = 1e3 * max((way.slowest for way in ways), default=0.0)
    print(f"within {reach}: {count - len(failed)} of {count} upright after {seconds:g} s at most and on the track;"
          f" {without} samples without a plan, the slowest took {slowest:.0f} ms")  # fmt: skip
    print(f"  {len(failed)} failed, of which {len(silent)} were not reported")
    for way in failed[:20] if reach is INSIDE else silent[:20]:
        has_way = "there is a way" if is_in_basin(way.start) else "no way was found either"
        print(f"  {np.round(way.start, 3)}: upright {way.is_upright}, left the track {way.left_track}; {has_way}")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    swing_up(given[0] if given else 100)
    random_starts(given[1] if len(given) > 1 else 20, INSIDE, 0, 5.0)
    random_starts(given[2] if len(given) > 2 else 10, OUTSIDE, 1, 15.0)
