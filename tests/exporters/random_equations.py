"""Random models with states, inputs, parameters, loops that are not linear, relations, and time, for tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import tellegen as tg

STATES = 4
LOOPS = 3


def random_model(seed: int) -> tg.Component:
    """Rates and loops are random sums of smooth terms; loops are contractions, so that they have one solution."""
    rng = np.random.default_rng(seed)
    weights = {
        name: rng.uniform(-1.0, 1.0, (LOOPS if name.startswith("z") else STATES, 5))
        for name in ("zx", "zz", "rx", "rz")
    }
    pick = rng.integers(0, STATES, (STATES, 5))
    pick_loop = rng.integers(0, LOOPS, (STATES, 5))
    kinds = rng.integers(0, 6, STATES + LOOPS)

    class Random(tg.Component):
        u = tg.input(shape=2)
        a = tg.parameter(float(rng.uniform(0.5, 1.5)))
        b = tg.parameter(float(rng.uniform(0.5, 1.5)))
        c = tg.parameter(a * b + tg.sin(a))
        d = tg.parameter(c**2 / b)
        x = tg.variable(shape=STATES, start=list(rng.uniform(-1.0, 1.0, STATES)), fixed=True)
        z = tg.variable(shape=LOOPS, start=0.0)
        y = tg.output(shape=2)

        def term(self, kind: int, of: Any, k: int) -> Any:
            """A smooth function of something."""
            return (
                tg.sin(self.a * of),
                self.d * of / (1.0 + of**2),
                tg.tanh(of + self.u[k % 2]),
                tg.where(of > 0.1, 0.5 * of, self.b * of),
                tg.cos(tg.time * of),
                tg.sqrt(1.0 + (self.c * of) ** 2),
            )[kind]

        def equations(self) -> Iterator[Any]:
            """Loops, rates, outputs."""
            for k in range(LOOPS):
                of_loops = sum(weights["zz"][k, j] * tg.tanh(self.z[pick_loop[k, j]]) for j in range(3))
                of_states = sum(
                    weights["zx"][k, j] * self.term(int(kinds[(k + j) % len(kinds)]), self.x[pick[k, j]], j)
                    for j in range(3)
                )
                yield self.z[k] == 0.25 * of_loops + of_states
            for k in range(STATES):
                of_states = sum(
                    weights["rx"][k, j] * self.term(int(kinds[(2 * k + j) % len(kinds)]), self.x[pick[k, j]], j)
                    for j in range(3)
                )
                yield tg.der(self.x[k]) == of_states + weights["rz"][k, 0] * self.z[pick_loop[k, 0]] * self.x[k]
            yield self.y[0] == self.z[0] * self.x[1] + self.u[1]
            yield self.y[1] == tg.der(self.x[2]) + self.d

    return Random()
