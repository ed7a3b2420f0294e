"""Systems of FMUs: parts, connections, parameter values, and what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
