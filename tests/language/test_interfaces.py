"""Interfaces and implementations: members, defaults, binding at any depth, refusals."""

from __future__ import annotations

import pickle
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from motors import Armature, ComplexMotor, Drive, IdealMotor, Inductive, Motor, drive_system
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


def speed(k: float, R: float, J: float, t: float) -> float:
    """The closed solution of the ideal motor at 12 V: (V/k) (1 - exp(-t k^2/(R J)))."""
    return 12.0 / k * (1.0 - float(np.exp(-t * k**2 / (R * J))))


def final_speed(model: Any) -> float:
    return float(tg.simulate(model, stop=1.0)["load.w"][-1])


def test_the_default_stands_for_an_interface() -> None:
    assert final_speed(Drive()) == pytest.approx(speed(0.05, 2.4, 1e-3, 1.0), rel=1e-4)


def test_an_implementation_has_the_members_of_its_interface() -> None:
    assert list(IdealMotor._info.order) == ["p", "n", "flange", "k", "R", "L"]
    assert IdealMotor(R=3.0).R is not None
    assert Motor.implementations == {"ideal": IdealMotor, "complex": ComplexMotor}
    assert issubclass(IdealMotor, Motor)


def test_binding_leaves_the_system_untouched() -> None:
    drive = Drive()
    drive.load.J = 2e-3
    before = str(tg.flatten(drive))
    bound = tg.bind(drive, {"motor": "complex", "motor.armature": "inductive"})
    assert type(bound.motor) is ComplexMotor
    assert type(bound.motor.armature) is Inductive
    assert type(drive.motor) is Motor
    bound.load.J = 5e-3
    assert str(tg.flatten(drive)) == before
    assert tg.simulate(drive, stop=0.1)["load.J"] == 2e-3


def test_values_and_expressions_pass_through_interfaces() -> None:
    bound = tg.bind(Drive(gain=0.1), {"motor": "complex", "motor.armature": "inductive"})
    bound.motor.R = 3.0
    solution = tg.simulate(bound, stop=0.1)
    assert solution["motor.k"] == 0.1
    assert solution["motor.emf.k"] == 0.1
    assert solution["motor.armature.resistor.R"] == 3.0
    assert solution["motor.armature.inductor.L"] == 4.8e-3


def test_inductance_vanishes_in_the_limit() -> None:
    """With no inductance to speak of, the network of interfaces is the ideal motor."""
    bound = tg.bind(Drive(), {"motor": ComplexMotor(L=1e-9), "motor.armature": "inductive"})
    assert final_speed(bound) == pytest.approx(speed(0.05, 2.4, 1e-3, 1.0), rel=1e-4)
    assert final_speed(tg.bind(Drive(), {"motor": "complex"})) == pytest.approx(speed(0.05, 2.4, 1e-3, 1.0), rel=1e-4)


def test_a_bound_system_can_be_bound_again() -> None:
    first = tg.bind(Drive(), {"motor": "complex", "motor.armature": "inductive"})
    second = tg.bind(first, {"motor": IdealMotor(R=1.2)})
    assert final_speed(second) == pytest.approx(speed(0.05, 1.2, 1e-3, 1.0), rel=1e-4)
    assert type(first.motor) is ComplexMotor


def test_systems_and_parts() -> None:
    system = drive_system()
    part = SimpleNamespace(name="M1", interface=Motor, implementation="complex", parameters={"R": 1.2, "k": 0.06})
    bound = tg.bind(system, {"motor": part})
    assert final_speed(bound) == pytest.approx(speed(0.06, 1.2, 1e-3, 1.0), rel=1e-4)
    assert final_speed(system) == pytest.approx(speed(0.05, 2.4, 1e-3, 1.0), rel=1e-4)
    assert type(system.motor) is Motor


def test_a_bound_system_is_a_part_of_others() -> None:
    class Plant(tg.Component):
        a = tg.bind(Drive(), {"motor": "complex", "motor.armature": "inductive"})
        b = Drive(gain=0.1)

    solution = tg.simulate(Plant(), stop=1.0)
    assert solution["a.motor.armature.inductor.L"] == 4.8e-3
    assert solution["b.load.w"][-1] == pytest.approx(speed(0.1, 2.4, 1e-3, 1.0), rel=1e-4)


