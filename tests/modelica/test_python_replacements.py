"""Components of Python in the place of Modelica's: equal equations give equal curves, what does not fit is refused."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.library import thermal

DRIVES = Path(__file__).parent / "drives.mo"

PLANT = """
package Plant
  connector Port
    Real T(unit = "K");
    flow Real Q_flow(unit = "W");
  end Port;
  connector Input = input Real;
  connector Output = output Real;

  model Body
    parameter Real C(unit = "J/K") = 10;
    parameter Real T0 = 300;
    Port port(T(start = T0, fixed = true));
  equation
    C*der(port.T) = port.Q_flow;
  end Body;

  model Rod "n bodies meet here"
    parameter Integer n = 3;
    parameter Real G = 2;
    Port ports[n];
    Real T;
  equation
    for i in 1:n loop
      ports[i].Q_flow = G*(ports[i].T - T);
    end for;
    sum(ports.Q_flow) = 0;
  end Rod;

  block Gain
    parameter Real k = 1;
    Input u;
    Output y;
  equation
    y = k*u;
  end Gain;

  model Star
    parameter Integer n = 3;
    Body body[n](C = {10.0*i for i in 1:n}, T0 = {300.0 + 10*i for i in 1:n});
    replaceable Rod rod(n = n, G = 2) constrainedby Rod(G = 7);
    Gain gain(k = 3);
    Gain second(k = 0.5);
    Real warm = rod.T - 273.15;
  equation
    for i in 1:n loop
      connect(body[i].port, rod.ports[i]);
    end for;
    gain.u = body[1].port.T;
    connect(gain.y, second.u);
    annotation (experiment(StopTime = 5, Tolerance = 1e-9));
  end Star;

  partial model Wire
    Input u;
    Output y;
  end Wire;
