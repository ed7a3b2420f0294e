"""Terminals and icons of exported FMUs: the connectors of the model itself."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib.image
import pytest

import tellegen as tg
from tellegen.fmi.terminals import read_terminals
from tellegen.library import electrical as el
from tellegen.library import rotational as rot

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
etree = pytest.importorskip("lxml.etree")
pytest.importorskip("ziglang")


class Winding(tg.Component):
    """A winding with a shaft, whose pins and flange can be connected."""

    offset = tg.input("A")
    y = tg.output("A")
    p = el.Pin()
    n = el.Pin()
    flange = rot.Flange()
    source = el.ConstantVoltage(V=1.0)
    coil = el.Inductor(L=1.0)
    emf = el.EMF(k=1.0)
    load = rot.Inertia(J=1.0)
    ground = el.Ground()

    def connections(self) -> Iterator[Any]:
        """One mesh."""
        yield self.source.p, self.p, self.coil.p
        yield self.coil.n, self.emf.p
        yield self.source.n, self.emf.n, self.n, self.ground.p
        yield self.emf.flange, self.load.flange_a
        yield self.load.flange_b, self.flange

    def equations(self) -> Iterator[Any]:
        """What is measured."""
        yield self.y == self.coil.i + self.offset


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_connectors_are_terminals(tmp_path: Path, version: str) -> None:
    exported = tg.export_fmu(Winding(), tmp_path / "winding.fmu", version=version)
    assert validation.validate_fmu(str(exported.path)) == []
    folder = "terminalsAndIcons" if version == "3.0" else "extra/org.fmi-standard.fmi-ls-terminals"
    with zipfile.ZipFile(exported.path) as archive:
        text, png, svg = (
            archive.read(f"{folder}/{name}") for name in ("terminalsAndIcons.xml", "icon.png", "icon.svg")
        )
    terminals = {each.name: each for each in read_terminals(text, "terminalsAndIcons.xml")}
    assert set(terminals) == {"p", "n", "flange"}
    members = [(each.variable, each.member, each.kind) for each in terminals["flange"].members]
    assert members == [("flange.phi", "phi", "signal"), ("flange.tau", "tau", "inflow")]
    assert terminals["p"].kind == terminals["n"].kind != terminals["flange"].kind
    listed = {each.name for each in fmpy.read_model_description(str(exported.path)).modelVariables}
    assert {member.variable for each in terminals.values() for member in each.members} <= listed
    assert matplotlib.image.imread(BytesIO(png)).shape == (200, 200, 3)
    assert b"Winding" in svg
    spec = find_spec("fmpy")
    assert spec is not None
    assert spec.origin is not None
    schema = Path(spec.origin).parent / "schema" / "fmi3" / "fmi3TerminalsAndIcons.xsd"
    etree.XMLSchema(etree.parse(str(schema))).assertValid(etree.fromstring(text))


def test_structural_parameters_are_listed_in_the_documentation(tmp_path: Path) -> None:
    class Rod(tg.Component):
        n = tg.parameter(3, structural=True)
        T = tg.variable(start=1.0, fixed=True, shape=n)

        def equations(self) -> Iterator[Any]:
            for k in range(self.n):
                yield tg.der(self.T[k]) == -self.T[k]

    exported = tg.export_fmu(Rod(n=4), tmp_path / "rod.fmu", kind=("cs",))
    with zipfile.ZipFile(exported.path) as archive:
        assert "<li>n = 4" in archive.read("documentation/index.html").decode()
    assert not any(each.causality == "structuralParameter" for each in exported.description.variables)
