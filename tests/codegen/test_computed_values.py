"""Computed parameters and start values: the native entries against plain evaluation, for random definitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.codegen import python
from tellegen.engine.loaded.native_model import NativeModel
from tellegen.engine.request.parameter_and_start_vectors import parameter_vector, starts
from tellegen.ir.program import PARAMETERS, START_VALUES
from tellegen.symbolic.evaluate import evaluate

ROUNDING = 1e-13
"""libm and NumPy differ by a few units in the last place; errors add up along chains of at most twelve."""


def random_model(seed: int) -> tg.Component:
    """Parameters that follow from earlier ones, single and in arrays, and states that start at some of them."""
    rng = np.random.default_rng(seed)
    body: dict[str, Any] = {"a": tg.parameter(1.5), "b": tg.parameter(np.arange(1.0, 8.0), shape=7)}
    shape_of = {"a": (), "b": (7,)}
    for k in range(int(rng.integers(3, 12))):
        name = f"c{k}"
        shape = (7,) if rng.random() < 0.4 else ()
        usable = [other for other, size in shape_of.items() if size in ((), shape)]
        first, second = (body[str(rng.choice(usable))] for _ in range(2))
        value = [
            lambda x, y: x + 0.3 * y,
            lambda x, y: tg.sqrt(1 + x**2) / (2 + tg.sin(y)),
            lambda x, y: tg.where(x > y, x - y, tg.exp(-abs(x))),
            lambda x, y: tg.maximum(x, y) * 0.5,
        ][int(rng.integers(4))](first, second)
        body[name] = tg.parameter(value, shape=shape) if shape else tg.parameter(value)
        shape_of[name] = shape
    names = list(shape_of)
    for k in range(3):
        chosen = str(rng.choice(names))
        own = {"shape": shape_of[chosen]} if shape_of[chosen] else {}
        body[f"x{k}"] = tg.variable(start=2 * body[chosen], fixed=True, **own)

    def equations(self: Any) -> Any:
        for k in range(3):
            x = getattr(self, f"x{k}")
            yield tg.der(x) == -self.a * x

    body["equations"] = equations
    return type(f"Random{seed}", (tg.Component,), body)()


def reference(compiled: NativeModel, given: Any, p: Any) -> None:
    """The definition: bindings in order, those that were given left out."""
    for group in compiled.flat.parameter_bindings:
        rows = group.bindings[given[group.bindings[:, 0]] == 0.0]
        if len(rows):
            p[rows[:, 0]] = evaluate(group.template.value, p[rows.T])  # type: ignore[attr-defined]


def check(seed: int) -> None:
    """Random numbers for some parameters, computed ones among them."""
    compiled = tg.compile(random_model(seed))
    flat = compiled.flat
    rng = np.random.default_rng(seed)
    given = np.zeros(compiled.reduced.parameter_indices)
    p = parameter_vector(compiled, None)
    chosen = rng.choice(flat.parameters.count, 3, replace=False)
    given[chosen] = 1.0
    p[chosen] = rng.uniform(0.5, 2.0, 3)
    expected = p.copy()
    reference(compiled, given, expected)
    interpreted = p.copy()
    python.function(compiled.program.entries[PARAMETERS])(given, interpreted)
    compiled.compute_parameters(given, p)
    np.testing.assert_allclose(interpreted, expected, rtol=0.0)
    np.testing.assert_allclose(p, expected, rtol=ROUNDING)
    np.testing.assert_array_equal(p[chosen], interpreted[chosen])
    start = flat.variables.column("start").copy()
    computed = start.copy()
    python.function(compiled.program.entries[START_VALUES])(p, start)
    compiled.compute_start_values(p, computed)
    np.testing.assert_allclose(computed, start, rtol=ROUNDING)
    for group in flat.start_bindings:
        value = evaluate(group.template.value, [None, *p[group.bindings[:, 1:].T]])  # type: ignore[attr-defined]
        np.testing.assert_allclose(computed[group.bindings[:, 0]], value, rtol=ROUNDING)


@pytest.mark.parametrize("seed", range(8))
def test_random_definitions(seed: int) -> None:
    check(seed)


def test_values_as_declared_are_those_of_the_entry() -> None:
    compiled = tg.compile(random_model(100))
    p = parameter_vector(compiled, None)
    again = p.copy()
    again[compiled.flat.parameter_bindings[-1].bindings[:, 0]] = np.nan
    compiled.compute_parameters(np.zeros(len(p)), again)
    np.testing.assert_allclose(again, p, rtol=ROUNDING)


@tg.function(opaque=True)
def square_root(a: float) -> float:
    """One that raises where there is none."""
    return a**0.5 if a >= 0 else 1 / 0


class Called(tg.Component):
    """A parameter computed by code that nobody can look into."""

    a = tg.parameter(4.0)
    root = tg.parameter(square_root(a))
    x = tg.variable(start=root, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.x


def test_opaque_functions() -> None:
    compiled = tg.compile(Called())
    assert starts(compiled, parameter_vector(compiled, {"a": 9.0}), None).value[0] == 3.0
    with pytest.raises(tg.LanguageError, match="E157") as caught:
        compiled.simulate(1.0, parameters={"a": -9.0})
    assert "ZeroDivisionError" in str(caught.value)
    assert compiled.simulate(1.0, parameters={"a": -9.0, "root": 2.0})["x"][0] == 2.0


class Divided(tg.Component):
    """A model that is fine as declared."""

    a = tg.parameter(2.0)
    b = tg.parameter(1 / a)
    x = tg.variable(start=1.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.b * self.x


def test_numbers_that_make_another_parameter_infinite() -> None:
    """E157 as for a fresh model; once the run went on with inf."""
    with pytest.raises(tg.LanguageError, match=r"E157.*'b'"):
        tg.simulate(Divided(), 1.0, parameters={"a": 0.0})
    with pytest.raises(tg.LanguageError, match=r"E157.*'b'"):
        tg.simulate(Divided(a=0.0), 1.0)
    tg.simulate(Divided(), 1.0, parameters={"a": 0.0, "b": 1.0})
