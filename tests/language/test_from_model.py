"""Components made from a Model, beside the classes the Model was made from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import tellegen as tg
from tellegen.frontends.python.building.from_model import component_class
from tellegen.ir.model import Kind, Model
from tellegen.library import electrical as el
from tellegen.library import multibody
from tellegen.library import rotational as rot
from tellegen.stages import build_model


class Motor(tg.Component):
    """A motor with an inertia."""

    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    R = tg.parameter(2.0, "ohm")
    resistor = el.Resistor(R=R)
    emf = el.EMF(k=0.1)
    rotor = rot.Inertia(J=0.01)

    def connections(self) -> Any:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.emf.p
        yield self.emf.n, self.n
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.flange


def of_another_front_end(model: Model) -> Model:
    """The same model with connectors that no class of Python declares, their variables in another order."""
    done: dict[int, Kind] = {}

    def renamed(kind: Kind) -> Kind:
        if id(kind) not in done:
            ports = [
                replace(port, family=f"other.{port.family}", variables=port.variables[::-1], foreign=True)
                for port in kind.ports
            ]
            groups = [replace(group, kind=renamed(group.kind)) for group in kind.groups]
            done[id(kind)] = replace(kind, ports=tuple(ports), groups=tuple(groups))
        return done[id(kind)]

    return replace(model, root=renamed(model.root))


Foreign: Any = component_class(of_another_front_end(build_model(Motor())))


class Drive(tg.Component):
    """The motor with a source and a load of Python's."""

    source = el.ConstantVoltage(V=10.0)
    ground = el.Ground()
    motor = Motor(R=4.0)
    load = rot.Inertia(J=0.02)
    twice = tg.variable("rad/s")

    def equations(self) -> Any:
        yield self.twice == 2 * self.motor.rotor.w

    def connections(self) -> Any:
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p
        yield self.motor.flange, self.load.flange_a


class Mixed(Drive):
    """The same with the motor from the other front end."""

    motor = Foreign(R=4.0)


def test_the_same_curves() -> None:
    own = tg.simulate(Drive(), stop=1.0, points=11)
    mixed = tg.simulate(Mixed(), stop=1.0, points=11)
    assert own["twice"][-1] > 10.0
    for path in ("twice", "motor.resistor.i", "load.w"):
        assert mixed[path] == pytest.approx(own[path], rel=1e-9)


def test_parameters_inside_can_be_changed() -> None:
    mixed = tg.simulate(Mixed(), stop=1.0, parameters={"motor.rotor.J": 0.05, "motor.R": 3.0})
    own = tg.simulate(Drive(), stop=1.0, parameters={"motor.rotor.J": 0.05, "motor.R": 3.0})
    assert mixed["load.w"] == pytest.approx(own["load.w"], rel=1e-9)


def test_connectors_with_other_variables_are_refused() -> None:
    class Wrong(Mixed):
        def connections(self) -> Any:
            yield self.motor.flange, self.ground.p

    with pytest.raises(tg.LanguageError, match="cannot connect"):
        tg.compile(Wrong())


def test_parts_stay_as_they_are() -> None:
    with pytest.raises(tg.LanguageError, match="Motor has no 'resistor'"):
        Foreign(resistor=el.Resistor(R=1.0))


def test_frames_are_composed_with_the_whole_mechanism() -> None:
    with pytest.raises(tg.LanguageError, match="frames"):
        component_class(build_model(multibody.Body()))
