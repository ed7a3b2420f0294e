"""`tg.c_component`: a component class made of C source written against tellegen_sbs.h.

The code is compiled and tried once when the class is made: sizes that do not fit, results that are not written, work
vectors that are read before they are written show then, not in a run.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tellegen.errors import DocumentError, users_call, warn_user
from tellegen.importers.counted import counted
from tellegen.importers.sbs import binary
from tellegen.importers.sbs.binary import OPERATORS, Fill, Sizes, sizes_of
from tellegen.importers.sbs.parameters import Given, Parameters, parameters_of
from tellegen.importers.sbs.source import CSource
from tellegen.ir.source_location import SourceLocation, here

if TYPE_CHECKING:
    from tellegen.importers.sbs.component import Description

Names = Sequence[str] | Mapping[str, str | None] | None
"""Names in their order, with units if it is a mapping."""
_POINTS = 4  # at which the code is tried, near its initial states


@dataclass(frozen=True)
class Wanted:
    """What a user says about a component beside its code."""

    inputs: Names = None
    outputs: Names = None
    states: Names = None
    parameters: Given = None
    start: Sequence[float] = ()
    feedthrough: bool | None = None


@users_call
def c_component(
    source: str | Path,
    *,
    inputs: Names = None,
    outputs: Names = None,
    states: Names = None,
    parameters: Given = None,
    start: Sequence[float] = (),
    feedthrough: bool | None = None,
) -> Any:
    """A component class made of C code: `source` is the path of a .c file, or the code itself.

    The code is written against tellegen_sbs.h: sbsInitializeSizes declares numbers of inputs, outputs, states, and
    sbsOutputs, sbsDerivatives and sbsUpdate compute. Ports are called in0, in1, ..., out0, ..., states x0, ..., unless
    names are given (a mapping adds units). Parameters have the names that macros of the code give them (`#define Jm
    ssGetFcnParam(S, 0)[0]`); `parameters` are their values by name, one array, or a list of arrays. `start` are initial
    states. `feedthrough` declares whether outputs depend directly on inputs; without it, that is read off the code.
    """
    location = here()
    wanted = Wanted(inputs, outputs, states, parameters, start, feedthrough)
    return component_class(read_source(source, location), wanted, location)


def read_source(source: str | Path, location: SourceLocation) -> CSource:
    """The text of a component and where it stands; a file may lie beside the file that names it."""
    text = str(source)
    if "\n" in text or "{" in text:
        return CSource(text, "", location)
    for path in (Path(text), Path(location.file).parent / text):
        if path.is_file():
            return CSource(path.read_text(encoding="utf-8", errors="replace"), str(path), SourceLocation(str(path), 1))
    raise DocumentError(
        "E870", f"there is no C source '{text}'", location=location, advice="give the path of a .c file, or C code"
    )


@dataclass(frozen=True)
class Recipe:
    """What a class was made from: pickled in its place, for it stands in no module."""

    source: CSource
    wanted: Wanted
    location: SourceLocation

    def new_instance(self) -> Any:
        """An instance without any values; of the class made before in this process, if there is one."""
        key = pickle.dumps((self.source, self.wanted))
        if key not in _MADE:
            _MADE[key] = component_class(self.source, self.wanted, self.location)
        made = _MADE[key]
        return object.__new__(made)


_MADE: dict[bytes, Any] = {}
"""Classes by what they were made from."""


def component_class(source: CSource, wanted: Wanted, location: SourceLocation) -> Any:
    """The class of a component."""
    from tellegen.importers.sbs.component import CComponent, Description

    parameters = parameters_of(source, wanted.parameters, location)
    sizes = sizes_of(source, parameters.numbers())
    inputs = _named("input", "in", sizes.inputs, wanted.inputs, location)
    outputs = _named("output", "out", sizes.outputs, wanted.outputs, location)
    states = _named("state", "x", sizes.states, wanted.states, location)
    _check_names(source.name, (*inputs, *outputs, *states, *parameters.values), location)
    starts = len(wanted.start)
    if starts not in (0, sizes.states):
        raise DocumentError(
            "E872",
            f"'{source.name}' has {counted(sizes.states, 'state')}, {counted(starts, 'initial value')} given",
            location=location,
            advice="give one number for each state, the continuous ones first",
        )
    read = _feedthrough(source, sizes, wanted.feedthrough, location)
    _try(source, sizes, parameters, wanted, read)
    direct = frozenset(port for k, port in enumerate(inputs) if k in read)
    code = Description(source, sizes, parameters, tuple(inputs), tuple(outputs), tuple(states), direct)
    body = _members(code, wanted, {**inputs, **outputs, **states})
    made = type(source.name, (CComponent,), {**body, "_code": code, "__doc__": f"The C component {source.name}."})
    made._info.location = location
    made._recipe = Recipe(source, wanted, location)
    _MADE[pickle.dumps((source, wanted))] = made
    return made


def _members(code: Description, wanted: Wanted, units: dict[str, str | None]) -> dict[str, Any]:
    """The declarations of ports, states and parameters."""
    import tellegen as tg

    body: dict[str, Any] = {port: tg.input(units[port]) for port in code.inputs}
    body |= {port: tg.output(units[port]) for port in code.outputs}
    starts = map(float, wanted.start or [0.0] * code.sizes.states)
    for state, start in zip(code.states, starts, strict=True):
        kind: dict[str, Any] = {"discrete": True} if state in code.discrete else {"fixed": True}
        body[state] = tg.variable(units[state], start=start, **kind)
    if code.discrete:
        body["period"] = tg.parameter(code.sizes.period, "s", "of the discrete states")
    given = wanted.parameters if isinstance(wanted.parameters, Mapping) else {}
    for parameter, value in code.parameters.values.items():
        declared = given.get(parameter)
        body[parameter] = declared if hasattr(declared, "unit") else _parameter(tg, value)
    return body


def _parameter(tg: Any, value: Any) -> Any:
    """A parameter with a value; without one where it is not a number."""
    if isinstance(value, Sequence):
        return tg.parameter(None if any(map(math.isnan, value)) else list(value), shape=len(value))
    return tg.parameter(None if math.isnan(value) else value)


def _named(what: str, letter: str, count: int, given: Names, location: SourceLocation) -> dict[str, str | None]:
    """Names and units of ports or states."""
    if given is None:
        return {f"{letter}{k}": None for k in range(count)}
    names = [given] if isinstance(given, str) else list(given)
    if isinstance(given, str) or len(names) != count:
        raise DocumentError(
            "E872",
            f"the code has {counted(count, what)}, {counted(len(names), 'name')} given",
            location=location,
            advice=f"give {counted(count, 'name')}: {what}s={[f'{letter}{k}' for k in range(min(count, 3))]}",
        )
    return dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)


def _check_names(name: str, names: tuple[str, ...], location: SourceLocation) -> None:
    twice = [each for each in names if names.count(each) > 1]
    wrong = [each for each in names if not str(each).isidentifier() or each.startswith("_")]
    if twice or wrong:
        what = f"two members called '{twice[0]}'" if twice else f"a member called '{wrong[0]}'"
        advice = "give other names: inputs=[...], outputs=[...], states=[...]"
        raise DocumentError("E872", f"the C component '{name}' would have {what}", location=location, advice=advice)


def _feedthrough(source: CSource, sizes: Sizes, declared: bool | None, location: SourceLocation) -> set[int]:
    """The inputs that the outputs depend on: read off the code, compared with what is declared."""
    every = set(range(sizes.inputs))
    flag = sizes.feedthrough if declared is None else declared
    found = source.outputs_read(sizes.inputs) if sizes.outputs and every else set()
    if flag is False and found:
        raise DocumentError(
            "E875",
            f"sbsOutputs of '{source.name}' reads u[{min(found)}], but no direct feed-through is declared",
            location=source.method("sbsOutputs"),
            advice="leave the declaration out, or compute outputs from states alone",
        )
    if flag is True and found == set() and every:
        text = "declares direct feed-through, but its outputs read no input: algebraic loops would be found in vain"
        warn_user(f"{location}: the C component '{source.name}' {text}")
    if flag is False:
        return set()
    return every if found is None else found


def _try(source: CSource, sizes: Sizes, parameters: Parameters, wanted: Wanted, read: set[int]) -> None:
    """Call every method at a few points: no fault, the same result each time, inputs read only where that is known."""
    flat = [number for array in parameters.numbers() for number in array]
    numbers = [1.0 if math.isnan(number) else number for number in flat]
    p = (*sizes.description(parameters.lengths), *numbers)
    starts = [*wanted.start, *[0.0] * sizes.states]
    for operator, method in OPERATORS.items():
        if not sizes.results(operator):
            continue
        code = binary.function(source, operator, sizes, len(p))
        for point in range(_POINTS):
            x = [starts[k] + _offset(point, k) for k in range(sizes.states)]
            u = [_offset(point, sizes.states + k) for k in range(sizes.inputs)]
            t = 0.1 * point
            first = binary.called(code, t, x, u, p)
            if not _same(first, binary.attempted(code, Fill(work=0.7310585786), t, x, u, p)[1]):
                raise _not_a_function(source, method)
            if not _same(first, binary.attempted(code, Fill(beyond=0.7310585786), t, x, u, p)[1]):
                raise _beyond(source, method, sizes)
            hidden = [value if k in read else math.nan for k, value in enumerate(u)]
            if operator == "outputs" and not _same(first, binary.attempted(code, Fill(), t, x, hidden, p)[1]):
                raise _hidden_input(source)


def _same(first: list[float], again: list[float]) -> bool:
    return all(a == b or (a != a and b != b) for a, b in zip(first, again, strict=True))


def _not_a_function(source: CSource, method: str) -> DocumentError:
    return DocumentError(
        "E876",
        f"{method} of '{source.name}' does not follow from its arguments: the same call gives two results",
        location=source.method(method),
        advice="work vectors are zero when a call begins and forgotten when it ends, and static variables are\n"
        "shared by all instances; what is to be remembered is a state (sbsUpdate, sbsDerivatives)",
    )


def _beyond(source: CSource, method: str, sizes: Sizes) -> DocumentError:
    there = f"{counted(sizes.states, 'state')} and {counted(sizes.inputs, 'input')}"
    return DocumentError(
        "E877",
        f"{method} of '{source.name}' reads beyond its {there}, or beyond its parameters",
        location=source.method(method),
        advice="x[0] and u[0] are the first ones; set their numbers in sbsInitializeSizes",
    )


def _hidden_input(source: CSource) -> DocumentError:
    return DocumentError(
        "E875",
        f"sbsOutputs of '{source.name}' uses its inputs, but no direct feed-through is declared",
        location=source.method("sbsOutputs"),
        advice="leave the declaration out, or compute outputs from states alone",
    )


def _offset(point: int, k: int) -> float:
    """Numbers between -1 and 1, the same every time; zero at the first point."""
    return math.sin(point * (12.9898 + 78.233 * k))
