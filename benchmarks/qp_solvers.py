"""Quadratic programs of a predictive controller by several solvers: CPU time a sample, at equal cost.

The programs are those of examples/swing_up.py while the pendulum swings up and stands: 40 inputs and a slack, 40 + 1
bounds and 80 rows, dense. Every solver gets the same numbers and is set up again for each, because all of them change
from sample to sample. Solvers that are not installed are left out: pip install osqp piqp clarabel quadprog.

    python benchmarks/qp_solvers.py [samples]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import scipy.sparse as sp

from tellegen.predictive import quadratic_program
from tellegen.predictive.quadratic_program import Program

sys.path.insert(0, str(Path(__file__).parent))
from predictive_control import HANGING, loop, named, ours  # type: ignore[import-not-found]

_INFINITE = 1e29
_REPEATS = 3


def programs(samples: int) -> list[Program]:
    """The last program of each sample."""
    found: list[Program] = []
    last: list[Program] = []
    solve = quadratic_program.solve

    def noted(program: Program) -> Any:
        last[:] = [program]
        return solve(program)

    quadratic_program.solve = noted
    own = ours()

    def choose(state: Any) -> float:
        force = own.step(named(state))["force"]
        found.extend(last)
        return force

    loop(own.plant.compiled, choose, samples, HANGING)
    quadratic_program.solve = solve
    return found


def all_rows(program: Program) -> Any:
    """Bounds as rows above the others."""
    return np.vstack([np.eye(len(program.gradient)), program.rows])


def one_sided(program: Program) -> tuple[Any, Any]:
    """All limits as G x <= h."""
    rows = all_rows(program)
    above = program.high < _INFINITE
    below = program.low > -_INFINITE
    return np.vstack([rows[above], -rows[below]]), np.concatenate([program.high[above], -program.low[below]])


def cost(program: Program, answer: Any) -> float:
    """With inputs inside their bounds and the slack that they need: answers that miss limits gain nothing."""
    count = len(answer) - 1
    x = np.append(np.clip(answer[:count], program.low[:count], program.high[:count]), 0.0)
    rows = program.rows[:, :count] @ x[:count]
    give_way = np.abs(program.rows[:, count])
    x[count] = max(
        0.0, *((rows - program.high[count + 1 :]) / give_way), *((program.low[count + 1 :] - rows) / give_way)
    )
    return float(0.5 * x @ program.hessian @ x + program.gradient @ x)


def by_daqp(program: Program) -> Any:
    import daqp

    return daqp.solve(program.hessian, program.gradient, program.rows, program.high, program.low)[0]


def by_osqp(program: Program) -> Any:
    import osqp  # type: ignore[import-not-found]

    solver = osqp.OSQP()
    hessian = sp.csc_matrix(np.triu(program.hessian))
    low, high = (np.clip(each, -1e30, 1e30) for each in (program.low, program.high))
    exact = {"eps_abs": 1e-7, "eps_rel": 1e-7, "max_iter": 20000, "verbose": False}
    solver.setup(hessian, program.gradient, sp.csc_matrix(all_rows(program)), low, high, **exact)
    return solver.solve().x


def by_piqp(program: Program) -> Any:
    import piqp  # type: ignore[import-not-found]

    count = len(program.gradient)
    solver = piqp.DenseSolver()
    solver.setup(
        program.hessian, program.gradient, None, None, program.rows, program.low[count:], program.high[count:],
        program.low[:count], program.high[:count],
    )  # fmt: skip
    solver.solve()
    return solver.result.x


def by_clarabel(program: Program) -> Any:
    import clarabel  # type: ignore[import-not-found]

    rows, right = one_sided(program)
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    cones = [clarabel.NonnegativeConeT(len(right))]
    hessian = sp.csc_matrix(np.triu(program.hessian))
    solver = clarabel.DefaultSolver(hessian, program.gradient, sp.csc_matrix(rows), right, cones, settings)
    return np.array(solver.solve().x)


def by_quadprog(program: Program) -> Any:
    import quadprog  # type: ignore[import-not-found]

    rows, right = one_sided(program)
    return quadprog.solve_qp(program.hessian, -program.gradient, -rows.T, -right)[0]


SOLVERS: dict[str, Callable[[Program], Any]] = {
    "daqp": by_daqp,
    "piqp": by_piqp,
    "quadprog": by_quadprog,
    "clarabel": by_clarabel,
    "osqp": by_osqp,
}


def main(samples: int) -> None:
    """Medians and the slowest, of the least of three times each; costs above the best, in parts of the largest."""
    given = programs(samples)
    print(f"{len(given)} programs of {given[0].rows.shape[1]} unknowns and {len(given[0].rows)} rows")
    costs: dict[str, Any] = {}
    times: dict[str, Any] = {}
    missed: dict[str, float] = {}
    for name, solve in SOLVERS.items():
        try:
            solve(given[0])
        except ImportError:
            continue
        answers: list[Any] = []
        seconds = np.full((_REPEATS, len(given)), np.inf)
        for k, program in enumerate(given):
            found = np.zeros(0)
            for repeat in range(_REPEATS):
                begin = process_time()
                found = np.asarray(solve(program), float)
                seconds[repeat, k] = process_time() - begin
            answers.append(found)
        times[name] = seconds.min(axis=0)
        costs[name] = np.array([cost(program, x) for program, x in zip(given, answers, strict=True)])
        missed[name] = max(
            float(np.maximum(all_rows(p) @ x - p.high, p.low - all_rows(p) @ x).max())
            for x, p in zip(answers, given, strict=True)
        )
    best = np.min(list(costs.values()), axis=0)
    print(f"{'':10}{'median us':>12}{'slowest us':>12}{'cost above best':>18}{'limits missed by':>18}")
    for name, seconds in times.items():
        above = float(((costs[name] - best) / np.abs(best).max()).max())
        median, slowest = 1e6 * np.median(seconds), 1e6 * seconds.max()
        print(f"{name:10}{median:12.0f}{slowest:12.0f}{above:18.1e}{missed[name]:18.1e}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 80)
