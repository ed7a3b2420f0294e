"""The order of the initial system: blocks over the unknowns that are free, and stages."""

from __future__ import annotations

import numpy as np

import tellegen as tg
from tellegen.ir.reduced import ReducedModel, Wanted
from tellegen.ir.show.reduced_rows import unknown_text
from tellegen.ir.sorted import EXPLICIT, NONLINEAR
from tellegen.stages import reduce_model
from tellegen.structure.ordering.order_initial import order_initial


class Slow(tg.Component):
    """The example of structure/ordering/order_initial.py."""

    x = tg.variable(start=1.0)
    z = tg.variable()

    def equations(self):
        yield tg.der(self.x) == -self.x + self.z
        yield self.z**3 + self.z == self.x

    def initial_equations(self):
        yield tg.der(self.x) == 0


def names(model: ReducedModel, wanted: Wanted) -> dict[int, str]:
    """The unknown in each column."""
    out = {int(c): unknown_text(model, k, rate=False) for k, c in enumerate(wanted.value) if c >= 0}
    return out | {int(c): unknown_text(model, k, rate=True) for k, c in enumerate(wanted.rate) if c >= 0}


def every_row(model: ReducedModel) -> np.ndarray:
    """All equations are kept, the initial one of Slow as well."""
    return np.ones(model.equation_count + 1, bool)


def test_initial_equations_are_part_of_the_order() -> None:
    model = reduce_model(Slow())
    wanted = Wanted.of(np.ones(2, bool), model.is_state)
    order = order_initial(model, wanted, every_row(model))
    name, blocks = names(model, wanted), order.blocks
    assert blocks.reason == ""
    assert [name[int(blocks.assigned[row])] for row in np.flatnonzero(blocks.block == 0)] == ["der(x)"]
    assert sorted(name[int(blocks.assigned[row])] for row in np.flatnonzero(blocks.block == 1)) == ["x", "z"]
    assert blocks.kind.tolist() == [EXPLICIT, NONLINEAR]
    assert blocks.tears.tolist() == [0, 1]
    assert order.stage.tolist() == [0, 1]


def test_the_same_machinery_gives_the_order_of_a_run() -> None:
    """With the states given it is the order of ODE mode."""
    model = reduce_model(Slow())
    order = order_initial(model, model.wanted, np.ones(model.equation_count, bool))
    assert order.blocks.kind.tolist() == [NONLINEAR, EXPLICIT]
    assert order.stage.tolist() == [1, 2]


def test_more_conditions_than_unknowns_have_no_order() -> None:
    """der(x) == 0 has no unknown left if the derivative is given as well."""
    model = reduce_model(Slow())
    wanted = Wanted(np.array([0, 1]), np.array([-1, -1]))
    assert order_initial(model, wanted, every_row(model)).blocks.reason
