"""Arguments of another kind than asked for are answered by an error of Tellegen, never by one of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tellegen as tg


class Lag(tg.Component):
    T = tg.parameter(1.0, "s")
    k = tg.parameter(1.0)
    x = tg.variable("1", start=0.0, fixed=True)

    def equations(self) -> Iterator[Any]:
        yield self.T * tg.der(self.x) == self.k - self.x


WIDE: Any = {"T": (0.5, 2.0)}
DATA: Any = {"time": [0.1, 0.2, 0.3], "m": [1.0, 2.0, 3.0]}
ANY: Any = tg


def optimize(**given: Any) -> Any:
    return ANY.optimize(Lag(), stop=1.0, minimize=tg.final("x"), **given)


def component(name: str, declaration: Any) -> Any:
    return type("Made", (tg.Component,), {name: declaration})()


def nested(levels: int) -> Any:
    model = Lag
    for k in range(levels):
        model = type(f"Level{k}", (tg.Component,), {"inner": model()})
    return model()


CALLS: dict[str, tuple[str, Callable[[], Any]]] = {
    "max_steps=inf": ("E192", lambda: ANY.simulate(Lag(), 1.0, max_steps=float("inf"))),
    "points=1e300": ("memory", lambda: ANY.simulate(Lag(), 1.0, points=1e300)),
    "inputs=3.0": ("list of paths", lambda: ANY.linearize(Lag(), inputs=3.0)),
    "wrt=None": ("E644", lambda: ANY.sensitivity(Lag(), 1.0, wrt=None)),
    "wrt={'T': 1}": ("E644.*wrt=\\['T'\\]", lambda: ANY.sensitivity(Lag(), 1.0, wrt={"T": 1})),
    "1/0": ("divides a number by zero", lambda: tg.final("1/0")(tg.simulate(Lag(), 1.0))),
    "number='2'": ("integer", lambda: ANY.time_when("x > 0.3", number="2")(tg.simulate(Lag(), 1.0))),
    "number=-1.0": ("integer", lambda: ANY.time_when("x > 0.3", number=-1.0)(tg.simulate(Lag(), 1.0))),
    "guess": ("a number, not 'abc'", lambda: optimize(variables=WIDE, guess={"T": "abc"})),
    "subject_to=None": ("not a constraint", lambda: optimize(variables=WIDE, subject_to=None)),
    "choices=3": ("by path", lambda: optimize(choices=3)),
    "match='xm'": ("by path", lambda: ANY.calibrate(Lag(), DATA, variables=WIDE, match="xm")),
    "direction=None": (
        "E641",
        lambda: ANY.hessian_vector(Lag(), 1.0, of=tg.final("x"), wrt=["T"], direction=None),
    ),
    "connect(())": ("not a port", lambda: ANY.System("q").connect(())),
    "add(connect=...)": ("a method of System", lambda: ANY.System("q").add(connect=Lag())),
    "plot([])": ("nothing to plot", lambda: ANY.simulate(Lag(), 1.0).plot([])),
    "band='wide'": ("part of the step", lambda: tg.settling_time("x", band="wide")),
    "band=5.0": ("between 0 and 1", lambda: tg.settling_time("x", band=5.0)),
    "low=None": ("part of the step", lambda: ANY.rise_time("x", low=None)),
    "final(compiled)": ("(?s)not on a CompiledModel.*run the model first", lambda: ANY.final("x")(tg.compile(Lag()))),
    "outputs=None": (
        "outputs is a list of paths",
        lambda: ANY.metamodel(Lag(), None, variables=WIDE, samples=3, stop=1.0),
    ),
    "unit=['V']": (r"\['V'\] is not a unit but a list", lambda: ANY.variable(["V"])),
    "shape=True": ("the size of 'q' is True", lambda: ANY.flatten(component("q", ANY.variable(shape=True)))),
    "time": ("the time of the run", lambda: component("time", tg.variable())),
    "pi": ("the number 3.14", lambda: component("pi", tg.parameter(1.0))),
    "500 levels": ("nested more than 150 deep", lambda: ANY.flatten(nested(500))),
    "read_spice(3)": ("E501", lambda: ANY.read_spice(3)),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_rejected(name: str) -> None:
    match, call = CALLS[name]
    with pytest.raises(tg.TellegenError, match=f"(?s){match}"):
        call()
