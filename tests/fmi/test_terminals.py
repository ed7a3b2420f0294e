"""Terminals of FMUs as connectors: FMUs connected with components of the library."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellegen as tg
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
