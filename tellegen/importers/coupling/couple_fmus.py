"""`tg.couple_fmus`: FMUs for Co-Simulation that read each other's outputs, as one component class."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tellegen.errors import FmuError, users_call
from tellegen.fmi.description import CoSimulation, DefaultExperiment, Dimension, ModelDescription, Variable
from tellegen.importers.coupling.coupled_instance import CoupledInstance, CoupledPart, Place
from tellegen.importers.coupling.master import (
    EXTRAPOLATIONS,
    MASTERS,
    Extrapolation,
    Link,
    MasterName,
    Method,
)
from tellegen.importers.fmu.archive_files import FmuFile, open_fmu
from tellegen.importers.fmu.fmu_use import FmuUse
from tellegen.importers.fmu.instances.instance import FmuInstance
from tellegen.importers.fmu.quantities import Quantity
from tellegen.importers.fmu.read_fmu import component_class
from tellegen.ir.source_location import SourceLocation, here
from tellegen.start.records import dataclass
from tellegen.units import Unit


@users_call
def couple_fmus(
    parts: Mapping[str, str | os.PathLike[str]],
    connections: Iterable[tuple[str, str]],
    *,
    master: MasterName = "jacobi",
    extrapolation: Extrapolation = "constant",
    rtol: float | None = None,
) -> Any:
    """A component class made from several FMUs for Co-Simulation that are stepped together.

    `parts` are the FMUs by the names they have in it, in the order they are stepped; `connections` are pairs of an
    output and an input: ("left.x", "right.x_other"). The other inputs, all outputs and all parameters are members:
    `left.x` is called `left_x`. `master` is "jacobi" (all FMUs step with what is known at the beginning of a step) or
    "gauss-seidel" (one after the other); `extrapolation` of inputs over a step is "constant" (errors of first order in
    the step size) or "linear" (second order). With `rtol` steps are as small as that relative accuracy of the outputs
    needs, at most `communication_step`; all FMUs must be able to save and restore their state.
    """
    location = here()
    for value, known in ((master, MASTERS), (extrapolation, EXTRAPOLATIONS)):
        if value not in known:
            raise FmuError("E520", f"'{value}' is not known", location=location, advice=" or ".join(map(repr, known)))
    if rtol is not None and not 0.0 < float(rtol) < 1.0:
        raise FmuError("E520", f"rtol={rtol!r} is no accuracy", location=location, advice="a number such as 1e-5")
    method = Method(master, extrapolation, None if rtol is None else float(rtol))
    uses = tuple((name, FmuUse(open_fmu(path), "cs")) for name, path in parts.items())
    return component_class(coupled_use(uses, tuple(connections), method, location), location)


Uses = tuple[tuple[str, FmuUse], ...]
Pairs = tuple[tuple[str, str], ...]


def coupled_use(uses: Uses, connections: Pairs, method: Method, location: SourceLocation) -> CoupledUse:
    """The FMUs with their connections found."""
    for name, use in uses:
        offered = use.file.description.co_simulation
        if offered is None:
            what = f"{use.file.path.name} ('{name}') is not an FMU for Co-Simulation"
            raise FmuError("E520", what, location=location, advice="others can be connected in a model: tg.read_fmu")
        if method.rtol is not None and not offered.keeps_state:
            what = f"{use.file.path.name} ('{name}') cannot save its state, so a step that is too inaccurate stays done"
            raise FmuError("E520", what, location=location, advice="leave rtol out, and choose a communication_step")
    links = tuple(_link(uses, source, target, location) for source, target in connections)
    wired = {(link.target, link.input) for link in links}
    variables: list[Variable] = []
    places: list[tuple[int, Variable]] = []
    for number, (name, use) in enumerate(uses):
        quantities = use.quantities
        free = [each for k, each in enumerate(_inputs(use)) if (number, k) not in wired]
        for each in (*quantities.parameters, *free, *quantities.outputs, *quantities.discrete_outputs):
            variables.append(_renamed(name, each, len(variables), use.file.description))
            places.append((number, each.variable))
    experiments = [use.file.description.experiment.step for _, use in uses if use.file.description.experiment.step]
    units = {unit.name: unit for _, use in uses for unit in use.file.description.units}
    identifier = "_".join(name for name, _ in uses)
    is_single = any(use.interface.only_one_instance for _, use in uses)
    varies = all(use.steps_vary for _, use in uses)
    description = ModelDescription(
        version="2.0",
        name=identifier,
        token="",
        variables=tuple(variables),
        co_simulation=CoSimulation(identifier, only_one_instance=is_single, variable_step=varies),
        units=tuple(units.values()),
        experiment=DefaultExperiment(step=min(experiments, default=None)),
    )
    file = FmuFile(Path(identifier), "", description)
    origin = Origin(uses, connections, method)
    return CoupledUse(file, "cs", origin=origin, places=tuple(places), links=links)


@dataclass(frozen=True)
class Origin:
    """What the user said."""

    uses: Uses = ()
    connections: Pairs = ()
    method: Method = Method()


@dataclass(frozen=True)
class CoupledUse(FmuUse):
    """Several FMUs used as one."""

    origin: Origin = Origin()
    places: tuple[tuple[int, Variable], ...] = ()
    links: tuple[Link, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        origin = self.origin
        return coupled_use, (origin.uses, origin.connections, origin.method, self.file.location)

    def new_instance(self) -> CoupledInstance:
        """Instances of all FMUs, not yet set."""
        parts: list[CoupledPart] = []
        for _, use in self.origin.uses:
            outputs = [*use.quantities.outputs, *use.quantities.discrete_outputs]
            instance = use.new_instance()
            assert isinstance(instance, FmuInstance)
            parts.append(CoupledPart(instance, _inputs(use), [each for each in outputs if not each.shape]))
        places = {reference: Place(*place) for reference, place in enumerate(self.places)}
        return CoupledInstance(self.file.path.name, parts, self.links, places, self.origin.method)


def _inputs(use: FmuUse) -> list[Quantity]:
    return [*use.quantities.inputs, *use.quantities.discrete_inputs]


def _renamed(part: str, quantity: Quantity, reference: int, description: ModelDescription) -> Variable:
    variable = quantity.variable
    return replace(
        variable,
        name=f"{part}.{variable.name}",
        reference=reference,
        declared_type="",
        attributes=description.attributes_of(variable),
        derivative_of=None,
        dimensions=tuple(Dimension(size) for size in quantity.shape),
        aliases=(),
    )


def _agree(one: Unit, other: Unit) -> bool:
    """Whether a number means the same in both units; where one is not known nothing can be said."""
    if one.dimension is None or other.dimension is None:
        return True
    same = one.dimension == other.dimension
    return same and one.scale == other.scale and one.offset == other.offset


def _link(uses: tuple[tuple[str, FmuUse], ...], source: str, target: str, location: SourceLocation) -> Link:
    """A connection by numbers."""
    names = [name for name, _ in uses]
    ends: list[tuple[int, int]] = []
    units: list[Unit] = []
    for end, kind in ((source, "output"), (target, "input")):
        part, _, variable = end.partition(".")
        if part not in names:
            what = f"'{end}' is the {kind} of no FMU: there is no part '{part}'"
            raise FmuError("E521", what, location=location, advice=f"one of {', '.join(names)}")
        use = uses[names.index(part)][1]
        found = [*use.quantities.outputs, *use.quantities.discrete_outputs] if kind == "output" else _inputs(use)
        single = [each for each in found if not each.shape]
        known = [each.variable.name for each in single]
        if variable not in known:
            what = f"'{part}' has no {kind} '{variable}'"
            raise FmuError("E521", what, location=location, advice=f"one of {', '.join(known) or 'none'}")
        ends.append((names.index(part), known.index(variable)))
        units.append(single[known.index(variable)].unit)
    if not _agree(*units):
        what = (
            f"'{source}' is in {units[0].text}, '{target}' in {units[1].text}: couple_fmus hands numbers on as they are"
        )
        advice = "connect them in a model, where units are converted and checked: tg.read_fmu(..., kind='cs')"
        raise FmuError("E521", what, location=location, advice=advice)
    return Link(*ends[0], *ends[1])
