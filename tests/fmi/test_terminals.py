"""Terminals of FMUs as connectors: FMUs connected with components of the library."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.errors import ExportError, FmuError
from tellegen.fmi.archive import write_archive
from tellegen.fmi.terminals import FILE, FILE_VERSION2, Terminal, TerminalMember, write_terminals
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Disc(tg.Component):
    """An inertia that is driven from outside: torque in, angle out."""

    tau = tg.input("N.m")
    angle = tg.output("rad")
    J = tg.parameter(2.0, "kg.m2")
    phi = tg.variable("rad", start=0.3, fixed=True)
    w = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.phi) == self.w
        yield self.J * tg.der(self.w) == self.tau
        yield self.angle == self.phi


class Winding(tg.Component):
    """A coil to ground: voltage in, current out of the pin that it is connected to."""

    voltage = tg.input("V")
    current = tg.output("A")
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield 0.5 * tg.der(self.i) == self.voltage - 2.0 * self.i
        yield self.current == -self.i


DISC = Terminal(
    "flange",
    (TerminalMember("angle", "phi", "signal"), TerminalMember("tau", "tau", "inflow")),
    kind="tellegen.library.rotational.interfaces.Flange",
)
WINDING = Terminal(
    "p",
    (TerminalMember("voltage", "v", "signal"), TerminalMember("current", "i", "outflow")),
    kind="Modelica.Electrical.Analog.Interfaces.PositivePin",
)


class Motor(tg.Component):
    """A winding and a rotor whose shaft can be connected."""

    flange = rot.Flange()
    source = el.StepVoltage(V=12.0)
    resistor = el.Resistor(R=2.4)
    coil = el.Inductor(L="4.8 mH")
    emf = el.EMF(k=0.04)
    rotor = rot.Inertia(J=1e-3)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.resistor.p
        yield self.resistor.n, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.source.n, self.emf.n, self.ground.p
        yield self.emf.flange, self.rotor.flange_a
        yield self.rotor.flange_b, self.flange


class Loaded(tg.Component):
    """A motor that drives a flywheel by a shaft, and another flywheel that sits on its flange."""

    motor = Motor()
    hub = rot.Inertia(J=2e-3)
    shaft = rot.SpringDamper(c=40.0, d=0.05)
    load = rot.Inertia(J=3e-3)

    def connections(self) -> Any:
        yield self.motor.flange, self.hub.flange_a, self.shaft.flange_a
        yield self.shaft.flange_b, self.load.flange_a


def exported(model: Any, path: Path, terminal: Terminal, version: Any) -> Path:
    """An FMU with a terminal."""
    tg.export_fmu(model, path, version=version)
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if "terminalsAndIcons.xml" not in name}
    name = FILE if version == "3.0" else FILE_VERSION2
    write_archive(path, {**files, name: write_terminals([terminal])})
    return path


@pytest.mark.parametrize("version", ["3.0", "2.0"])
def test_a_flange_of_an_fmu(tmp_path: Path, version: Any) -> None:
    made = tg.read_fmu(exported(Disc(), tmp_path / "disc.fmu", DISC, version))

    class Train(tg.Component):
        """Two discs with a shaft between them that is twisted at the start."""

        first = made(J=2.0)
        second = made(J=3.0)
        shaft = rot.SpringDamper(c=40.0, d=0.5, phi_rel0=0.1)

        def connections(self) -> Any:
            yield self.first.flange, self.shaft.flange_a
            yield self.shaft.flange_b, self.second.flange

    found = tg.simulate(Train(), stop=3.0, rtol=1e-9)
    reduced = 2.0 * 3.0 / 5.0
    decay = 0.5 * 0.5 / reduced
    speed = np.sqrt(40.0 / reduced - decay**2)
    t = found.time
    twist = 0.1 - 0.1 * np.exp(-decay * t) * (np.cos(speed * t) + decay / speed * np.sin(speed * t))
    assert found["first.flange.phi"] == pytest.approx(0.3 - 3.0 / 5.0 * twist, abs=1e-7)
    assert found["second.flange.phi"] == pytest.approx(0.3 + 2.0 / 5.0 * twist, abs=1e-7)
    assert found["first.flange.tau"] + found["second.flange.tau"] == pytest.approx(0.0, abs=1e-12)


def test_a_pin_of_an_fmu_whose_current_flows_out(tmp_path: Path) -> None:
    made = tg.read_fmu(exported(Winding(), tmp_path / "winding.fmu", WINDING, "3.0"))

    class Circuit(tg.Component):
        """A source, a resistor and the winding."""

        source = el.ConstantVoltage(V=12.0)
        resistor = el.Resistor(R=1.0)
        winding = made()
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.resistor.p
            yield self.resistor.n, self.winding.p
            yield self.source.n, self.ground.p

    found = tg.simulate(Circuit(), stop=1.0, rtol=1e-8)
    exact = 4.0 * (1.0 - np.exp(-6.0 * found.time))
    assert found["winding.p.i"] == pytest.approx(exact, abs=1e-6)
    assert found["resistor.p.i"] == pytest.approx(exact, abs=1e-6)


def test_terminals_that_are_no_connectors_stay_signals(tmp_path: Path) -> None:
    unknown = Terminal(DISC.name, DISC.members, kind="somebody.Shaft")
    measured = Terminal(DISC.name, DISC.members[:1], kind=DISC.kind)
    for terminal in (unknown, measured):
        made = tg.read_fmu(exported(Disc(), tmp_path / "disc.fmu", terminal, "3.0"))
        assert not made.fmu.connectors
        assert "flange" not in made._info.ports


@pytest.mark.parametrize("version", ["3.0", "2.0"])
def test_a_motor_keeps_its_flange(tmp_path: Path, version: Any) -> None:
    """The flywheel on the flange and the rotor have one angle: index reduction goes through the FMU."""
    path = tmp_path / "motor.fmu"
    tg.export_fmu(Motor(), path, version=version, ports={"flange": "through"})

    class WithFmu(Loaded):
        """The same with an FMU."""

        motor = tg.read_fmu(path)()

    own = tg.simulate(Loaded(), stop=0.5, rtol=1e-9)
    found = tg.simulate(WithFmu(), stop=0.5, rtol=1e-9)
    times = np.linspace(0.0, 0.5, 51)
    for name in ("hub.w", "load.w", "motor.flange.tau", "motor.flange.phi"):
        exact = own.at(times)[name]
        assert found.at(times)[name] == pytest.approx(exact, abs=1e-7 * float(np.abs(exact).max())), name


class Network(tg.Component):
    """A resistor and a capacitor to ground, behind a pin."""

    p = el.Pin()
    resistor = el.Resistor(R=100.0)
    capacitor = el.Capacitor(C=1e-3)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.p, self.resistor.p
        yield self.resistor.n, self.capacitor.p
        yield self.capacitor.n, self.ground.p


def test_a_pin_whose_potential_is_the_input(tmp_path: Path) -> None:
    """A ramp of voltage with a resistance of its own: the current follows from a closed solution."""
    path = tmp_path / "network.fmu"
    tg.export_fmu(Network(), path, ports={"p": "across"})

    class Charged(tg.Component):
        """A source with a resistance, and the network."""

        source = el.ConstantVoltage(V=10.0)
        inner = el.Resistor(R=50.0)
        network = tg.read_fmu(path)()
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.inner.p
            yield self.inner.n, self.network.p
            yield self.source.n, self.ground.p

    found = tg.simulate(Charged(), stop=1.0, rtol=1e-8)
    exact = 10.0 / 150.0 * np.exp(-found.time / 0.15)
    assert found["network.p.i"] == pytest.approx(exact, abs=1e-8)
    assert found["inner.n.i"] == pytest.approx(-exact, abs=1e-8)


def test_connectors_that_the_user_names(tmp_path: Path) -> None:
    path = tmp_path / "winding.fmu"
    tg.export_fmu(Winding(), path)
    pin = {"p": (el.Pin, {"v": "voltage", "i": "-current"})}

    class Circuit(tg.Component):
        """A source and the winding."""

        source = el.ConstantVoltage(V=12.0)
        winding = tg.read_fmu(path, connectors=pin)()
        ground = el.Ground()

        def connections(self) -> Any:
            yield self.source.p, self.winding.p
            yield self.source.n, self.ground.p

    found = tg.simulate(Circuit(), stop=1.0, rtol=1e-8)
    assert found["winding.p.i"] == pytest.approx(6.0 * (1.0 - np.exp(-4.0 * found.time)), abs=1e-6)
    wrong: list[tuple[Any, str]] = [
        ({"q": el.Pin}, "there is no terminal 'q'"),
        ({"p": (el.Pin, {"v": "voltage"})}, "nothing is known of its 'i'"),
        ({"p": (el.Pin, {"v": "voltage", "i": "voltage"})}, "all inputs, or all outputs"),
        ({"p": (el.Pin, {"v": "voltage", "i": "amps"})}, "'amps' is not a continuous scalar"),
        ({"p": "Pin"}, "needs the class of a connector"),
    ]
    for connectors, words in wrong:
        with pytest.raises(FmuError, match=words):
            tg.read_fmu(path, connectors=connectors)._info
    with pytest.raises(FmuError, match="keeps to itself"):
        tg.read_fmu(path, connectors=pin, kind="cs")


class Follower(tg.Component):
    """An output that follows the derivative of an input, through a connection or not."""

    u = tg.input()
    y = tg.output()

    def equations(self) -> Any:
        yield self.y == tg.der(self.u)


class Divider(tg.Component):
    """Two capacitors across a voltage from outside."""

    u = tg.input("V")
    source = el.SignalVoltage()
    upper = el.Capacitor(C=1.0)
    lower = el.Capacitor(C=1.0)
    ground = el.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.upper.p
        yield self.upper.n, self.lower.p
        yield self.source.n, self.lower.n, self.ground.p

    def equations(self) -> Any:
        yield self.source.u == self.u


@pytest.mark.parametrize(
    ("model", "ports", "code", "words"),
    [
        (Motor(), {"flange": "across"}, "E452", "the derivative of its input 'flange.phi'"),
        (Motor(), {"flange": "tau"}, "E451", "'across' makes flange.phi an input"),
        (Motor(), {"flang": "through"}, "E451", "perhaps you meant 'flange'"),
        (Follower(), None, "E452", "its input 'u'"),
        (Divider(), None, "E452", "its input 'u'"),
    ],
)
def test_what_cannot_be_signals(tmp_path: Path, model: Any, ports: Any, code: str, words: str) -> None:
    with pytest.raises(ExportError, match=words) as caught:
        tg.export_fmu(model, tmp_path / "model.fmu", ports=ports)
    assert caught.value.code == code


def test_mistakes_in_a_call(tmp_path: Path) -> None:
    with pytest.raises(tg.TellegenError, match="takes no 'kinds'"):
        tg.export_fmu(Network(), tmp_path / "model.fmu", kinds=("me",))  # type: ignore[call-arg]
    with pytest.raises(ExportError, match="cannot be written"):
        tg.export_fmu(Network(), tmp_path / "nowhere" / "model.fmu")
    tg.export_fmu(Network(), tmp_path / "model.fmu")
    assert tg.read_fmu(tmp_path / "model.fmu", variables="resistor.i").fmu.also == ("resistor.i",)


def test_ports_of_a_compiled_model(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="comes too late"):
        tg.export_fmu(tg.compile(Network()), tmp_path / "model.fmu", ports={"p": "across"})