end Plant;
"""


class Winding(tg.Component):
    """A resistance."""

    R = tg.parameter(3.0, "ohm")
    p = el.Pin()
    n = el.Pin()
    i = tg.variable("A")

    def equations(self) -> Any:
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0
        yield self.p.v - self.n.v == self.R * self.i


class Rotor(tg.Component):
    """An inertia with the names of drives.mo."""

    J = tg.parameter(0.01, "kg.m2")
    a = rot.Flange()
    b = rot.Flange()
    w = tg.variable("rad/s")

    def equations(self) -> Any:
        yield self.a.phi == self.b.phi
        yield self.w == tg.der(self.a.phi)
        yield self.J * tg.der(self.w) == self.a.tau + self.b.tau


class Rod(tg.Component):
    """The bodies meet in a point."""

    n = tg.parameter(3, structural=True)
    G = tg.parameter(2.0, "W/K")
    ports = thermal.HeatPort.array(n)
    T = tg.variable("K")

    def equations(self) -> Any:
        yield self.ports.Q_flow == self.G * (self.ports.T - self.T)
        yield tg.sum(self.ports.Q_flow) == 0


class Gain(tg.Component):
    """y = k u."""

    k = tg.parameter(1.0)
    u = tg.input()
    y = tg.output()

    def equations(self) -> Any:
        yield self.y == self.k * self.u


@pytest.fixture(scope="module")
def drives() -> tg.ModelicaLibrary:
    return tg.load_modelica(DRIVES)


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("plant") / "Plant.mo"
    file.write_text(PLANT)
    return tg.load_modelica(file)


def speed(time: Any, R: float, J: float) -> Any:
    k = 0.1
    return 12.0 / k * (1.0 - np.exp(-(k**2) / (R * J) * time))


def test_a_class_is_replaced_and_the_text_around_gives_its_values(drives: tg.ModelicaLibrary) -> None:
    """`Winding winding(R = R)` stands in the motor, R is 2 there."""
    solution = tg.simulate(drives["Drives.Drive"].modified(motor={"Winding": Winding}))
    assert solution["load.w"] == pytest.approx(speed(solution.time, R=2.0, J=0.03), abs=1e-5)


def test_a_component_is_replaced_and_keeps_its_own_values(drives: tg.ModelicaLibrary) -> None:
    """`load(J = J)` in the text is for the inertia that was there."""
    drive = drives["Drives.Drive"].modified(load=Rotor(J=0.05), **{"motor.winding": Winding(R=4.0)})
    solution = tg.simulate(drive)
    assert solution["load.w"] == pytest.approx(speed(solution.time, R=4.0, J=0.06), abs=1e-5)
    assert solution["motor.winding.i"][0] == pytest.approx(12.0 / 4.0)
    modified = drive.modified(**{"load.J": 0.09})
    assert tg.simulate(modified)["load.w"] == pytest.approx(speed(solution.time, R=4.0, J=0.1), abs=1e-5)


def test_parameters_of_runs_and_gradients(drives: tg.ModelicaLibrary) -> None:
    drive = drives["Drives.Drive"].modified(load=Rotor(J=0.05))
    compiled = tg.compile(drive)
    solution = compiled.simulate(2.0, parameters={"load.J": 0.02})
    assert solution["load.w"][-1] == pytest.approx(speed(2.0, R=2.0, J=0.03), rel=1e-6)
    slope = tg.gradient(drive, of=tg.final("load.w"), wrt=["load.J"])
    step = 1e-6
    quotient = (speed(2.0, 2.0, 0.06 + step) - speed(2.0, 2.0, 0.06 - step)) / (2 * step)
    assert slope["final(load.w)"]["load.J"] == pytest.approx(quotient, rel=1e-4)


def test_arrays_of_connectors_signals_and_names_in_the_text(plant: tg.ModelicaLibrary) -> None:
    """Rod has an array of connectors, which the text counts from 1; `rod.T` is named in an equation around it."""
    original = tg.simulate(plant["Plant.Star"])
    replaced = tg.simulate(plant["Plant.Star"].modified(rod=Rod(n=3), gain=Gain(k=3.0), second=Gain(k=0.5)))
    for name in ("body[1].port.T", "body[3].port.T", "warm", "second.y"):
        assert replaced[name] == pytest.approx(original[name], abs=1e-6), name
    energy = np.sum([10.0 * i * replaced[f"body[{i}].port.T"] for i in (1, 2, 3)], axis=0)
    assert energy == pytest.approx(energy[0], rel=1e-9)


def test_any_mixture_of_both_languages_gives_the_same_curves(plant: tg.ModelicaLibrary) -> None:
    """Parts chosen at random are replaced, with values drawn at random; the oracle has the same values in Modelica."""
    draw = random.Random(3)
    for _ in range(4):
        G, k, second = (draw.uniform(0.5, 4.0) for _ in range(3))
        reference = tg.simulate(plant["Plant.Star"].modified(rod={"G": G}, gain={"k": k}, second={"k": second}))
        python = {"rod": Rod(n=3, G=G), "gain": Gain(k=k), "second": Gain(k=second)}
        modelica = {"rod": {"G": G}, "gain": {"k": k}, "second": {"k": second}}
        chosen = {name: draw.choice((python[name], modelica[name])) for name in python}
        solution = tg.simulate(plant["Plant.Star"].modified(**chosen))
        for name in ("body[1].port.T", "rod.T", "second.y"):
            assert solution[name] == pytest.approx(reference[name], abs=1e-6), (name, chosen)


class Voltage(tg.Component):
    """Has connectors by the right names and of another domain."""

    a = el.Pin()
    b = el.Pin()

    def equations(self) -> Any:
        yield self.a.v == self.b.v
        yield self.a.i + self.b.i == 0


class Slow(Gain):
    """An output is missing."""

    y = tg.variable()


@pytest.mark.parametrize(
    ("name", "modifications", "message"),
    [
        ("Drives.Drive", {"load": rot.Inertia(J=1.0)}, "E562: .* it has no connector 'a', which Drives.Inertia has"),
        ("Drives.Drive", {"load": Voltage}, "its connector 'a' has flow Real i, Real v, where Real phi, flow Real tau"),
        ("Drives.Drive", {"load": Rotor, "load.K": 1.0}, "E555: load has no element 'K' to modify"),
        ("Drives.Drive", {"motor.R": Rotor}, "E562: .*Real is a predefined type"),
        ("Plant.Star", {"gain": Slow}, "it has no connector 'y', which Plant.Gain has"),
        ("Plant.Star", {"rod": Rod(n=2)}, "E567: rod.ports has 2 elements, there is none of number 3"),
    ],
)
def test_what_does_not_fit(
    drives: tg.ModelicaLibrary, plant: tg.ModelicaLibrary, name: str, modifications: dict[str, Any], message: str
) -> None:
    library = drives if name.startswith("Drives") else plant
    with pytest.raises(tg.TellegenError, match=message):
        _ = library[name].modified(**modifications).model


def test_units_that_differ_are_refused(plant: tg.ModelicaLibrary) -> None:
    class Volts(tg.Component):
        u = tg.input("V")
        y = tg.output("V")

        def equations(self) -> Any:
            yield self.y == self.u

    class Metres(tg.Component):
        u = tg.input("m")
        y = tg.output("m")

        def equations(self) -> Any:
            yield self.y == self.u

    with pytest.raises(tg.TellegenError, match=r"gain.y is in 'V', second.u in 'm'"):
        _ = plant["Plant.Star"].modified(gain=Volts, second=Metres).model


def test_modifications_add_up(drives: tg.ModelicaLibrary) -> None:
    drive = drives["Drives.Drive"].modified(J=0.1, motor={"R": 4.0}).modified(J=0.02).modified(source={"V": 12.0})
    solution = tg.simulate(drive)
    assert solution["load.w"] == pytest.approx(speed(solution.time, R=4.0, J=0.03), abs=1e-5)
