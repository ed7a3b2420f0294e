"""Random graphs of bodies and joints of all kinds: runs, derivatives and refusals, each against an oracle in NumPy.

    python benchmarks/random_mechanisms.py [FIRST] [LAST]

For every graph (tests/library/multibody/random_graphs.py):

- accelerations along runs, against Newton and Euler in Cartesian coordinates;
- derivatives by a mass and by a length, forward against backwards;
- where it is refused because two joints lock each other (E232): whether the constraints of these two on the relative
  motion of their bodies have rank six;
- where there is no derivative by a length because that opens a loop (E312): whether the change of the constraints is
  outside of what motions of the bodies can make up for, and never elsewhere.

It prints what is not as it should be, and what takes longer than CPU_SECONDS.
"""

from __future__ import annotations

import re
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from library.multibody.random_graphs import GROUND, Graph, Oracle, model, random_graph

CPU_SECONDS = 20.0
SOLVERS = ("auto", "cvode")
STOP = 0.3
LENGTH = "j0_b.r[1]"
SIDEWAYS = np.array([0.0, 1.0, 0.0])


class TooLongError(Exception):
    """More than CPU_SECONDS."""


def limited(action: Callable[[], Any]) -> Any:
    """What an action returns, within CPU_SECONDS."""

    def stop(*_: Any) -> None:
        raise TooLongError

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        return action()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)


class AsDrawn:
    """The oracle of a graph in the position in which it was drawn, at rest."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        rest = {}
        for k, point in enumerate(graph.points):
            rest |= {f"p{k}.R": np.eye(3)[None], f"p{k}.r": point[None]}
            rest |= {f"p{k}.w": np.zeros((1, 3)), f"p{k}.v": np.zeros((1, 3))}
        self.oracle = Oracle(graph, rest, 0)
        self.rows = [self.oracle._rows(joint)[0] for joint in graph.joints]

    def locked(self, numbers: list[int]) -> bool:
        """Whether joints between the same two bodies leave these no relative motion."""
        body = next(one for one in self.graph.joints[numbers[0]].bodies if one != GROUND)
        own = np.vstack([self.rows[k][:, 6 * body : 6 * body + 6] for k in numbers])
        return int(np.linalg.matrix_rank(own, tol=1e-6)) == 6

    def opened(self) -> bool:
        """Whether no motion makes up for a longer arm between the first joint and its second body.

        That moves the joint's point on the body, so that position constraints change by their direction across.
        """
        J = np.vstack(self.rows)
        change = np.zeros(len(J))
        across = np.linalg.svd(self.graph.joints[0].axis[None])[2][1:]
        directions = across if self.graph.joints[0].kind == "prismatic" else np.eye(3)
        change[: len(directions)] = directions @ SIDEWAYS
        left = change - J @ np.linalg.lstsq(J, change, rcond=1e-9)[0]
        return bool(np.abs(left).max() > 1e-7)


def deviation(graph: Graph, s: Any) -> float:
    """Of the accelerations along a run, relative to the largest."""
    worst = 0.0
    for at in range(len(s.time)):
        expected = Oracle(graph, s, at).accelerations()
        found = [
            np.concatenate([s[f"p{k}.a"][at], s[f"p{k}.R"][at].T @ s[f"p{k}.z"][at]]) for k in range(len(expected))
        ]
        worst = max(worst, float(np.abs(np.array(found) - expected).max() / max(np.abs(expected).max(), 1.0)))
    return worst


def said_of_compiling(graph: Graph, error: tg.TellegenError) -> str:
    """Empty for a refusal that the oracle confirms."""
    numbers = sorted({int(one) for one in re.findall(r"'j(\d+)(?:\.\w+)?'", error.message)})
    if error.code == "E232" and AsDrawn(graph).locked(numbers):
        return ""
    return f"refused: {error.code} {error.message}"


def said_of_runs(graph: Graph, compiled: Any) -> list[str]:
    """What is wrong with runs."""
    out = []
    for solver in SOLVERS:
        begin = time.process_time()
        try:
            s = limited(lambda solver=solver: compiled.simulate(stop=STOP, points=4, rtol=1e-8, solver=solver))
        except (TooLongError, tg.TellegenError) as error:
            out.append(f"{solver}: {_in_short(error)}")
            continue
        error = deviation(graph, s)
        spent = time.process_time() - begin
        if error > 1e-5 or spent > 0.25 * CPU_SECONDS:
            out.append(f"{solver}: error {error:.1e}, {spent:.1f} s, drift {s.stats.get('drift', 0.0):.1e}")
    return out


def said_of_derivatives(graph: Graph, compiled: Any) -> list[str]:
    """What is wrong with derivatives."""
    out = []
    of = [tg.final("p0.r[0]"), tg.final("p0.v[1]")]
    is_opened = AsDrawn(graph).opened()
    for path in ("b0.m", LENGTH):
        found: dict[str, Any] = {}
        for method in ("forward", "adjoint"):
            try:
                found[method] = limited(
                    lambda path=path, method=method: (
                        tg.gradient(compiled, 0.5 * STOP, of=of, wrt=[path], method=method, rtol=1e-8).matrix
                    )
                )
            except (TooLongError, tg.TellegenError) as error:
                found[method] = error
                if not (path == LENGTH and is_opened and getattr(error, "code", "") == "E312"):
                    out.append(f"{method} by {path}: {_in_short(error)}")
        if all(isinstance(each, np.ndarray) for each in found.values()):
            apart = np.abs(found["forward"] - found["adjoint"]).max() / max(np.abs(found["forward"]).max(), 1e-6)
            if apart > 1e-4:
                out.append(f"by {path}: forward and adjoint differ by {apart:.1e}")
            if path == LENGTH and is_opened:
                out.append(f"by {path}: it opens a loop and has a derivative")
    return out


def _in_short(error: Exception) -> str:
    return str(error).replace("\n", " ")[:160] or type(error).__name__


def main() -> None:
    """Print what is wrong, and the counts."""
    warnings.simplefilter("ignore")
    first, last = (int(one) for one in (*sys.argv[1:3], *("0", "20")[len(sys.argv) - 1 :]))
    ran = refused = wrong = 0
    for seed in range(first, last):
        for only_constraints in (False, True):
            graph = random_graph(seed, only_constraints)
            try:
                compiled = tg.compile(model(graph))
            except tg.TellegenError as error:
                refused += 1
                said = [said_of_compiling(graph, error)]
            else:
                ran += 1
                said = said_of_runs(graph, compiled) + said_of_derivatives(graph, compiled)
            for line in filter(None, said):
                wrong += 1
                print(f"graph {seed}{' of constraints' if only_constraints else ''}: {line}", flush=True)
    print(f"{ran} ran, {refused} were refused, {wrong} remarks")


if __name__ == "__main__":
    main()
