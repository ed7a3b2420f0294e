"""A difference of temperatures given in degC: "2 degC" is 275.15 K, and 2 K are meant."""

from __future__ import annotations

import warnings

import pytest

import tellegen as tg
from tellegen.ir.temperatures import is_difference
from tellegen.units import parse_unit


class Room(tg.Component):
    """Settles at what is outside and dT."""

    T = tg.variable("K", start=293.15, fixed=True)
    tau = tg.parameter(1.0, "s")
    dT = tg.parameter(5.0, "K", "band of the thermostat")
    T_outside = tg.parameter(273.15, "K", "temperature outside")

    def equations(self):
        yield self.tau * tg.der(self.T) == self.T_outside + self.dT - self.T


def test_a_difference_in_degrees_celsius_is_warned_of() -> None:
    with pytest.warns(UserWarning, match=r"dT.*'2 degC' is an absolute temperature, 275\.15 K.*difference: '2 K'"):
        tg.simulate(Room(dT="2 degC"), 1.0)


def test_so_is_one_given_to_a_run() -> None:
    with pytest.warns(UserWarning, match=r"'dT'.*'9 degF' is an absolute temperature.*'5 K'"):
        tg.simulate(Room(), 1.0, parameters={"dT": "9 degF"})


def test_temperatures_in_degrees_and_differences_in_kelvin_are_fine() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tg.simulate(Room(dT="2 K", T_outside="-5 degC"), 1.0, parameters={"dT": "3 K", "T_outside": "-10 degC"})


@pytest.mark.parametrize(
    ("name", "description", "expected"),
    [
        ("dT", "", True),
        ("dT_nominal", "", True),
        ("delta_T", "", True),
        ("T_rise", "", True),
        ("superheat", "temperature difference at the outlet", True),
        ("T", "temperature of the port", False),
        ("T_start", "temperature at the start", False),
        ("Ta_nominal", "temperature of the armature in the rated point", False),
        ("diameter", "", False),
        ("T_melt", "melting point", False),
    ],
)
def test_what_counts_as_a_difference(name: str, description: str, expected: bool) -> None:
    assert is_difference(name, description, parse_unit("K")) == expected
    assert not is_difference(name, description, parse_unit("degC"))
    assert not is_difference(name, description, parse_unit("m"))
