"""The shipped catalogue: every part names its source and date, and its numbers agree with each other."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import tellegen as tg
from tellegen.catalogue.load import SHIPPED
from tellegen.catalogue.preferred_values import E6, E24
from tellegen.library import interfaces

PARTS = list(tg.catalogue())
READ = [part for part in PARTS if "generated" not in part.tags]
FAMILIES = sorted({part.family for part in PARTS})


def of(family: str) -> Iterator[tg.Part]:
    return (part for part in PARTS if part.family == family)


def test_there_are_many_parts_of_several_families() -> None:
    assert len(READ) >= 300
    assert len({part.family for part in READ}) >= 8


@pytest.mark.parametrize("family", FAMILIES)
def test_parts_are_complete(family: str) -> None:
    """Source with repository, file and commit; date; an interface that exists, numbers that convert, limits above 0."""
    for part in of(family):
        assert re.search(r"github\.com/\S+/\S+, .+, commit [0-9a-f]{12}", part.source), part.name
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", part.date), part.name
        assert part.interface is getattr(interfaces, part.family)
        numbers = [value for value in part.parameters.values() if isinstance(value, float)]
        assert numbers, part.name
        assert all(math.isfinite(value) and value >= 0.0 for value in numbers), part.name
        assert all(quantity.value > 0.0 for quantity in part.limits.values()), part.name


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family_has_implementations_of_different_detail(family: str) -> None:
    assert len(getattr(interfaces, family).implementations) >= 2


def test_documents_state_their_sources_once() -> None:
    for path in SHIPPED.glob("*.toml"):
        document = tomllib.loads(path.read_text(encoding="utf-8"))
        assert all(source["where"] and source["date"] for source in document["sources"].values())
        used = {part["source"] for family in document["family"] for part in family["parts"].values()}
        assert used == set(document["sources"])


def test_the_files_are_as_a_catalogue_writes_them(tmp_path: Path) -> None:
    for path in SHIPPED.glob("*.toml"):
        tg.catalogue(path).save(tmp_path / path.name)
        assert (tmp_path / path.name).read_text() == path.read_text()


def test_motors_keep_the_balance_of_voltages() -> None:
    """k times the speed without load is what the current without load leaves of the nominal voltage, within 7 %.

    Data sheets round constants to two or three digits, and speeds without load are measured ones.
    """
    for motor in of("DCMotorInterface"):
        p = motor.parameters
        voltage = motor.limits["voltage_nominal"].to("V")
        induced = p["k"] * motor.limits["speed_no_load"].to("rad/s")
        assert induced == pytest.approx(voltage - p["R"] * p["I0"], rel=0.07), motor.name
        assert motor.limits["torque_max"].to("N.m") <= motor.limits["torque_stall"].to("N.m")
        assert motor.limits["torque_max"].to("N.m") == pytest.approx(
            p["k"] * motor.limits["current_max"].to("A"), rel=1e-3
        )
        assert p["I0"] < motor.limits["current_max"].to("A") < voltage / p["R"]


def test_limits_agree_with_each_other() -> None:
    for gear in of("GearboxInterface"):
        assert gear.parameters["ratio"] >= 1.0
        assert 0.3 < gear.parameters["eta"] <= 1.0
        if "torque_peak" in gear.limits:
            assert gear.limits["torque_max"].value <= gear.limits["torque_peak"].to("N.m")
    for cell in of("BatteryCellInterface"):
        assert cell.parameters["V_empty"] < cell.parameters["V_full"]
        assert cell.limits["voltage_min"].value < cell.limits["voltage_max"].value
        assert list(cell.parameters.get("SOC_table", ())) == sorted(cell.parameters.get("SOC_table", ()))
        assert list(cell.parameters.get("OCV_table", ())) == sorted(cell.parameters.get("OCV_table", ()))
    for spring in of("SpringInterface"):
        travel = spring.parameters["L0"] - spring.limits["length_solid"].to("m")
        assert spring.limits["force_solid"].to("N") == pytest.approx(spring.parameters["c"] * travel, rel=2e-3)
        assert spring.limits["wire_diameter"].value < spring.limits["outer_diameter"].to("mm") / 2
    for transistor in of("NMOSInterface"):
        series = transistor.parameters["Rd"] + transistor.parameters["Rs"]
        assert series <= 1.2 * transistor.parameters["Ron"], transistor.name
    for medium in of("FluidLayerInterface"):
        assert medium.parameters["cp"] >= medium.limits["cv"].value


def test_solar_modules_have_their_three_points() -> None:
    """The single-diode model passes through short circuit, open circuit and the maximum of power that were read."""
    for module in of("SolarModuleInterface"):
        p = module.parameters
        a = p["N"] * p["Ns"] * 1.380649e-23 * 298.15 / 1.602176634e-19
        points = {
            "short circuit": (0.0, module.limits["current_sc"].value),
            "open circuit": (module.limits["voltage_oc"].value, 0.0),
            "maximum": (module.limits["voltage_mp"].value, module.limits["current_mp"].value),
        }
        for name, (v, i) in points.items():
            junction = v + p["Rs"] * i
            current = p["Iph_ref"] - p["I0_ref"] * math.expm1(junction / a) - junction / p["Rsh"]
            assert current == pytest.approx(i, abs=1e-4 * p["Iph_ref"]), f"{module.name}: {name}"
        assert module.limits["power_max"].value == pytest.approx(math.prod(points["maximum"]), rel=1e-3)


def test_generated_values_are_marked_and_of_the_series() -> None:
    resistors = list(of("ResistorInterface"))
    capacitors = list(of("CapacitorInterface"))
    assert (len(resistors), len(capacitors)) == (7 * 24, 8 * 6)
    for part in (*resistors, *capacitors):
        assert part.source.startswith("generated: ")
        assert "generated" in part.tags
    for part, parameter, series in [*((r, "R", E24) for r in resistors), *((c, "C", E6) for c in capacitors)]:
        mantissa = part.parameters[parameter] / 10 ** math.floor(math.log10(part.parameters[parameter] * (1 + 1e-9)))
        assert round(10 * mantissa, 6) in series
        _, number, unit = part.name.split()
        assert tg.Part("x", part.family, {parameter: f"{number} {unit}"}).parameters == pytest.approx(part.parameters)
    assert all(abs(value / 10 - 10 ** (k / 24)) < 0.31 for k, value in enumerate(E24))
    assert E6 == E24[::4]
