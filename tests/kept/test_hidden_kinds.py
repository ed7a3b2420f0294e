"""Parts of mechanisms are traced where they are needed, and names of models do not wait for the others."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import tellegen as tg
from tellegen.compile import content_of
from tellegen.frontends.python.building import freeze as freezing
from tellegen.frontends.python.building.freeze import freeze
from tellegen.frontends.python.building.hidden_kinds import HiddenKinds
from tellegen.ir.model import Mechanical, Model
from tellegen.library import multibody as mb
from tellegen.library.multibody.sweeps.cuts import RevoluteCut
from tellegen.library.multibody.sweeps.loose_links import FreeLink


class Pendulum(tg.Component):
    world = mb.World()
    hinge = mb.Revolute()
    rod = mb.BodyShape(m=1.0, r=[0.5, 0, 0])

    def connections(self) -> Any:
        yield self.world.frame_b, self.hinge.frame_a
        yield self.hinge.frame_b, self.rod.frame_a


@pytest.fixture
def traced(monkeypatch: Any) -> dict[Any, Any]:
    """The kinds traced since the test began, by class and shape."""
    empty: dict[Any, Any] = {}
    monkeypatch.setattr(freezing, "_HIDDEN_KINDS", empty)
    return empty


def joint_of(model: Model) -> Mechanical:
    return next(what for kind in model.kinds() for what in kind.mechanics if what.verb == "joint")


def test_a_tree_needs_no_part_that_closes_loops(traced: dict[Any, Any]) -> None:
    model = freeze(Pendulum())
    content = content_of(model)
    assert not traced
    tg.compile(model)
    classes = {key[0] for key in traced}
    assert classes
    assert RevoluteCut not in classes
    assert FreeLink not in classes
    assert content_of(freeze(Pendulum())) == content


def test_a_pickle_has_all_parts() -> None:
    there = joint_of(pickle.loads(pickle.dumps(freeze(Pendulum()))))
    here = joint_of(freeze(Pendulum()))
    assert isinstance(here.parts, HiddenKinds)
    assert set(there.parts) == set(here.parts) == {"link", "straight", "cut", "column"}
    assert there.parts["cut"].name == "RevoluteCut"


class Lively(mb.Revolute):
    """A joint of a user whose part is another one than the library's."""

    def equations(self) -> Any:
        for statement in super().equations():
            if hasattr(statement, "parts") and "cut" in statement.parts:
                statement.parts["cut"] = HeavyCut()
            yield statement


class HeavyCut(RevoluteCut):
    extra = tg.parameter(1.0, "kg", "of a user")


def test_parts_of_users_are_named_by_what_they_are(traced: dict[Any, Any]) -> None:
    """Their code is none of Tellegen's, so its stamp does not say what they are."""
    model = freeze(Pendulum(hinge=Lively()))
    assert content_of(model) != content_of(freeze(Pendulum()))
    assert HeavyCut in {key[0] for key in traced}
