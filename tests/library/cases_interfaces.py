"""Power balance of interfaces of parts. See test_power_balance.py for how to add a case."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from library.case import Case
from tellegen.library import interfaces as parts
from tellegen.testing import VoltageDrive


def cell(model: Any) -> Any:
    """A cell without resistance that is driven a little below its voltage."""
    half = tg.variable(start=0.5, fixed=True)
    return model(R0=0.0, Qnom=40.0, V_empty=1.0, V_full=1.6, SOC_table=(0.0, 1.0), OCV_table=(1.0, 1.6), SOC=half)


def charge(c: Any) -> Any:
    """The energy of a cell whose voltage is linear in its charge."""
    return c.Qnom * (1.0 * c.SOC + 0.5 * 0.6 * c.SOC**2)


CASES = [
    Case(cell(parts.LinearCell), stored=charge, drive={"p": VoltageDrive(V=0.2, R=1.0)}),
    Case(cell(parts.TableCell), stored=charge, drive={"p": VoltageDrive(V=0.2, R=1.0)}),
    Case(parts.GearOfEfficiency(ratio=3.0, eta=0.8)),
]
_CLASSES: list[Any] = [getattr(parts, name) for name in parts.__all__]
EXEMPT: dict[type, str] = {
    **{cls: "made of components of the library, which have their cases" for cls in _CLASSES if cls._info.children},
    **{cls: "an interface: the laws are those of its implementations" for cls in _CLASSES if cls._is_interface},
    parts.LosslessSolarModule: "what the diode takes of the light is not shown; compared with photovoltaic.Module",
}
