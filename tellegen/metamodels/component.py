"""A metamodel as a component: its variables are parameters, its outputs signals over time.

    y(t) = mean(t) + sum of z[k] * shape[k](t),        z = features(parameters) @ coefficients

The shapes are tables in time, looked up natively. The numbers z depend on parameters only, so they are bound
parameters: computed once per run, and open to sensitivities. What is not a letter or digit in a path becomes an
underscore in a name: `source.V` is the parameter `source_V`, the start value of `c.v` the parameter `c_v_start`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

import tellegen as tg
from tellegen.metamodels.fit import Fit

if TYPE_CHECKING:
    from tellegen.metamodels.model import Metamodel


def component_of(mm: Metamodel, interpolation: str) -> Any:
    """An instance of a class made for this metamodel, at the centre of its box."""
    box = mm.box
    members: dict[str, Any] = {"start_time": tg.parameter(0.0, "s", "start time of the response")}
    cube = []
    for selection, low, high in zip(box.selections, box.low, box.high, strict=True):
        member = selection.member
        unit = selection.member.unit
        least = unit.from_si(low)
        most = unit.from_si(high)
        given = tg.parameter((least + most) / 2, unit.text or None, member.description, min=least, max=most)
        members[_name(selection.path) + ("" if selection.parameter else "_start")] = given
        cube.append(2.0 * (given - low) / (high - low) - 1.0)
    for of in mm.outputs:
        members |= _numbers(_name(of), mm.response(of).fit, cube)
        members[_name(of)] = tg.output(mm.unit(of).text or None, f"{of} of the metamodel")

    def equations(self: Any) -> Iterator[Any]:
        for of in mm.outputs:
            basis = mm.response(of).basis
            unit = mm.unit(of)
            z = getattr(self, f"{_name(of)}_z")
            t = (tg.time - self.start_time, mm.time)
            curve = tg.interpolate(*t, unit.to_si(basis.mean), kind=interpolation)
            for k, shape in enumerate(basis.shapes):
                curve = curve + z[k] * tg.interpolate(*t, shape * unit.scale, kind=interpolation)
            yield getattr(self, _name(of)) == curve

    members |= {"equations": equations, "__doc__": str(mm), "__module__": __name__}
    return type("Response", (tg.Component,), members)()


def _numbers(name: str, fit: Fit, cube: list[Any]) -> dict[str, Any]:
    """Bound parameters for z of an output, and for the features these are made of."""
    members: dict[str, Any] = {}
    z = 0.0
    first = 0
    for k, part in enumerate(fit.features(cube)):
        shape = getattr(part, "shape", ())
        piece = fit.coefficients[first : first + (shape[0] if shape else 1)]
        first += len(piece)
        if shape:  # evaluated once, whatever is made of it
            part = members[f"{name}_feature_{k}"] = tg.parameter(part, shape=shape)
        z = z + (piece.T @ part if shape else part * piece[0])
    members[f"{name}_z"] = tg.parameter(z, shape=(np.shape(fit.coefficients)[1],), description="numbers of the shapes")
    return members


def _name(path: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in path).strip("_")
