"""`tg.read_fmu`: a component class made from an FMU."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from tellegen.errors import FmuError, users_call
from tellegen.importers.fmu.archive_files import FmuFile, open_fmu
from tellegen.importers.fmu.connectors import GivenConnector
from tellegen.importers.fmu.fmu_use import FmuUse
from tellegen.importers.fmu.influences import check_sensitivities
from tellegen.importers.fmu.quantities import Quantity, held_name
from tellegen.importers.fmu.structural_sizes import at_sizes, checked_sizes
from tellegen.ir.source_location import SourceLocation, here

Kind = Literal["auto", "me", "cs"]


@users_call
def read_fmu(
    path: str | os.PathLike[str],
    *,
    kind: Kind = "auto",
    variables: Sequence[str] | str = (),
    strings: Mapping[str, str] | None = None,
    isolate: bool = False,
    connectors: Mapping[str, Any] | None = None,
    tolerance: float | None = None,
    structural: Mapping[str, int] | None = None,
    sensitivities: Sequence[str] | str = (),
    starts: Sequence[str] | str = (),
) -> Any:
    """A component class made from an FMU of FMI 2.0 or 3.0.

    Inputs and outputs are those of the FMU, with its units; parameters are keywords: `motor.R` is called `motor_R`.
    `kind` is how it is used: "me" (Model Exchange: its equations are solved with the rest of the model), "cs"
    (Co-Simulation: it integrates itself from one communication point to the next, `communication_step` apart), or
    "auto", the first of these that it offers. Terminals of kinds that the library knows are connectors (Model
    Exchange); `connectors` names others: `{"shaft": Flange}` says what a terminal is, `{"shaft": (Flange, {"phi":
    "angle", "tau": "-torque"})}` which variables make one, a flow with a minus where it counts as it leaves the FMU.
    `variables` are names of internal variables that become outputs, `strings` are values of parameters that
    are strings. `tolerance` is the relative one that the FMU is asked for, which its own integrator has in
    Co-Simulation; else it is the FMU's. `structural` gives values to structural parameters, on which sizes of arrays
    depend (FMI 3.0): `{"n": 5}`. `sensitivities` names tunable parameters by which `tg.sensitivity`
    and gradients want derivatives (Model Exchange with directional derivatives). `starts` names variables whose start
    values become parameters: that of `load.w` is the keyword `load_w_start`. The code of the FMU is loaded into
    this process and may do anything; `tellegen fmu inspect` looks at one without loading it. With `isolate` each
    instance runs in a process of its own: where it crashes, the run ends with an error. "auto" means Co-Simulation
    then, for every evaluation of a Model Exchange goes from process to process.
    """
    location = here()
    file = open_fmu(path)
    chosen = _chosen_kind(file, kind, isolate, location)
    texts = _texts(file.description.variables, strings or {}, location)
    given = _given_connectors(connectors or {}, chosen, location)
    if tolerance is not None and not 0.0 < tolerance < 1.0:
        what = f"tolerance={tolerance!r} is no relative tolerance"
        raise FmuError("E520", what, location=location, advice="a number such as 1e-6, or nothing for that of the FMU")
    structure = checked_sizes(file, structural or {}, location)
    if structure and isolate:
        what = "structural parameters of FMUs in processes of their own cannot be set"
        raise FmuError("E520", what, location=location, advice="isolate=False, or the sizes that the FMU states")
    named = [(each,) if isinstance(each, str) else tuple(each) for each in (variables, sensitivities, starts)]
    use = at_sizes(FmuUse(file, chosen, named[0], texts, isolate, given, tolerance, structure, *named[1:]))
    check_sensitivities(use, location)
    return component_class(use, location)


def _chosen_kind(file: FmuFile, kind: str, isolate: bool, location: SourceLocation) -> str:
    """How the FMU is used: as it is asked for, or the first way that it offers."""
    description = file.description
    offered = {"me": description.model_exchange, "cs": description.co_simulation}
    if kind not in ("auto", "me", "cs"):
        raise FmuError("E520", f"kind='{kind}' is not known", location=location, advice="'auto', 'me' or 'cs'")
    preferred = ("cs", "me") if isolate else ("me", "cs")
    chosen = kind if kind != "auto" else next((name for name in preferred if offered[name] is not None), "me")
    if offered[chosen] is None:
        names = {"me": "Model Exchange", "cs": "Co-Simulation"}
        has = [names[name] for name, found in offered.items() if found is not None]
        raise FmuError(
            "E520",
            f"{file.path.name} is not an FMU for {names[chosen]}",
            location=location,
            advice=f"it is one for {has[0]}" if has else "it offers Scheduled Execution only, which is not supported",
        )
    return chosen


def _given_connectors(given: Mapping[str, Any], kind: str, location: SourceLocation) -> tuple[GivenConnector, ...]:
    """What the user says about connectors, checked for its form."""
    from tellegen.frontends.python.components.connector import Connector

    if given and kind == "cs":
        what = "connectors need the equations of the FMU, which Co-Simulation keeps to itself"
        raise FmuError("E520", what, location=location, advice='kind="me", or connect its inputs and outputs')
    found = []
    for name, value in given.items():
        family, variables = value if isinstance(value, tuple) and len(value) == 2 else (value, {})
        is_class = isinstance(family, type) and issubclass(family, Connector)
        if not (name.isidentifier() and is_class and isinstance(variables, Mapping)):
            what = f"connectors={{'{name}': ...}} needs the class of a connector, perhaps with the variables of the FMU"
            advice = "{'shaft': Flange} or {'shaft': (Flange, {'phi': 'angle', 'tau': 'torque'})}"
            raise FmuError("E520", what, location=location, advice=advice)
        found.append(GivenConnector(name, family, tuple(variables.items()), location))
    return tuple(found)


def _texts(variables: Sequence[Any], given: Mapping[str, str], location: SourceLocation) -> tuple[tuple[str, str], ...]:
    known = {each.name for each in variables if each.base == "String" and each.causality == "parameter"}
    for name in given:
        if name not in known:
            what = f"there is no parameter '{name}' that is a string"
            raise FmuError("E521", what, location=location, advice=f"one of {', '.join(sorted(known)) or 'none'}")
    return tuple(given.items())


@dataclass(frozen=True)
class Recipe:
    """What a class was made from: pickled in its place, for it stands in no module."""

    use: FmuUse
    location: SourceLocation

    def new_instance(self) -> Any:
        """An instance without any values."""
        return object.__new__(component_class(self.use, self.location))


@cache
def component_class(use: FmuUse, location: SourceLocation) -> Any:
    """The class of components of an FMU."""
    from tellegen.importers.fmu.component import FmuCoSimulation, FmuModelExchange

    base = FmuModelExchange if use.kind == "me" else FmuCoSimulation
    name = "".join(c if c.isalnum() else "_" for c in use.interface.identifier)
    about = use.file.description.description or f"The FMU {use.file.path.name}."
    body = {**_members(use), "fmu": use, "__doc__": about}
    made = type(name, (base,), body)
    made._info.location = location
    made._recipe = Recipe(use, location)
    return made


def _members(use: FmuUse) -> dict[str, Any]:
    """The declarations of inputs, outputs, states and parameters."""
    import tellegen as tg

    quantities = use.quantities
    body: dict[str, Any] = {}
    if use.kind == "cs" and (step := use.file.description.experiment.step):
        body["communication_step"] = tg.parameter(step, "s", "from one communication point to the next")
    for each in quantities.parameters:
        body[each.member] = tg.parameter(_start(each), _unit(each), each.variable.description, shape=each.shape)
    of_connectors = {member.quantity.member for connector in use.connectors for member in connector.members}
    for each in (*quantities.inputs, *quantities.discrete_inputs):
        if each.member in of_connectors:
            body[each.member] = tg.variable(_unit(each), each.variable.description)
            continue
        default = _start(each) if each.variable.start is not None else None
        body[each.member] = tg.input(_unit(each), each.variable.description, default=default, shape=each.shape)
    if use.kind == "me":
        if use.follows_steps:
            body["step_requests"] = tg.variable(discrete=True)
            body["step_requests_seen"] = tg.variable(discrete=True)
        if quantities.indicator_count:
            body["signs"] = tg.variable(discrete=True, shape=quantities.indicator_count)
        for each in quantities.discrete_inputs:
            body[held_name(each)] = tg.variable(_unit(each), discrete=True, shape=each.shape)
    for each in quantities.states:
        body[each.member] = tg.variable(
            _unit(each), each.variable.description, start=_start(each), shape=each.shape, state="always"
        )
    for each in quantities.outputs:
        body[each.member] = tg.output(_unit(each), each.variable.description, shape=each.shape)
    for each in quantities.discrete_outputs:
        body[each.member] = _discrete(tg, each)
    for connector in use.connectors:
        if connector.name in body:
            what = f"{use.file.path.name}: a terminal and a variable are both called '{connector.name}'"
            raise FmuError("E521", what, location=use.file.location, advice="rename one of them where it was made")
        body[connector.name] = connector.family(connector.description)
    return body


def _discrete(tg: Any, quantity: Quantity) -> Any:
    if quantity.variable.base == "Boolean":
        return tg.boolean(quantity.variable.description, shape=quantity.shape)
    return tg.variable(_unit(quantity), quantity.variable.description, discrete=True, shape=quantity.shape)


def _unit(quantity: Quantity) -> str | None:
    return quantity.unit.text or None


def _start(quantity: Quantity) -> Any:
    """The start value as the member takes it: a number, or nested lists."""
    numbers = [float(value) for value in quantity.variable.start or ()]
    if not quantity.shape:
        return numbers[0] if numbers else 0.0
    filled = numbers * quantity.count if len(numbers) == 1 else numbers or [0.0] * quantity.count
    for size in reversed(quantity.shape[1:]):
        filled = [filled[k : k + size] for k in range(0, len(filled), size)]  # type: ignore[misc]
    return filled
