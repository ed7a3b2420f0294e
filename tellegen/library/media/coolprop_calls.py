"""CoolProp as external functions: one flash gives all values and all exact derivatives, and is cached.

A function of pressure and enthalpy is asked for its values and, when a solver wants a Jacobian, for its slopes, at the
same points; finding the state there (the flash, 3 to 200 microseconds) is what costs. So one call computes both, and
the last few thousand answers are kept. Slopes are CoolProp's analytic ones in one phase; in two phases they follow from
the saturation curves, along which everything is linear in h:

    v = v' + (h - h') (v'' - v')/(h'' - h'),    T = T_sat(p),    ds = dh/T - v dp/T  everywhere

CoolProp states are not thread-safe; every thread has its own.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import tellegen as tg
from tellegen.frontends.python.expressions.refusal import refused

REMEMBERED = 8192
NEAR_CRITICAL = 0.9995
"""Saturation is held at this part of the critical pressure: beyond, liquid and vapour are the same."""

Pair = tuple[float, float]
Answer = tuple[tuple[float, ...], tuple[Pair, ...]]
"""Values, and for each its slopes by the two arguments."""

_THREAD = threading.local()


def coolprop() -> Any:
    """The package, or the error that says how to get it."""
    try:
        import CoolProp
    except ImportError:
        advice = "pip install 'tellegen[coolprop]'; ideal gases, moist air and liquids work without it"
        raise refused("E194", "real fluids need the package CoolProp, which is not on this machine", advice) from None
    return CoolProp


def state_of(name: str) -> Any:
    """This thread's AbstractState of a fluid."""
    states = _THREAD.__dict__.setdefault("states", {})
    if name not in states:
        try:
            states[name] = coolprop().AbstractState("HEOS", name)
        except ValueError as error:
            reason = str(error).splitlines()[0][:120]
            advice = "take a name such as 'R134a', 'Water', 'CO2', 'R290' or 'Ammonia'"
            raise refused("E706", f"CoolProp has no fluid {name!r}: {reason}", advice) from None
    return states[name]


def find(state: Any, name: str, inputs: int, first: float, second: float) -> None:
    """The flash; where there is no such state, in the words of a run that ends for it."""
    try:
        state.update(inputs, first, second)
    except ValueError as error:
        CP = coolprop()
        words = {
            CP.HmassP_INPUTS: f"h = {first:.6g} J/kg, p = {second:.6g} Pa",
            CP.PSmass_INPUTS: f"p = {first:.6g} Pa, s = {second:.6g} J/(kg.K)",
            CP.PT_INPUTS: f"p = {first:.6g} Pa, T = {second:.6g} K",
        }
        what = f"CoolProp finds no state of {name} at {words.get(inputs, 'this pressure')}"
        reason = [str(error).splitlines()[0]]
        advice = "keep the model in the range of the fluid, or look for what leads out of it: a start value, a sign"
        raise tg.RunFailedError("E310", what, details=reason, advice=advice) from None


def is_two_phase(state: Any) -> bool:
    """Whether liquid and vapour are there."""
    return state.phase() == coolprop().iphase_twophase


@lru_cache(maxsize=REMEMBERED)
def of_ph(name: str, p: float, h: float) -> Answer:
    """T, d, s and the slopes of d by p and by h, with the slopes of all five."""
    CP = coolprop()
    state = state_of(name)
    find(state, name, CP.HmassP_INPUTS, h, p)
    T = state.T()
    d = state.rhomass()
    s = state.smass()
    if is_two_phase(state):
        T_p = state.first_saturation_deriv(CP.iT, CP.iP)
        T_h = 0.0
        d_p = state.first_two_phase_deriv(CP.iDmass, CP.iP, CP.iHmass)
        d_h = state.first_two_phase_deriv(CP.iDmass, CP.iHmass, CP.iP)
        d_ph = state.second_two_phase_deriv(CP.iDmass, CP.iHmass, CP.iP, CP.iP, CP.iHmass)
        d_hh = 2.0 * d_h**2 / d  # v is linear in h
        d_pp = _curvature(state, name, p, h)
    else:
        T_p = state.first_partial_deriv(CP.iT, CP.iP, CP.iHmass)
        T_h = state.first_partial_deriv(CP.iT, CP.iHmass, CP.iP)
        d_p = state.first_partial_deriv(CP.iDmass, CP.iP, CP.iHmass)
        d_h = state.first_partial_deriv(CP.iDmass, CP.iHmass, CP.iP)
        d_pp = state.second_partial_deriv(CP.iDmass, CP.iP, CP.iHmass, CP.iP, CP.iHmass)
        d_ph = state.second_partial_deriv(CP.iDmass, CP.iP, CP.iHmass, CP.iHmass, CP.iP)
        d_hh = state.second_partial_deriv(CP.iDmass, CP.iHmass, CP.iP, CP.iHmass, CP.iP)
    slopes = ((T_p, T_h), (d_p, d_h), (-1.0 / (d * T), 1.0 / T), (d_pp, d_ph), (d_ph, d_hh))
    return (T, d, s, d_p, d_h), slopes


