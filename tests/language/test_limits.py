"""What the language does not do yet; each turns into a plain test once it does."""

from __future__ import annotations

from typing import Any

import pytest

import tellegen as tg
from language.reading import statements, values
from language.test_assembly import Chain


@pytest.mark.xfail(reason="Naming._outer_ref knows members of the outer component, not of its children (E119)")
def test_members_of_parts_of_the_world() -> None:
    class Air(tg.Component):
        T = tg.parameter(300.0)

    class World(tg.Component):
        air = Air()

    class Body(tg.Component):
        world = tg.outer("world")
        x = tg.variable()

        def equations(self) -> Any:
            yield self.x == self.world.air.T

    class Top(tg.Component):
        world = World()
        body = Body()

    assert "body.x == world.air.T" in statements(Top())


@pytest.mark.xfail(
    reason="a structural parameter of a part is read as a number when the class is made (Component._member)"
)
def test_structural_parameters_of_parts_in_a_class_body() -> None:
    class Pair(tg.Component):
        a = Chain(n=2)
        b = Chain(n=a.n)

    pair = Pair()
    pair.a.n = 4
    assert pair.b.n == 4


@pytest.mark.xfail(
    reason="Component.array makes the element with cls(), so a class with its own __init__ cannot be one"
)
def test_arrays_of_components_with_their_own_init() -> None:
    class Sized(tg.Component):
        k = tg.parameter(1.0)

        def __init__(self, k: float, **values: Any) -> None:
            super().__init__(k=k, **values)

    class Top(tg.Component):
        s = Sized.array(2, k=[1.0, 2.0])

    assert values(Top()) == {"s[0].k": 1, "s[1].k": 2}
