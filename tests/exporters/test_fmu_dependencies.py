"""What an exported FMU says its outputs and derivatives depend on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.request.run_request import request_run
from tellegen.exporters.fmu.describe import Form, described
from tellegen.exporters.image.prepared_run import prepared_run
from tellegen.exporters.image.trial_run import trial_run
from tellegen.fmi.description import ModelDescription, Version


class Gain(tg.Component):
    """A parameter that its system computes."""

    gain = tg.parameter(1.0)


class Mixed(tg.Component):
    """States and inputs that reach the outputs in different ways."""

    u = tg.input()
    w = tg.input()
    k = tg.parameter(2.0)
    shift = tg.parameter(0.5)
    level = tg.parameter(1.0)
    x = tg.variable(start=1.0, fixed=True)
    v = tg.variable(start=0.0, fixed=True)
    root = tg.variable(start=0.1)
    held = tg.variable(discrete=True)
    of_state = tg.output()
    of_input = tg.output()
    of_loop = tg.output()
    of_rate = tg.output()
    of_event = tg.output()
    of_relation = tg.output()
    through = tg.output()
    fixed = tg.output()
    of_computed = tg.output()

    inner = Gain(gain=2.0 * k + shift)

    def equations(self) -> Iterator[Any]:
        """An oscillator, a loop that is not linear, a sampled value."""
        yield tg.der(self.x) == self.v
        yield tg.der(self.v) == self.u - self.k * self.x
        yield self.root + 0.1 * self.root**3 == self.v
        yield tg.when(tg.sample(0.0, 0.25), self.held == self.u)
        yield self.of_state == self.x
        yield self.of_input == self.w + tg.sin(tg.time)
        yield self.of_loop == 2.0 * self.root
        yield self.of_rate == tg.der(self.v)
        yield self.of_event == self.held + 1.0
        yield self.of_relation == tg.where(self.x > 0.5, 1.0, 0.0)
        yield self.through == self.u
        yield self.fixed == 3.0 * self.k
        yield self.of_computed == self.inner.gain * self.x


EXPECTED = {
    "of_state": {"x"},
    "of_input": {"time", "w"},
    "of_loop": {"v"},
    "of_rate": {"k", "u", "x"},
    "of_event": None,
    "of_relation": None,
    "through": {"u"},
    "fixed": {"k"},
    "of_computed": {"k", "shift", "x"},
    "der(x)": {"v"},
    "der(v)": {"k", "u", "x"},
}
"""FMI 3.0: parameters too, in place of those that are computed from them."""
PARAMETERS = {"k", "shift", "level"}


def test_dependencies_follow_the_equations() -> None:
    assert stated(description(Mixed())) == EXPECTED
    without = {name: known if known is None else known - PARAMETERS for name, known in EXPECTED.items()}
    assert stated(description(Mixed(), "2.0")) == without


@pytest.mark.parametrize("seed", range(3))
def test_dependencies_of_random_models_are_those_of_the_solved_equations(seed: int) -> None:
    """x' and z are linear in x, u and z: solved for by NumPy, their coefficients are not zero where FMI says so."""
    rng = np.random.default_rng(seed)
    size = 6

    def sparse(share: float) -> Any:
        return rng.uniform(0.1, 1.0, (size, size)) * (rng.random((size, size)) < share)

    by_x, by_u, by_z = (sparse(0.15) for _ in range(3))
    rate_by_x, rate_by_z = (sparse(0.2) for _ in range(2))

    class Random(tg.Component):
        u = tg.input(shape=size)
        x = tg.variable(shape=size, start=0.0, fixed=True)
        z = tg.output(shape=size)

        def equations(self) -> Iterator[Any]:
            for k in range(size):
                parts = ((by_x, self.x), (by_u, self.u), (0.2 * by_z, self.z))
                yield self.z[k] == sum((c[k, j] * each[j] for c, each in parts for j in np.flatnonzero(c[k])), 0.0)
                parts = ((rate_by_x, self.x), (rate_by_z, self.z))
                yield tg.der(self.x[k]) == sum((c[k, j] * e[j] for c, e in parts for j in np.flatnonzero(c[k])), 0.0)

    solved = np.linalg.inv(np.eye(size) - 0.2 * by_z) @ np.hstack([by_x, by_u])
    rates = np.hstack([rate_by_x, np.zeros((size, size))]) + rate_by_z @ solved
    names = [f"{letter}[{k}]" for letter in "xu" for k in range(size)]
    found = stated(description(Random()))
    for letter, matrix in (("z[{}]", solved), ("der(x[{}])", rates)):
        for k in range(size):
            expected = {name for name, value in zip(names, matrix[k], strict=True) if abs(value) > 1e-12}
            assert found[letter.format(k)] == expected, letter.format(k)


def description(component: tg.Component, version: Version = "3.0") -> ModelDescription:
    """The description of a component's FMU, without its library."""
    model = tg.compile(component)
    trial = trial_run(model, request_run(model.flat.experiment, 1.0))
    return described(trial, prepared_run(trial), Form(version, ("me", "cs"), has_arrays=False)).description


def stated(found: ModelDescription) -> dict[str, set[str] | None]:
    """Names by names."""
    names = [each.name for each in found.variables]
    return {
        names[unknown.variable]: None if unknown.dependencies is None else {names[k] for k in unknown.dependencies}
        for unknown in (*found.structure.outputs, *found.structure.derivatives)
    }