@pytest.mark.parametrize(
    ("choices", "code", "words"),
    [
        ({"moter": "ideal"}, "E803", "perhaps you meant 'motor'"),
        ({"load": "ideal"}, "E803", "'load' is of class Inertia, not an interface"),
        ({"motor": "idael"}, "E804", "perhaps you meant 'ideal'"),
        ({"motor": 3}, "E804", "cannot be bound to 3"),
        ({"motor": Inductive}, "E805", "no port 'flange'"),
        ({"motor": el.Resistor}, "E805", "equal ports are not enough"),
        ({"motor.coil": "inductive"}, "E803", "there is no part 'coil' in 'motor' (IdealMotor)"),
    ],
)
def test_wrong_bindings_are_refused(choices: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(tg.BindingError) as caught:
        tg.bind(Drive(), choices)
    assert caught.value.code == code
    assert words in str(caught.value)


def test_an_interface_without_default() -> None:
    class Gear(tg.Interface):
        a = rot.Flange()
        b = rot.Flange()

    class Train(tg.Component):
        gear = Gear()

    with pytest.raises(tg.BindingError, match="E800: 'gear' is the interface Gear") as caught:
        tg.flatten(Train())
    assert "class MyGear(tg.Component, implements=Gear)" in caught.value.advice

    class Stiff(tg.Component, implements=Gear, name="stiff"):
        def equations(self):
            yield self.a.phi == 0.0
            yield self.b.phi == self.a.phi

    with pytest.raises(tg.BindingError) as caught:
        tg.flatten(Train())
    assert 'tg.bind(system, {"gear": "stiff"})' in caught.value.advice
    tg.flatten(tg.bind(Train(), {"gear": "stiff"}))


def test_classes_that_do_not_fit_are_refused() -> None:
    with pytest.raises(tg.BindingError, match="E801") as caught:

        class Wrong(tg.Component, implements=Armature):
            n = rot.Flange()

    assert "its port 'n' is a Flange, not a Pin" in str(caught.value)
    with pytest.raises(tg.BindingError, match="E802: Motor already has an implementation named 'ideal'"):

        class Another(tg.Component, implements=Motor, name="ideal"):
            pass

    with pytest.raises(tg.BindingError, match="E802: Motor has two defaults"):

        class Second(tg.Component, implements=Motor, default=True):
            pass

    with pytest.raises(tg.BindingError, match="which is not an interface"):

        class Third(tg.Component, implements=IdealMotor):
            pass

    with pytest.raises(tg.BindingError, match="not which interface it implements"):

        class Fourth(tg.Component, name="fourth"):
            pass

    assert list(Motor.implementations) == ["ideal", "complex"]


def test_semantics_name_what_exists() -> None:
    with pytest.raises(tg.BindingError, match=r"E806: Pump has no quantity 'p.j'; perhaps you meant 'p.v' or 'p.i'"):

        class Pump(tg.Interface):
            p = el.Pin()
            semantics = tg.Semantics(proportional=[("p.j", "+", "p.v")])


class Chain(tg.Component):
    """Armatures in series, made one by one."""

    R = tg.parameter(2.0, "ohm")
    source = el.StepVoltage(V=12.0)
    ground = el.Ground()

    def build(self):
        self.cells = [Armature(R=self.R * (k + 1), L=0.1 * (k + 1)) for k in range(3)]

    def connections(self):
        yield self.source.p, self.cells[0].p
        for a, b in zip(self.cells, self.cells[1:], strict=False):
            yield a.n, b.p
        yield self.cells[-1].n, self.source.n, self.ground.p


class Row(tg.Component):
    """The same as an array."""

    source = el.StepVoltage(V=12.0)
    ground = el.Ground()
    cells = Armature.array(3, R=[2.0, 4.0, 6.0], L=0.1)

    def connections(self):
        yield self.source.p, self.cells[0].p
        yield self.cells[:-1].n, self.cells[1:].p
        yield self.cells[-1].n, self.source.n, self.ground.p


class Around(tg.Component):
    """Bound systems in a class body, one with other numbers."""

    chain = tg.bind(Chain(R=3.0), {"cells[1]": "inductive"})
    row = tg.bind(Row(), {"cells": "inductive"})
    plain = Chain()


def rise(R: float, L: float, t: float) -> float:
    """The current of a resistor and an inductor at 12 V."""
    return 12.0 / R * (1.0 - float(np.exp(-t * R / L)))


def test_lists_and_arrays_of_interfaces() -> None:
    solution = tg.simulate(Around(), stop=0.05)
    assert -solution["chain.source.i"][-1] == pytest.approx(rise(18.0, 0.2, 0.05), rel=1e-4)
    assert -solution["row.source.i"][-1] == pytest.approx(rise(12.0, 0.3, 0.05), rel=1e-4)
    assert -solution["plain.source.i"][-1] == pytest.approx(1.0)
    bindings = solution.bindings
    assert bindings["chain.cells[1]"] == bindings["row.cells"] == "inductive"
    assert bindings["chain.cells[0]"] == bindings["plain.cells[1]"] == "resistive"
    bound = tg.bind(Chain(), {"cells[1]": "inductive"})
    assert type(bound.cells[1]) is Inductive
    names = tg.compile(tg.bind(Row(), {"cells[1]": "inductive"})).bindings
    assert (names["cells[0]"], names["cells[1]"]) == ("resistive", "inductive")


def test_the_binding_is_data(tmp_path: Any) -> None:
    part = SimpleNamespace(name="M1", interface="Motor", implementation="complex", parameters={"R": 1.2})
    compiled = tg.compile(tg.bind(Drive(), {"motor": part, "motor.armature": "inductive"}))
    known = {"motor": "complex", "motor.armature": "inductive"}
    assert compiled.bindings == known
    assert "complex (M1)" in str(compiled.report())
    solution = compiled.simulate(stop=0.01)
    assert "motor.armature" in str(solution)
    solution.save(tmp_path / "run.tg")
    loaded = tg.load(tmp_path / "run.tg")
    assert loaded.bindings == known
    assert "complex (M1)" in str(loaded)
    assert pickle.loads(pickle.dumps(compiled)).bindings == known


def test_locations_name_the_implementation() -> None:
    drive = tg.bind(Drive(), {"motor": "complex", "motor.armature": "inductive"})
    tree = tg.flatten(drive).tree
    places = [tree.location(k, 0).scope for k in range(len(tree.nodes))]
    assert "motor; bound to complex" in places
    assert "motor.armature.inductor; motor.armature is bound to inductive" in places
    assert "load" in places


def test_members_of_an_implementation_need_a_binding() -> None:
    with pytest.raises(tg.LanguageError, match="has no 'armature'") as caught:
        Drive().motor.armature
    assert 'bind it first: {"motor": "complex"}' in caught.value.advice


def test_expressions_between_parts_follow_the_copy() -> None:
    """A value that names another part of the system names that of the copy."""
    system = drive_system()
    system.load.J = 1e-3 * system.motor.R / 2.4
    system.equation(tg.when(tg.time > 0.5, tg.reinit(system.load.w, 1.0)))
    bound = tg.bind(system, {"motor": "complex"})
    bound.motor.R = 4.8
    solution = tg.simulate(bound, stop=0.6)
    assert solution["load.J"] == pytest.approx(2e-3)
    assert [event.time for event in solution.events] == [0.5]
    assert tg.simulate(system, stop=0.1)["load.J"] == pytest.approx(1e-3)


class Heater(tg.Interface):
    R = tg.parameter(2.0, "K/W", semantics="resistance")
    rest = tg.parameter(293.15, "K", semantics="ambient")
    T = tg.variable("K")


class PlainHeater(tg.Component, implements=Heater, name="plain", default=True):
    def equations(self):
        yield self.T == self.rest + 10.0 * self.R


class Room(tg.Component):
    heater = Heater(R=1.5)


def test_values_of_a_part_go_with_it() -> None:
    """Another part begins with the values of the system and those given since; a name keeps the part."""
    first = tg.Part("first", Heater, parameters={"R": "0.5 K/W", "rest": "313.15 K"})
    second = tg.Part("second", Heater, parameters={"R": "3 K/W"})

    def temperature(room: Any) -> float:
        return float(tg.simulate(room, 1.0)["heater.T"][-1])

    bound = tg.bind(Room(), {"heater": first})
    assert temperature(bound) == pytest.approx(318.15)
    assert temperature(tg.bind(bound, {"heater": second})) == pytest.approx(293.15 + 30.0)
    assert temperature(tg.bind(bound, {"heater": "plain"})) == pytest.approx(318.15)
    third = tg.Part("third", Heater, parameters={"rest": "300 K"})
    assert temperature(tg.bind(bound, {"heater": third})) == pytest.approx(300.0 + 15.0)
    bound.heater.R = 0.7
    assert temperature(tg.bind(bound, {"heater": third})) == pytest.approx(300.0 + 7.0)


def test_a_misspelt_keyword_of_a_class() -> None:
    with pytest.raises(tg.BindingError, match="perhaps you meant 'default'") as caught:

        class Other(tg.Component, implements=Heater, defualt=True):
            pass

    assert caught.value.code == "E801"


class SlowHeater(tg.Component, implements=Heater, name="slow"):
    C = tg.parameter(1.0, "J/K")

    def equations(self):
        yield self.C * self.R * tg.der(self.T) == self.rest + 10.0 * self.R - self.T


def test_values_of_the_system_hold_for_what_is_given_by_keyword() -> None:
    """As with tg.bind: the room says R, the heater C; what the heater itself says comes first."""
    for room in (Room(heater=SlowHeater(C=3.0)), tg.bind(Room(), {"heater": SlowHeater(C=3.0)})):
        run = tg.simulate(room, 1.0, initial={"heater.T": 300.0})
        assert run["heater.R"] == 1.5
        assert run["heater.C"] == 3.0
    assert tg.simulate(Room(heater=SlowHeater(R=0.1)), 1.0, initial={"heater.T": 300.0})["heater.R"] == 0.1


def test_what_is_bound_is_shown() -> None:
    part = tg.Part("H 7", Heater, parameters={"R": "0.5 K/W"})
    bound = tg.bind(Room(), {"heater": part})
    assert repr(bound) == "<Room: heater=H 7 (PlainHeater)>"
    assert repr(tg.bind(Room(), {"heater": "slow"})) == "<Room: heater=slow>"
    assert repr(Room()) == "<Room: heater>"
    run = tg.simulate(bound, 1.0)
    assert run.bindings == {"heater": "plain"}
    assert run.parts == {"heater": "H 7"}


def test_a_misspelt_keyword_of_semantics() -> None:
    with pytest.raises(tg.LanguageError, match=r"Semantics\(\) takes no 'limit'; perhaps you meant 'limits'"):
        tg.Semantics(limit={})  # type: ignore[call-arg]
