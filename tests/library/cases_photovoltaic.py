"""Power balance of photovoltaics. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from library.cases_electrical import heated
from tellegen.library import photovoltaic as pv
from tellegen.testing import VoltageDrive


def light(c: Any) -> Any:
    """What the light current gives to the junctions."""
    return c.n_s * c.n_p * c.i_ph * c.v_d


def strong(offset: float, R: float = 2.0) -> VoltageDrive:
    return VoltageDrive(V=5.0, offset=offset, R=R)


CASES = [
    Case(
        pv.Module(n_s=2.0, n_p=3.0),
        supplied=light,
        drive=heated() | {"p": strong(50.0), "G": lambda t: 600.0 + 300.0 * tg.sin(4.0 * t)},
    ),
    Case(
        pv.Cell(),
        supplied=light,
        drive=heated() | {"p": VoltageDrive(V=0.2, offset=0.4, R=0.05), "n": VoltageDrive(V=0.0)},
    ),
    Case(
        pv.TrackingConverter(eta=0.9, v1=tg.variable(start=10.0)),
        drive={
            "p1": strong(20.0),
            "p2": strong(60.0, 0.2),
            "n2": VoltageDrive(V=2.0, R=0.2),
            "v_ref": lambda t: 12.0 + 8.0 * tg.sin(3.0 * t),
        },
    ),
]
