"""A with the code model `zener`: a diode of three pieces, or of two where its leakage is large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import exp, log
from typing import Any

import tellegen as tg
from tellegen.importers.spice.netlist.sheet import GROUND, Element
from tellegen.library.electrical import OnePort
from tellegen.library.electrical.semiconductors.junction import exponential

DEFAULTS = {"i_breakdown": 2e-2, "r_breakdown": 1.0, "i_rev": 1e-6, "i_sat": 1e-12, "n_forward": 1.0}
_THERMAL = 0.026  # V
_AT_KNEE = 1e-6  # A
_STEEP = 10.0


class ThreePieceDiode(OnePort):
    """Forward an exponential down to v12, reverse one below v23, between them a straight line of the slope `leak`."""

    Is = tg.parameter(1e-12, "A", "saturation current")
    Vf = tg.parameter(0.026, "V", "voltage of the forward exponential")
    v12 = tg.parameter(0.0, "V", "end of the forward piece")
    leak = tg.parameter(0.0, "S", "slope of the middle piece")
    v23 = tg.parameter(0.0, "V", "end of the reverse piece")
    Ir = tg.parameter(0.0, "A", "current of the reverse exponential at v23")
    Vr = tg.parameter(1.0, "V", "voltage of the reverse exponential")
    g = tg.parameter(0.0, "S", "conductance beside it")

    def equations(self) -> Iterator[Any]:
        forward = self.Is * (exponential(tg.maximum(self.v, self.v12) / self.Vf) - 1.0)
        middle = self.leak * (tg.minimum(tg.maximum(self.v, self.v23), self.v12) - self.v12)
        reverse = self.Ir * (exponential((self.v23 - tg.minimum(self.v, self.v23)) / self.Vr) - 1.0)
        yield self.i == forward + middle - reverse + self.g * self.v


class TwoPieceDiode(OnePort):
    """A forward exponential above 0 V, a reverse one below, and a conductance on one side that makes slopes equal."""

    Is = tg.parameter(1e-12, "A", "saturation current")
    Vf = tg.parameter(0.026, "V", "voltage of the forward exponential")
    Ir = tg.parameter(0.0, "A", "current of the reverse exponential at 0 V")
    Vr = tg.parameter(1.0, "V", "voltage of the reverse exponential")
    g_above = tg.parameter(0.0, "S", "conductance above 0 V")
    g_below = tg.parameter(0.0, "S", "conductance below 0 V")

    def equations(self) -> Iterator[Any]:
        above, below = tg.maximum(self.v, 0.0), tg.minimum(self.v, 0.0)
        forward = self.Is * (exponential(above / self.Vf) - 1.0)
        reverse = self.Ir * (exponential(-below / self.Vr) - 1.0)
        yield self.i == forward - reverse + self.g_above * above + self.g_below * below


def put(element: Element, nodes: list[str], numbers: Mapping[str, list[float]]) -> None:
    """Add the diode between two nodes."""
    given = DEFAULTS | {key: value[0] for key, value in numbers.items() if value}
    if len(nodes) != 2 or "v_breakdown" not in given:
        raise element.wrong(f"'{element.name}' needs two nodes and v_breakdown=", "a1 anode cathode z")
    strange = [key for key in given if key not in (*DEFAULTS, "v_breakdown", "limit_switch")]
    if strange:
        raise element.wrong(
            f"'{strange[0]}' of the model of '{element.name}' is not known", f"it has {', '.join(DEFAULTS)}"
        )
    p, n = ("0" if node in GROUND else node for node in nodes)
    element.sheet.put(element.name, _made(given), element.location, p=p, n=n)


def _made(given: Mapping[str, float]) -> Any:
    breakdown, saturation = given["v_breakdown"], given["i_sat"]
    forward = given["n_forward"] * _THERMAL
    reverse = given["i_breakdown"] * given["r_breakdown"]
    g = given["i_rev"] / breakdown
    v12 = forward * log(forward / _STEEP)
    v23 = -breakdown + reverse * log(_STEEP / saturation / given["r_breakdown"])
    common = {"Is": saturation, "Vf": forward, "Vr": reverse}
    if v23 < v12:
        knee = -breakdown + reverse * log(given["i_breakdown"] / _AT_KNEE)
        at_v23 = _AT_KNEE * exp((knee - v23) / reverse)
        return partial(ThreePieceDiode, **common, v12=v12, leak=saturation / _STEEP, v23=v23, Ir=at_v23, g=g)
    at_zero = given["i_breakdown"] / (exp(breakdown / reverse) - 1.0)
    slopes = (saturation / forward, at_zero / reverse)
    above, below = max(slopes[1] - slopes[0], 0.0), max(slopes[0] - slopes[1], 0.0)
    return partial(TwoPieceDiode, **common, Ir=at_zero, g_above=above + g, g_below=below + g)
