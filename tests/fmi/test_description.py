"""Model descriptions: read, written and read again; what is written satisfies the schemas of the standard."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import fmpy
import numpy as np
import pytest
from lxml import etree

import tellegen as tg
from tellegen.fmi.description import (
    Alias,
    Attributes,
    BaseUnit,
    CoSimulation,
    DefaultExperiment,
    Dimension,
    DisplayUnit,
    EnumerationItem,
    LogCategory,
    ModelDescription,
    ModelExchange,
    Origin,
    Structure,
    TypeDefinition,
    Unit,
    Unknown,
    Variable,
)
from tellegen.fmi.read_description import read_description
from tellegen.fmi.terminals import Terminal, TerminalMember, read_terminals, write_terminals
from tellegen.fmi.write_description import write_description

SCHEMAS = Path(fmpy.__file__).parent / "schema"

VARIABLES = (
    Variable("time", 0, causality="independent", attributes=Attributes(unit="s")),
    Variable("load.w", 1, attributes=Attributes(unit="rad/s", nominal=10.0), start=(0.5,), initial="exact"),
    Variable("der(load.w)", 2, derivative_of=1, initial="calculated"),
    Variable("motor.R", 3, causality="parameter", variability="tunable", start=(2.5e-3,), initial="exact"),
    Variable("on", 4, "Boolean", "input", "discrete", start=(True,)),
    Variable("count", 5, "Int32", "output", "discrete", "calculated", attributes=Attributes(maximum=7.0)),
    Variable("mode", 6, "Enumeration", "parameter", "fixed", "exact", declared_type="Mode", start=(2,)),
    Variable("file", 7, "String", "parameter", "fixed", "exact", start=('a "quoted" <name>',)),
    Variable("T", 8, declared_type="Temperature", aliases=(Alias("sensor.T", "measured", "degC"),)),
)
DESCRIPTION = ModelDescription(
    version="2.0",
    name="Drive",
    token="{1234}",
    variables=VARIABLES,
    structure=Structure(
        outputs=(Unknown(5, (1, 4), ("dependent", "dependent")),),
        derivatives=(Unknown(2, ()),),
        initial_unknowns=(Unknown(2), Unknown(5, (1,), ("dependent",))),
    ),
    model_exchange=ModelExchange("Drive", keeps_state=True, directional_derivatives=True, needs_completed_step=False),
    co_simulation=CoSimulation("Drive", variable_step=True, serializes_state=True, output_derivative_order=1),
    description="A drive & its load",
    origin=Origin(author="us", version="1.2", tool="tellegen"),
    structured_names=True,
    units=(
        Unit("s", BaseUnit((0, 0, 1, 0, 0, 0, 0, 0))),
        Unit("rad/s", BaseUnit((0, 0, -1, 0, 0, 0, 0, 1)), (DisplayUnit("rpm", 9.549296585513721),)),
        Unit("K", BaseUnit((0, 0, 0, 0, 1, 0, 0, 0)), (DisplayUnit("degC", 1.0, -273.15),)),
    ),
    types=(
        TypeDefinition("Mode", "Enumeration", items=(EnumerationItem("off", 1), EnumerationItem("on", 2, "it runs"))),
        TypeDefinition("Temperature", "Float64", Attributes("ThermodynamicTemperature", "K", "degC", minimum=0.0)),
    ),
    log_categories=(LogCategory("logEvents", "events"),),
    experiment=DefaultExperiment(0.0, 2.0, 1e-6, 0.01),
    event_indicator_count=3,
)
INDICATOR = Variable("z", 9)
ARRAY = Variable("cells", 10, start=(1.0, 2.0, float("inf")), dimensions=(Dimension(3),), initial="exact")
VERSION3 = replace(
    DESCRIPTION,
    version="3.0",
    variables=(*VARIABLES, INDICATOR, ARRAY),
    structure=replace(DESCRIPTION.structure, event_indicators=(Unknown(9, (1,), ("constant",)),)),
    event_indicator_count=1,
    co_simulation=CoSimulation("Drive", event_mode=True, intermediate_update=True, might_return_early=True),
)


def valid(data: bytes, schema: str) -> None:
    checker = etree.XMLSchema(etree.parse(SCHEMAS / schema))
    checker.assertValid(etree.fromstring(data))


def test_version_3_reads_back_as_itself() -> None:
    data = write_description(VERSION3)
    valid(data, "fmi3/fmi3ModelDescription.xsd")
    assert read_description(data, "drive.fmu") == VERSION3
    assert write_description(VERSION3) == data


def test_version_2_reads_back_with_aliases_as_variables() -> None:
    data = write_description(DESCRIPTION)
    valid(data, "fmi2/fmi2ModelDescription.xsd")
    found = read_description(data, "drive.fmu")
    assert found.variables[-1].name == "sensor.T"
    assert found.variables[-1].reference == found.variables[8].reference
    plain = tuple(replace(variable, aliases=()) for variable in VARIABLES)
    assert replace(found, variables=found.variables[:-1]) == replace(DESCRIPTION, variables=plain)
    assert write_description(found) == data


def test_attributes_of_the_declared_type() -> None:
    found = VERSION3.attributes_of(VERSION3.variables[8])
    assert found == Attributes("ThermodynamicTemperature", "K", "degC", minimum=0.0)


def test_terminals_read_back() -> None:
    pin = Terminal("p", (TerminalMember("p.v", "v", "signal"), TerminalMember("p.i", "i", "inflow")), "tellegen.Pin")
    bus = Terminal("bus", (), rule="bus", description="all of them", terminals=(pin,))
    data = write_terminals((pin, bus))
    valid(data, "fmi3/fmi3TerminalsAndIcons.xsd")
    assert read_terminals(data, "drive.fmu") == (pin, bus)


DAMAGES = {
    "version 1": ('fmiVersion="3.0"', 'fmiVersion="1.0"', "E880"),
    "no number": ('start="0.5"', 'start="half"', "E843"),
    "underscore": ('start="0.5"', 'start="1_0"', "E843"),
    "two alike": ('name="motor.R"', 'name="load.w"', "E843"),
    "same reference": ('valueReference="3"', 'valueReference="1"', "E843"),
    "no such variable": ('derivative="1"', 'derivative="77"', "E843"),
    "long reference": ('valueReference="3"', 'valueReference="4294967296"', "E843"),
    "no name": ('name="motor.R" ', "", "E843"),
    "wrong word": ('causality="parameter"', 'causality="parametre"', "E843"),
    "kinds": ('dependenciesKind="dependent dependent"', 'dependenciesKind="dependent"', "E843"),
    "not closed": ("</ModelVariables>", "", "E840"),
    "entities": ("<fmiModel", '<!DOCTYPE a [<!ENTITY b "c">]><fmiModel', "E841"),
    "another document": ("fmiModelDescription", "fmiModel", "E842"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_descriptions_are_our_errors_with_a_line(name: str) -> None:
    before, after, code = DAMAGES[name]
    text = write_description(VERSION3).decode()
    assert before in text
    with pytest.raises(tg.DocumentError) as caught:
        read_description(text.replace(before, after).encode(), "drive.fmu")
    assert caught.value.code == code
    assert caught.value.location is not None
    assert caught.value.location.line >= 1


def test_random_damage_of_descriptions_is_our_error() -> None:
    random = np.random.default_rng(7)
    for description in (DESCRIPTION, VERSION3):
        data = np.frombuffer(write_description(description), np.uint8)
        words = np.array([list(b'"<>=/ 0a-'), list(b"&;.:1x[]'")], np.uint8).ravel()
        for case in range(150):
            changed = data.copy()
            count = 1 + case % 6
            changed[random.integers(0, len(data), count)] = random.choice(words, count)
            with contextlib.suppress(tg.DocumentError):  # any other exception is a failure
                read_description(changed.tobytes(), "drive.fmu")
