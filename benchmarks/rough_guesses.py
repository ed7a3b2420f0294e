"""Derivatives of random closed loops that are assembled from rough guesses, against difference quotients of runs.

    python benchmarks/rough_guesses.py [COUNT]

Loops of hinges and ball joints in space (tests/library/multibody/test_random_loops.py) whose joints start up to 0.4 rad
and 2 rad/s away from where they were drawn, none of them fixed. Forward and adjoint gradients by two lengths and a
mass, at the start and after 0.2 s, beside quotients of the fourth order of runs with rtol=1e-11. Errors are relative
to the largest derivative.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import multibody as mb

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from library.multibody.test_random_loops import Loop, model, random_loop

_ROUGH = 0.4
_PART = 3e-5


def rough_model(loop: Loop, seed: int) -> tg.System:
    """The loop with random guesses."""
    random = np.random.default_rng(seed + 1000)
    system = model(loop)
    for k, axis in enumerate(loop.axes):
        joint: Any = getattr(system, f"j{k}")
        if isinstance(joint, mb.Spherical):
            joint.angles_start = random.uniform(-_ROUGH, _ROUGH, 3)
            joint.w_rel_a_start = random.uniform(-1.0, 1.0, 3)
        else:
            assert axis is not None
            joint.phi = tg.variable(start=float(random.uniform(-_ROUGH, _ROUGH)))
            joint.w = tg.variable(start=float(random.uniform(-2.0, 2.0)))
    return system


def quotients(compiled: Any, stop: float, of: list[str], wrt: list[str]) -> Any:
    """Derivatives by runs that are assembled again."""
    out = np.zeros((len(of), len(wrt)))
    first = compiled.simulate(stop=stop)
    for k, path in enumerate(wrt):
        value = float(first[path])
        step = _PART * max(abs(value), 0.1)
        runs = {
            n: compiled.simulate(stop=stop, parameters={path: value + n * step}, rtol=1e-11) for n in (-2, -1, 1, 2)
        }
        for row, name in enumerate(of):
            ends = {n: run[name][-1] for n, run in runs.items()}
            out[row, k] = (8 * (ends[1] - ends[-1]) - (ends[2] - ends[-2])) / (12 * step)
    return out


def errors(seed: int, stop: float) -> tuple[float, float]:
    """Of the forward and of the adjoint gradient."""
    loop = random_loop(seed)
    compiled = tg.compile(rough_model(loop, seed))
    count = len(loop.masses)
    of = [f"p{count // 2}.r[0]", f"p{count // 2}.v[1]"]
    wrt = ["b0.r[0]", f"b{count - 1}.r[1]", "b1.m"]
    expected = quotients(compiled, stop, of, wrt)
    functions = [tg.final(name) for name in of]
    forward, adjoint = (
        tg.gradient(compiled, stop, of=functions, wrt=wrt, method=method, rtol=1e-9).matrix
        for method in ("forward", "adjoint")
    )
    largest = np.abs(expected).max()
    return float(np.abs(forward - expected).max() / largest), float(np.abs(adjoint - expected).max() / largest)


def main() -> None:
    """Print a table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    for seed in range(count):
        for stop in (1e-6, 0.2):
            forward, adjoint = errors(seed, stop)
            print(f"loop {seed}  t = {stop:<6g} forward {forward:.1e}  adjoint {adjoint:.1e}", flush=True)


if __name__ == "__main__":
    main()
