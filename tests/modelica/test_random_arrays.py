"""Arrays of components whose elements share what is alike have the flat model of elements made one by one."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import tellegen as tg
from modelica.random_arrays import random_arrays
from modelica_texts import views_of
from tellegen.flatten.flatten import flatten
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds import build
from tellegen.frontends.modelica.kinds.build import build_model
from tellegen.frontends.modelica.kinds.rows import rows
from tellegen.frontends.modelica.sections.read_sections import statements_of
from tellegen.frontends.modelica.sections.statements import Statements
from tellegen.ir.flat import FlatModel
from tellegen.ir.model import Model
from tellegen.ir.show.statements import show_equality, show_row, show_sum

REFUSED = 33
"""A seed whose model has a size that follows from an unknown of the initialization."""
GROUPS = ("equations", "initial_equations", "whens", "assertions", "parameter_bindings", "start_bindings")
ATTRIBUTES = ("start", "fixed", "nominal", "min", "max", "state", "start_level")


def translated(text: str, share: bool) -> Model:
    return build_model(instantiate(views_of(text).named("Top"), share=share))


def statements(flat: FlatModel) -> Counter[tuple[str, str]]:
    """Every statement with the full names of its scalars."""
    found: Counter[tuple[str, str]] = Counter()
    for name in GROUPS:
        for group in getattr(flat, name):
            found.update((name, show_row(flat, group, row)) for row in range(group.rows))
    for row in range(flat.sums.rows):
        found["sum", " + ".join(sorted(show_sum(flat, row).removesuffix(" == 0").split(" + ")))] += 1
    return found


def connected(flat: FlatModel) -> set[frozenset[str]]:
    """The sets of variables that connections make equal."""
    sets: dict[str, set[str]] = {}
    for row in range(len(flat.equalities)):
        one, other = (name.strip() for name in show_equality(flat, row).split("=="))
        joined = sets.get(one, {one}) | sets.get(other, {other})
        sets.update(dict.fromkeys(joined, joined))
    return {frozenset(each) for each in sets.values()}


def attributes(flat: FlatModel) -> dict[str, tuple[object, ...]]:
    """What is said about each variable; a start value that a statement gives counts there."""
    given = {int(row[0]) for group in flat.start_bindings for row in group.bindings}
    columns = {name: flat.variables.column(name).copy() for name in ATTRIBUTES}
    columns["start"][list(given)] = np.nan
    found: dict[str, tuple[object, ...]] = {}
    for k, name in enumerate(flat.variables.names()):
        declared = flat.variables.declaration(k)
        numbers = tuple(repr(float(columns[attribute][k])) for attribute in ATTRIBUTES)
        found[name] = (declared.role, declared.type, declared.discrete, declared.unit.text, declared.shape, *numbers)
    return found


def parameters(flat: FlatModel) -> dict[str, float]:
    table = flat.parameters
    return {
        table.name(k): float(flat.parameter_values[k]) for k in range(table.count) if not table.declaration(k).literal
    }


def assert_same(shared: FlatModel, single: FlatModel) -> None:
    assert parameters(shared) == parameters(single)
    assert attributes(shared) == attributes(single)
    assert statements(shared) == statements(single)
    assert connected(shared) == connected(single)


@pytest.mark.parametrize("seed", range(16))
def test_shared_elements_have_the_flat_model_of_single_ones(seed: int) -> None:
    """300 more were tried."""
    text = random_arrays(seed)
    single = flatten(translated(text, share=False))
    assert_same(flatten(translated(text, share=True)), single)


def test_sizes_that_are_not_known_are_refused_either_way() -> None:
    text = random_arrays(REFUSED)
    for share in (True, False):
        with pytest.raises(tg.ModelicaError, match="E569"):
            translated(text, share)


CELLS = """
model Cell
  parameter Real R = 1;
  parameter Integer k = 1;
  Real x(start = R, fixed = true);
  Real y[k];
equation
  der(x) = -R*x;
  for j in 1:k loop
    y[j] = j*x;
  end for;
end Cell;
model Top
  parameter Real r = 3;
  Cell c[%d](%s);
end Top;
"""


@pytest.mark.parametrize(
    ("modifiers", "kinds"),
    [("", 1), ("each R = 2", 1), ("R = {r*j for j in 1:60}", 1), ("k = {1 + mod(j, 3) for j in 1:60}", 3)],
)
def test_alike_elements_are_read_once(modifiers: str, kinds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(instance: Instance) -> Statements:
        read.append(instance.path)
        return statements_of(instance)

    monkeypatch.setattr(build, "statements_of", noted)
    model = translated(CELLS % (60, modifiers), share=True)
    assert len(read) == 1 + kinds
    assert len(model.root.groups) == kinds


def test_values_of_copies_are_their_own() -> None:
    model = translated(CELLS % (60, "R = {r*j for j in 1:60}"), share=True)
    solution = tg.simulate(model, stop=0.1, points=2, parameters={"r": 2.0})
    for j in (1, 2, 17, 60):
        assert float(solution[f"c[{j}].x"][-1]) == pytest.approx(2.0 * j * np.exp(-0.2 * j), rel=1e-5)


@pytest.mark.parametrize("seed", range(16, 24))
def test_numbers_in_columns_say_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = random_arrays(seed)
    flat = flatten(translated(text, share=True))
    monkeypatch.setattr(rows, "FEWEST", 2)
    assert_same(flatten(translated(text, share=True)), flat)


LOOP = """
model Top
  Real x[400](each start = 1, each fixed = true);
  Real y[400];
  Real z[400];
equation
  for j in 1:400 loop
    der(x[j]) = -0.01*j*x[j];
    y[j] = if time > 0.001*j then j else -sin(j*time);
    z[j] = x[j]^(1 + mod(j, 2)) + j;
  end for;
end Top;
"""


def test_loops_are_rows() -> None:
    """Statements that differ in numbers are one template; not those with another exponent, or a factor of 1."""
    compiled = tg.compile(translated(LOOP, share=True))
    assert len(compiled.flat.equations) == 6
    solution = compiled.simulate(stop=0.2, points=2, rtol=1e-8)
    for j in (1, 2, 50, 51, 399, 400):
        x = np.exp(-0.002 * j)
        assert float(solution[f"x[{j}]"][-1]) == pytest.approx(x, rel=1e-6)
        assert float(solution[f"z[{j}]"][-1]) == pytest.approx(x ** (1 + j % 2) + j, rel=1e-6)
        expected = j if j < 200 else -np.sin(0.2 * j)
        assert float(solution[f"y[{j}]"][-1]) == pytest.approx(expected, rel=1e-6)
