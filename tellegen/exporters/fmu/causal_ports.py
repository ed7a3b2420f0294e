"""Connectors of a model as inputs and outputs of its FMU: FMI knows signals only.

    ports={"flange": "through"}     flange.tau is an input, flange.phi an output
    ports={"flange": "across"}      flange.phi is an input, flange.tau an output

Flows count as they do in the model: positive into it. Connectors that are not named are open ends, with no flow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tellegen.engine.compiled import CompiledModel
from tellegen.errors import ExportError, nearest
from tellegen.ir.model import Kind, Model, Port
from tellegen.ir.source_location import here

ROLES = ("across", "through")


def with_causal_ports(model: Model, ports: Mapping[str, str]) -> Model:
    """The model, in which its surroundings drive the connectors that are named."""
    kind = model.root
    for name, given in ports.items():
        _check(kind, name, given)
    changed = tuple(replace(port, driven=ports.get(port.name, "")) for port in kind.ports)
    return replace(model, root=replace(kind, ports=changed))


def frozen_model(model: Any) -> Model:
    """A component as written; E451 for a compiled one, whose connectors are open ends already."""
    from tellegen.stages import build_model

    if isinstance(model, CompiledModel):
        raise ExportError(
            "E451",
            "connectors of a compiled model are open ends: `ports` comes too late",
            location=here(),
            advice="give the component itself: tg.export_fmu(Motor(), ..., ports={...})",
        )
    return build_model(model)


def causalities(kind: Kind) -> dict[str, str]:
    """ "input" or "output" by the names of variables of connectors that are driven."""
    found: dict[str, str] = {}
    for port in kind.ports:
        for number in port.variables:
            variable = kind.variables[number]
            if port.driven:
                names = (variable.element_name(k) for k in range(variable.size))
                found |= dict.fromkeys(names, "input" if variable.role == port.driven else "output")
    return found


def _check(kind: Kind, name: str, given: str) -> None:
    known = {port.name: port for port in kind.ports if port.family != "signal"}
    port = known.get(name)
    if port is None:
        advice = nearest(name, known) if known else "signals are inputs and outputs of the FMU by themselves"
        raise ExportError("E451", f"{kind.name} has no connector '{name}'", location=here(), advice=advice)
    if given not in ROLES:
        what = f"ports={{'{name}': {given!r}}}: of the variables of a connector FMI needs to know which are inputs"
        advice = _advice(kind, port)
        raise ExportError("E451", what, location=here(), advice=advice)
    others = [kind.variables[k].name for k in port.variables if kind.variables[k].role not in ROLES]
    if others:
        what = f"the connector '{name}' carries '{others[0]}', which FMI has no counterpart for"
        advice = "connect it inside of the model, and give the model inputs and outputs"
        raise ExportError("E451", what, location=here(), advice=advice)


def _advice(kind: Kind, port: Port) -> str:
    names = {
        role: ", ".join(kind.variables[k].name for k in port.variables if kind.variables[k].role == role)
        for role in ROLES
    }
    return f"'across' makes {names['across']} an input, 'through' {names['through']}; the others become outputs"
