"""Systems of FMUs: parts, connections, parameter values, and what does not fit."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import fmpy
import pytest
from lxml import etree

import tellegen as tg
from tellegen.fmi.archive import write_archive

NAMESPACES = (
    'xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription" '
    'xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"'
)
SYSTEM = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription {NAMESPACES} version="1.0" name="Loop">
  <ssd:System name="Loop">
    <ssd:Connectors><ssd:Connector name="wanted" kind="input"/></ssd:Connectors>
    <ssd:ParameterBindings><ssd:ParameterBinding source="values.ssv"/></ssd:ParameterBindings>
    <ssd:Elements>
      <ssd:Component name="gain" source="resources/gain.fmu" type="application/x-fmu-sharedlibrary">
        <ssd:Connectors><ssd:Connector name="u" kind="input"/><ssd:Connector name="y" kind="output"/></ssd:Connectors>
        <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues><ssv:ParameterSet version="1.0" name="a">
          <ssv:Parameters><ssv:Parameter name="k"><ssv:Real value="3"/></ssv:Parameter></ssv:Parameters>
        </ssv:ParameterSet></ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
      </ssd:Component>
      <ssd:Component name="lag" source="resources/lag.fmu"/>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startConnector="wanted" endElement="gain" endConnector="u">
        <ssd:LinearTransformation factor="2" offset="1"/>
      </ssd:Connection>
      <ssd:Connection startElement="gain" startConnector="y" endElement="lag" endConnector="u"/>
    </ssd:Connections>
  </ssd:System>
</ssd:SystemStructureDescription>
"""
VALUES = f"""<ssv:ParameterSet {NAMESPACES} version="1.0" name="values">
  <ssv:Parameters><ssv:Parameter name="lag.T"><ssv:Real value="0.5"/></ssv:Parameter></ssv:Parameters>
</ssv:ParameterSet>
"""


class Gain(tg.Component):
    """A factor."""

    u = tg.input()
    y = tg.output()
    k = tg.parameter(1.0)

    def equations(self) -> Any:
        yield self.y == self.k * self.u


