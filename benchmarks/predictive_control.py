"""Predictive control of a cart with a pendulum: time per sample and cost, beside do-mpc (CasADi, IPOPT) in one run.

Both controllers have the same plant, horizon, weights and limits, and move the same plant, integrated here. do-mpc and
casadi have to be installed: pip install do-mpc. Also: from random starts inside of the basin the pendulum is upright at
the end and every sample has a plan of its own; from starts outside (beyond the track, or too fast for its length) every
run that fails is one the controller has reported, by a sample without a plan or by a limit that its plan exceeds.

    python benchmarks/predictive_control.py [samples] [starts inside] [starts outside]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
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


def ours() -> tg.PredictiveController:
    """The controller of examples/swing_up.py."""
    return tg.predictive_control(
        Cart(),
        period=PERIOD,
        horizon=HORIZON,
        cost=tg.Cost(track=WEIGHTS, effort={"force": EFFORT}),
        limits={"force": (-FORCE, FORCE), "s": (-TRACK, TRACK)},
    )


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


INSIDE = np.array([0.5, 1.0, np.pi, 3.0])
OUTSIDE = np.array([1.2, 6.0, np.pi, 25.0])


def random_starts(count: int, reach: Any, seed: int) -> None:
    """From positions and speeds within a reach: how many are upright and on the track after five seconds."""
    rng = np.random.default_rng(seed)
    own = ours()
    good = 0
    without = 0
    silent = []
    for _ in range(count):
        own.reset()
        start = rng.uniform(-reach, reach)
        ways = [start]

        def choose(at: Any, ways: list[Any] = ways) -> float:
            ways.append(at)
            return own.step(named(at))["force"]

        _, _, end = loop(own.plant.compiled, choose, 100, start)
        angle = (end[2] + np.pi) % (2.0 * np.pi) - np.pi
        upright = abs(angle) < 0.1 and abs(end[3]) < 0.5
        on_track = float(np.abs(np.array(ways)[:, 0]).max()) < TRACK + 1e-3
        failed = sum(not sample.success for sample in own.samples)
        good += upright and on_track
        without += failed
        reported = failed or any(sample.beyond for sample in own.samples)
        if not (upright and on_track) and not reported:
            silent.append(start)
    print(f"within {reach}: {good} of {count} upright and on the track after 5 s; {without} samples without a plan")
    print(f"  {count - good} failed, of which {len(silent)} were not reported {silent[:3]}")


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    swing_up(given[0] if given else 100)
    random_starts(given[1] if len(given) > 1 else 20, INSIDE, 0)
    random_starts(given[2] if len(given) > 2 else 10, OUTSIDE, 1)