def _curvature(state: Any, name: str, p: float, h: float) -> float:
    """The second slope of d by p in two phases, which CoolProp does not give: a central difference of the first."""
    CP = coolprop()
    step = 1e-4 * p
    found = []
    for there in (p - step, p + step):
        find(state, name, CP.HmassP_INPUTS, h, there)
        if not is_two_phase(state):
            return 0.0  # at the edge of the two phases, where it jumps anyway
        found.append(state.first_two_phase_deriv(CP.iDmass, CP.iP, CP.iHmass))
    return (found[1] - found[0]) / (2.0 * step)


@lru_cache(maxsize=REMEMBERED)
def of_pT(name: str, p: float, T: float) -> Answer:
    """h of a single phase."""
    CP = coolprop()
    state = state_of(name)
    find(state, name, CP.PT_INPUTS, p, T)
    slopes = (state.first_partial_deriv(CP.iHmass, CP.iP, CP.iT), state.cpmass())
    return (state.hmass(),), (slopes,)


@lru_cache(maxsize=REMEMBERED)
def of_ps(name: str, p: float, s: float) -> Answer:
    """h at an entropy: dh = v dp + T ds."""
    CP = coolprop()
    state = state_of(name)
    find(state, name, CP.PSmass_INPUTS, p, s)
    return (state.hmass(),), ((1.0 / state.rhomass(), state.T()),)


@lru_cache(maxsize=REMEMBERED)
def saturated(name: str, p: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """T, then h, d and s of boiling liquid, then of dry vapour; and their slopes along the curve."""
    CP = coolprop()
    state = state_of(name)
    held = min(max(p, 1.0001 * state.trivial_keyed_output(CP.iP_min)), NEAR_CRITICAL * state.p_critical())
    values = []
    slopes = []
    for quality in (0.0, 1.0):
        find(state, name, CP.PQ_INPUTS, held, quality)
        keys = (CP.iT, CP.iHmass, CP.iDmass, CP.iSmass)[0 if quality == 0.0 else 1 :]
        values += [state.keyed_output(key) for key in keys]
        slopes += [state.first_saturation_deriv(key, CP.iP) if held == p else 0.0 for key in keys]
    return tuple(values), tuple(slopes)


@lru_cache(maxsize=REMEMBERED)
def transport_of_ph(name: str, p: float, h: float) -> tuple[float, ...]:
    """Viscosity, conductivity, cp and cv; in two phases of liquid and vapour by quality (of viscosity the inverse)."""
    CP = coolprop()
    state = state_of(name)
    find(state, name, CP.HmassP_INPUTS, h, p)
    if not is_two_phase(state):
        return (state.viscosity(), state.conductivity(), state.cpmass(), state.cvmass())
    x = state.Q()
    ends = []
    for quality in (0.0, 1.0):
        find(state, name, CP.PQ_INPUTS, p, quality)
        ends.append((state.viscosity(), state.conductivity(), state.cpmass(), state.cvmass()))
    (mu, *liquid), (mu_v, *vapour) = ends
    return (1.0 / ((1.0 - x) / mu + x / mu_v), *((1.0 - x) * a + x * b for a, b in zip(liquid, vapour, strict=True)))


@dataclass(frozen=True)
class Values:
    """One of the functions above for one fluid, as the values alone; an object that other processes can be sent."""

    which: str
    name: str

    @property
    def __name__(self) -> str:
        return f"{self.name}_{self.which}"

    def __call__(self, *at: float) -> Any:
        found = _ANSWERS[self.which](self.name, *at)[0]
        return found if len(found) > 1 else found[0]


@dataclass(frozen=True)
class Slopes(Values):
    """The slopes alone."""

    def __call__(self, *at: float) -> Any:
        found = _ANSWERS[self.which](self.name, *at)[1]
        return found if len(found) > 1 else found[0]


def _saturated(name: str, p: float) -> Any:
    values, slopes = saturated(name, p)
    return values, tuple((slope,) for slope in slopes)


def _transport(name: str, p: float, h: float) -> Any:
    return transport_of_ph(name, p, h), None


_ANSWERS: dict[str, Any] = {
    "ph": of_ph,
    "pT": of_pT,
    "ps": of_ps,
    "saturated": _saturated,
    "transport": _transport,
}
