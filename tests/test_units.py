"""The table of units is what pint says, to the last bit, and whatever is not in it is left to pint."""

from __future__ import annotations

import pytest

from tellegen.known_units import OFFSETS, SCALES
from tellegen.units import UnitTextError, parse_quantity, parse_unit, registry

TABLE = [text for scales in SCALES.values() for text in scales]
OTHERS = ("ozf.inch/A", "kg.m2/(s3.A2)", "W.s/(K.rad)", "degF", "furlong", "mm.rpm", " V ", "V ** 2", "m2.5/s")


def pint_unit(text: str) -> tuple[tuple[float, ...], float, float]:
    """Dimension, scale and offset by pint alone, in pint's notation; exponents follow letters in ours."""
    name = "dimensionless" if text == "1" else _pint_notation(text)
    ureg = registry()
    one = ureg.Quantity(1.0, name).to_base_units()
    zero = ureg.Quantity(0.0, name).to_base_units().magnitude
    bases = ("[length]", "[mass]", "[time]", "[current]", "[temperature]", "[substance]", "[luminosity]")
    dimension = tuple(float(one.dimensionality.get(base, 0)) for base in bases)
    return dimension, one.magnitude - zero, zero


def _pint_notation(text: str) -> str:
    if "**" in text:
        return text
    out = text.replace(".", "*").replace("Nm", "N*m").replace("Ohm", "ohm")
    for digit in "234":
        out = out.replace(digit, f"**{digit}")
    return out


def test_the_table_is_what_pint_says() -> None:
    for text in TABLE:
        unit = parse_unit(text)
        dimension, scale, offset = pint_unit(text)
        assert (unit.dimension, unit.offset) == (dimension, offset), text
        assert unit.scale == pytest.approx(scale, rel=1e-15), text  # pint multiplies: 1/cm3 is 999999.9999999999 there
        assert unit.text == text
        assert all(isinstance(exponent, float) for exponent in unit.dimension or ())


def test_the_table_names_every_unit_once() -> None:
    assert len(set(TABLE)) == len(TABLE) > 250
    assert set(OFFSETS) <= set(TABLE)


@pytest.mark.parametrize("text", OTHERS)
def test_other_units_are_left_to_pint(text: str) -> None:
    assert text not in TABLE
    assert parse_unit(text).dimension is not None


def test_quantities_by_the_table_and_by_pint_agree() -> None:
    assert parse_quantity("2.2 kohm", parse_unit("ohm")) == parse_quantity("2.2 kiloohm", parse_unit("ohm")) == 2200.0
    assert parse_quantity("20 degC", parse_unit("K")) == parse_quantity("20 degree_Celsius", parse_unit("K")) == 293.15


@pytest.mark.parametrize(
    "text",
    ["kg**9**9**9", "9**9**9", "m/9**9**9", "m**(9**9**9)", "(9**99)**99", "m**1e9", "m**200", "2 m", "NaN"],
)
def test_numbers_that_a_unit_does_not_have_are_rejected_at_once(text: str) -> None:
    """pint would compute the first ones for hours, and read `m**1e9` as a product with the charge of an electron."""
    with pytest.raises(UnitTextError):
        parse_unit(text)


@pytest.mark.parametrize("text", ["V**0.5", "m**(1/2)", "s^-2", "m**-1", "m-1", "1/(kg.K)", "1 / s", "kg/m**3"])
def test_numbers_that_a_unit_may_have(text: str) -> None:
    assert parse_unit(text).scale == 1.0
