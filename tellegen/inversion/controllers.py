"""Controllers that contain the inverse of their plant: for one reference r, one measured y and one input u.

    two degrees of freedom     u = P^-1 F r + C (F r - y)                    F: the filter of the inverse
    model following            u = P^-1 M r + C (M r - y)                    M: a block that says how y is to follow r
    feedback linearization     u = P^-1 with y^(n) = v,   v = r^(n) + sum of c_k (r^(k) - y^(k))
    disturbance observer       u = command - (F P^-1 y - F u)                what else acts on the plant, as an input

P^-1 is what tg.inverse has made; whatever the plant is, the structures are the same (Otter, "Modeling, Simulation and
Control with Modelica", section on inverse models).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import Any

import tellegen as tg
from tellegen.errors import DesignError, users_call
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.duplicate import duplicate
from tellegen.inversion.inverse import InverseModel
from tellegen.inversion.inverse_class import Signal, derivative_name, with_inputs, with_signals
from tellegen.inversion.plant_members import member_at
from tellegen.inversion.reference_filter import SteadyFilter
from tellegen.ir.source_location import here
from tellegen.library import blocks


@users_call
def two_degrees_of_freedom(inverse: InverseModel, controller: Component) -> Any:
    """Feed-forward by an inverse with a filter, and feedback of what is left: inputs r and y, output u.

    `controller` is a block from the error to the input of the plant: blocks.PI(k=2.0, T=0.1).
    """
    given, found = _pair(inverse, needs_filter=True)

    def equations(self: Any) -> Iterator[Any]:
        yield self.error == member_at(self.forward.plant, given.path) - self.y
        yield self.controller.u == self.error
        yield self.u == getattr(self.forward, found.name) + self.controller.y

    def connections(self: Any) -> Iterator[Any]:
        yield self.r, getattr(self.forward, given.name)

    members = {"forward": duplicate(inverse), "controller": controller, "error": _declared(tg.variable, given)}
    return _made("TwoDegreesOfFreedom", inverse, members, equations, connections)


@users_call
def model_following(inverse: InverseModel, model: Component, controller: Component) -> Any:
    """The plant follows a block `model` from r to the wanted y, whose output the inverse differentiates.

    The block must have as many poles more than zeros as the relative degree: blocks.SecondOrder(w=20.0, D=1.0) has two.
    """
    given, found = _pair(inverse)

    def equations(self: Any) -> Iterator[Any]:
        yield getattr(self.forward, given.name) == self.model.y
        yield self.error == self.model.y - self.y
        yield self.controller.u == self.error
        yield self.u == getattr(self.forward, found.name) + self.controller.y

    def connections(self: Any) -> Iterator[Any]:
        yield self.r, self.model.u

    forward = with_signals(inverse._plan, Component)()
    members = {"forward": forward, "model": model, "controller": controller, "error": _declared(tg.variable, given)}
    return _made("ModelFollowing", inverse, members, equations, connections)


@users_call
def feedback_linearization(inverse: InverseModel, pole: float) -> Any:
    """With y and its derivatives measured the plant becomes a chain of integrators, and its error decays with `pole`.

    Inputs are r, which goes through the filter of the inverse, and y, der_y, ... below the relative degree n; u is the
    output. The error obeys (d/dt + pole)^n e = 0, with the pole in 1/s.
    """
    given, found = _pair(inverse, needs_filter=True)
    degree = inverse.relative_degrees[0].degree
    if degree == 0 or not pole > 0.0:
        what = f"pole={pole!r} for a relative degree of {degree}"
        raise DesignError("E680", what, location=here(), advice="give a positive pole; a degree of 0 needs no feedback")

    def equations(self: Any) -> Iterator[Any]:
        yield self.r_0 == self.smooth.y
        for k in range(1, degree + 1):
            yield getattr(self, f"r_{k}") == tg.der(getattr(self, f"r_{k - 1}"))
        wanted = getattr(self, f"r_{degree}")
        for k in range(degree):
            measured = self.y if k == 0 else getattr(self, _measured_name(k))
            yield getattr(self.law, derivative_name(given, k)) == measured
            error = getattr(self, f"r_{k}") - measured
            wanted = wanted + comb(degree, k) * self.pole ** (degree - k) * error
        yield getattr(self.law, derivative_name(given, degree)) == wanted
        yield self.u == getattr(self.law, found.name)

    def connections(self: Any) -> Iterator[Any]:
        yield self.r, self.smooth.u

    members: dict[str, Any] = {f"r_{k}": tg.variable() for k in range(degree + 1)}
    members |= {_measured_name(k): tg.input(description=f"derivative {k} of y, measured") for k in range(1, degree)}
    members["pole"] = tg.parameter(pole, description="with which the error decays, in 1/s")
    members["law"] = with_inputs(inverse._plan, Component, {given.path: degree})()
    members["smooth"] = _filter_of(inverse, SteadyFilter)
    return _made("FeedbackLinearization", inverse, members, equations, connections)


@users_call
def disturbance_observer(inverse: InverseModel) -> Any:
    """What acts on the plant besides its input, seen as an input, and taken off: inputs command and y, output u.

    The inverse needs a filter: up to its cut-off, disturbances and errors of the model are compensated.
    """
    given, found = _pair(inverse, needs_filter=True)

    def equations(self: Any) -> Iterator[Any]:
        yield self.disturbance == getattr(self.back, found.name) - self.late.y
        yield self.u == self.r - self.disturbance
        yield self.late.u == self.u

    def connections(self: Any) -> Iterator[Any]:
        yield self.y, getattr(self.back, given.name)

    members = {
        "back": duplicate(inverse),
        "late": _filter_of(inverse, blocks.Filter),
        "disturbance": _declared(tg.variable, found),
    }
    return _made("DisturbanceObserver", inverse, members, equations, connections, reference=found)


def _pair(inverse: Any, *, needs_filter: bool = False) -> tuple[Signal, Signal]:
    """The given and the found signal of an inverse that a controller for one of each can be made of."""
    if not isinstance(inverse, InverseModel):
        advice = "inverse = tg.inverse(plant, given='load.w', find='source.v')"
        raise DesignError("E681", "a controller is made of what tg.inverse gives", location=here(), advice=advice)
    plan = inverse._plan
    if len(plan.given) != 1 or plan.given[0].reference is not None:
        what = "the controller is for an inverse with one given signal, which comes from outside"
        raise DesignError("E681", what, location=here(), advice="connect inverses of several signals by hand")
    if needs_filter and inverse._filter is None:
        what = "the inverse needs a filter for its reference"
        raise DesignError("E680", what, location=here(), advice='tg.inverse(..., filter=tg.bessel(cutoff="5 Hz"))')
    return plan.given[0], plan.find[0]


def _filter_of(inverse: InverseModel, kind: Any) -> Any:
    """The filter that the references of the inverse go through."""
    chosen = inverse._filter
    assert chosen is not None
    return kind(analog_filter=chosen.family, order=inverse._filter_order, f_cut=chosen.cutoff)


def _made(
    title: str, inverse: InverseModel, members: dict[str, Any], equations: Any, connections: Any, reference: Any = None
) -> Any:
    """A component with the inputs r and y and the output u."""
    given, found = _pair(inverse)
    ends = {
        "r": _declared(tg.input, reference or given),
        "y": _declared(tg.input, given),
        "u": _declared(tg.output, found),
    }
    body = {**ends, **members, "equations": equations, "connections": connections, "__module__": __name__}
    return type(title, (Component,), {**body, "__doc__": f"{title} of {inverse._plan.title}."})()


def _declared(kind: Any, signal: Signal) -> Any:
    declared = kind(description=signal.path)
    declared.unit = signal.unit
    return declared


def _measured_name(order: int) -> str:
    return f"der{order if order > 1 else ''}_y"