class Lag(tg.Component):
    """A first-order lag."""

    u = tg.input()
    y = tg.output()
    T = tg.parameter(1.0, "s")
    x = tg.variable(start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.T * tg.der(self.x) == self.u - self.x
        yield self.y == self.x


@pytest.fixture(scope="module")
def fmus(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("fmus")
    for name, model in (("gain", Gain()), ("lag", Lag())):
        tg.export_fmu(model, folder / f"{name}.fmu")
    return {f"resources/{name}.fmu": (folder / f"{name}.fmu").read_bytes() for name in ("gain", "lag")}


def written(path: Path, fmus: dict[str, bytes], system: str = SYSTEM) -> Path:
    write_archive(path, {"SystemStructure.ssd": system.encode(), "values.ssv": VALUES.encode(), **fmus})
    return path


def test_a_system_of_two_fmus(tmp_path: Path, fmus: dict[str, bytes]) -> None:
    system = tg.read_ssp(written(tmp_path / "loop.ssp", fmus))

    class Rig(tg.Component):
        """The system with an input."""

        loop = system()

        def equations(self) -> Any:
            yield self.loop.wanted == 1.0

    found = tg.simulate(Rig(), stop=1.0, rtol=1e-8)
    steady = 3.0 * (2.0 * 1.0 + 1.0)
    assert found["loop.lag.y"][-1] == pytest.approx(steady * (1.0 - 2.718281828459045**-2.0), rel=1e-6)


def test_values_of_variables_are_their_starts(tmp_path: Path, fmus: dict[str, bytes]) -> None:
    start = '<ssv:Parameter name="lag.x"><ssv:Real value="4"/></ssv:Parameter></ssv:Parameters>'
    values = VALUES.replace("</ssv:Parameters>", start)
    path = tmp_path / "started.ssp"
    write_archive(path, {"SystemStructure.ssd": SYSTEM.encode(), "values.ssv": values.encode(), **fmus})

    class Rig(tg.Component):
        """The system without an input that moves it."""

        loop = tg.read_ssp(path)()

        def equations(self) -> Any:
            yield self.loop.wanted == -0.5

    found = tg.simulate(Rig(), stop=1.0, rtol=1e-8)
    assert found["loop.lag.y"][0] == pytest.approx(4.0)
    assert found["loop.lag.y"][-1] == pytest.approx(4.0 * 2.718281828459045**-2.0, rel=1e-6)


MISTAKES = {
    "connector": ('endConnector="u"/>', 'endConnector="w"/>', "no connector 'w'"),
    "part": ('endElement="lag"', 'endElement="leg"', "no part 'leg'"),
    "parameter": ('name="k"', 'name="kk"', "no parameter 'kk'"),
    "file": ("resources/lag.fmu", "resources/leg.fmu", "not in the archive"),
    "kind of part": ("application/x-fmu-sharedlibrary", "application/x-other", "is not an FMU"),
    "transformation": ("ssd:LinearTransformation", "ssd:BooleanMappingTransformation", "not supported"),
    "value": ('<ssv:Real value="3"/>', '<ssv:Real value="three"/>', "is not a number"),
    "document": ("ssd:SystemStructureDescription", "ssd:Other", "does not describe a system"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_what_does_not_fit_is_named(name: str, tmp_path: Path, fmus: dict[str, bytes]) -> None:
    before, after, message = MISTAKES[name]
    assert before in SYSTEM
    path = written(tmp_path / "loop.ssp", fmus, SYSTEM.replace(before, after))
    with pytest.raises(tg.DocumentError, match=message):
        tg.simulate(tg.read_ssp(path)(), stop=1.0)


def system_of(folder: Path, fmus: dict[str, bytes]) -> Any:
    """Two lags after a gain, one of them in a system of its own, around a loop with a factor and an offset."""
    for name, content in fmus.items():
        (folder / Path(name).name).write_bytes(content)
    Amplifier = tg.read_fmu(folder / "gain.fmu")
    Delay = tg.read_fmu(folder / "lag.fmu")

    class Inner(tg.Component):
        """A lag in a system."""

        u = tg.input()
        y = tg.output()
        first = Delay(T="500 ms")

        def equations(self) -> Any:
            yield self.first.u == self.u
            yield self.y == self.first.y

    class Outer(tg.Component):
        """A loop."""

        wanted = tg.input()
        gain = Amplifier(k=3.0)
        lag = Delay(T=0.5)
        inner = Inner()

        def equations(self) -> Any:
            yield self.gain.u == 2.0 * (self.wanted - 0.25) + 1.0
            yield self.gain.y == self.lag.u
            yield self.inner.u == -self.lag.y / 2.0

    class Rig(tg.Component):
        """With an input."""

        def equations(self) -> Any:
            yield self.loop.wanted == 1.0

    return Outer, Rig


def last_values(rig: Any, system: Any) -> list[float]:
    made = type("Whole", (rig,), {"loop": system})
    found = tg.simulate(made(), stop=1.0, rtol=1e-8)
    return [found[f"loop.{name}"][-1] for name in ("gain.y", "lag.y", "inner.first.y")]


@pytest.mark.parametrize("how", [{}, {"values_apart": True}, {"shared": {"T": ["lag.T", "inner.first.T"]}}])
def test_what_is_written_is_read_back(how: Any, tmp_path: Path, fmus: dict[str, bytes]) -> None:
    outer, rig = system_of(tmp_path, fmus)
    path = tmp_path / "outer.ssp"
    tg.write_ssp(outer(), path, stop=1.0, **how)
    assert last_values(rig, tg.read_ssp(path)()) == last_values(rig, outer())
    again = tmp_path / "again.ssp"
    tg.write_ssp(tg.read_ssp(path)(), again, stop=1.0, **how)
    names = zipfile.ZipFile(path).namelist()
    assert names == zipfile.ZipFile(again).namelist()
    for name in names:
        assert zipfile.ZipFile(path).read(name) == zipfile.ZipFile(again).read(name)
        validate(name, zipfile.ZipFile(path).read(name))


def validate(name: str, content: bytes) -> None:
    """By the schemas of the standard, which FMPy brings."""
    schemas = {
        ".ssd": "SystemStructureDescription.xsd",
        ".ssv": "SystemStructureParameterValues.xsd",
        ".ssm": "SystemStructureParameterMapping.xsd",
    }
    schema = schemas.get(Path(name).suffix)
    if schema is not None:
        folder = Path(fmpy.__file__).parent / "ssp" / "schema"
        etree.XMLSchema(etree.parse(folder / schema)).assertValid(etree.fromstring(content))


def test_what_cannot_be_written(tmp_path: Path, fmus: dict[str, bytes]) -> None:
    outer, _ = system_of(tmp_path, fmus)
    gain = type(outer().gain)

    class Squared(tg.Component):
        """A connection that SSP cannot express."""

        a = gain(k=2.0)
        b = gain()

        def equations(self) -> Any:
            yield self.a.u == self.b.y**2

    class Own(tg.Component):
        """A part with equations of its own."""

        own = Gain()

    for system, message in ((Squared(), "is not a connection"), (Own(), "not made of FMUs"), (Gain(), "not made of")):
        with pytest.raises(tg.DocumentError, match=message) as raised:
            tg.write_ssp(system, tmp_path / "bad.ssp")
        assert raised.value.code == "E891"
        assert not (tmp_path / "bad.ssp").exists()
    with pytest.raises(tg.DocumentError, match=r"no value 'lag.k'"):
        tg.write_ssp(outer(), tmp_path / "bad.ssp", shared={"k": ["lag.k"]})
    with pytest.raises(tg.DocumentError, match="needs one value"):
        tg.write_ssp(outer(), tmp_path / "bad.ssp", shared={"k": ["lag.T", "gain.k"]})
