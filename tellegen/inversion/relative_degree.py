"""How often each given signal is differentiated until what is to be found appears: its relative degree.

    sigma   how often an unknown is differentiated where it occurs in an equation
    c, d    how often index reduction differentiates the equation, and up to which derivative the unknown is needed
    an equation asks for an unknown's highest derivative where c + sigma == d: along these the chain is found

The chain is the shortest one from the equation that gives the signal to one with an unknown that is to be found.
"""

from __future__ import annotations

import re
from collections import deque

from tellegen.errors import CannotBeFreedError, StructureError, UnbalancedClassError
from tellegen.inversion.inverse_class import Plan, with_probes
from tellegen.ir.expressions.expr import Der, Slot, Time, walk
from tellegen.ir.reduced import UNKNOWN, ReducedModel
from tellegen.ir.show.reduced_rows import equation_text, variable_text
from tellegen.ir.source_location import here
from tellegen.sheet import Shown, Table
from tellegen.stages import reduce_model
from tellegen.start.records import dataclass

_PROBE = "probe*sin(time"
_AFTER_EQUAL = re.compile(r"== probe\*sin\(time.*")


@dataclass(frozen=True, repr=False)
class RelativeDegree(Shown):
    """How often a given signal is differentiated, and the equations that ask for it: (times, equation) each."""

    signal: str
    degree: int
    chain: tuple[tuple[int, str], ...]

    def _title(self) -> str:
        return f"'{self.signal}' has the relative degree {self.degree}"

    def _page(self) -> list[Table | str]:
        rows = [(str(times), text) for times, text in self.chain]
        return [Table(("times", "equation that is differentiated"), rows)]


@dataclass(frozen=True, eq=False)
class Degrees:
    """Of all given signals, and the states that no reference decides: those of the zero dynamics."""

    of: tuple[RelativeDegree, ...]
    internal: tuple[str, ...]


def relative_degrees(plan: Plan) -> Degrees:
    """See the top of this file."""
    try:
        model = reduce_model(with_probes(plan)())
    except CannotBeFreedError:
        raise
    except UnbalancedClassError as error:
        raise _is_fed(plan) if error.missing < 0 else _not_invertible(plan, error) from None
    except StructureError as error:
        raise _not_invertible(plan, error) from None
    rows = _Rows(model)
    found = {_representative(model, f"plant.{signal.path}") for signal in plan.find}
    degrees = []
    for signal, row in zip(plan.given, rows.probes(len(plan.given)), strict=True):
        chain = tuple((int(rows.times[each]), _text(model, rows, each, signal.path)) for each in rows.chain(row, found))
        degrees.append(RelativeDegree(signal.path, int(rows.times[row]), chain))
    states = tuple(variable_text(model, int(v)) for v in model.unknowns[model.is_state])
    return Degrees(tuple(degrees), tuple(name.removeprefix("plant.") for name in states))


def _text(model: ReducedModel, rows: _Rows, row: int, path: str) -> str:
    text = equation_text(model, rows.numbers[row]).replace("plant.", "")
    return f"{path} == its reference" if _PROBE in text else text


def _representative(model: ReducedModel, name: str) -> int:
    number = next(k for k, other in enumerate(model.flat.variables.names()) if other == name)
    return int(model.representative[number])


class _Rows:
    """The equations as they were before they were differentiated, with what occurs in them."""

    def __init__(self, model: ReducedModel) -> None:
        self.model = model
        self.numbers: list[int] = []  # of each equation its row in the model
        self.occurs: list[dict[int, int]] = []  # unknown -> the highest derivative of it
        self.times: list[int] = []
        self._is_probe: list[bool] = []
        self._read_groups()
        self._read_linear()
        self.needed: dict[int, int] = {}
        for times, occurs in zip(self.times, self.occurs, strict=True):
            for unknown, sigma in occurs.items():
                self.needed[unknown] = max(self.needed.get(unknown, 0), times + sigma)

    def _read_groups(self) -> None:
        model = self.model
        times: dict[tuple[int, int], int] = {}
        for group in model.groups:
            for row in group.source_rows.tolist():
                times[group.source, row] = max(times.get((group.source, row), 0), group.order)
        for offset, group in zip(model.offsets, model.groups, strict=False):
            if group.order or group.source < 0:
                continue
            leaves = [n for n in walk(group.residual) if isinstance(n, Slot | Der) and group.kinds[n.index] == UNKNOWN]
            is_probe = any(isinstance(node, Time) for node in walk(group.residual))
            for k, row in enumerate(group.source_rows.tolist()):
                occurs: dict[int, int] = {}
                for leaf in leaves:
                    base, order = self._base(int(group.bindings[k, leaf.index]))
                    order += isinstance(leaf, Der)
                    occurs[base] = max(occurs.get(base, 0), order)
                self._add(int(offset) + k, occurs, times[group.source, row], is_probe)

    def _read_linear(self) -> None:
        linear = self.model.linear
        first: dict[int, int] = {}
        sources = linear.sources.tolist()
        for row, source in enumerate(sources):
            first.setdefault(source, row)
        for source, row in first.items():
            entries = linear.indices[linear.indptr[row] : linear.indptr[row + 1]]
            occurs = dict(self._base(int(v)) for v in entries)
            self._add(int(self.model.offsets[-1]) + row, occurs, sources.count(source) - 1, False)

    def _base(self, variable: int) -> tuple[int, int]:
        count = self.model.flat.variables.count
        if variable < count:
            return variable, 0
        derivatives = self.model.derivatives
        return int(derivatives.base[variable - count]), int(derivatives.order[variable - count])

    def _add(self, number: int, occurs: dict[int, int], times: int, is_probe: bool) -> None:
        self.numbers.append(number)
        self.occurs.append(occurs)
        self.times.append(times)
        self._is_probe.append(is_probe)

    def probes(self, count: int) -> list[int]:
        """The rows that give the signals, in the order of the signals."""
        own = [row for row, is_probe in enumerate(self._is_probe) if is_probe and self._is_of_inverse(row)]
        assert len(own) == count
        return sorted(own, key=lambda row: self.numbers[row])

    def _is_of_inverse(self, row: int) -> bool:
        return _PROBE in equation_text(self.model, self.numbers[row])

    def chain(self, first: int, wanted: set[int]) -> list[int]:
        """The rows from one to where an unknown of these occurs, along what they ask for."""
        users: dict[int, list[int]] = {}
        for row, occurs in enumerate(self.occurs):
            for unknown in occurs:
                users.setdefault(unknown, []).append(row)
        before = {first: -1}
        queue = deque([first])
        while queue:
            row = queue.popleft()
            if wanted & self.occurs[row].keys():
                return self._back(before, row)
            for unknown in self._asked(row):
                for other in users[unknown]:
                    if other not in before and unknown in self._asked(other):
                        before[other] = row
                        queue.append(other)
        return [first]

    def _asked(self, row: int) -> list[int]:
        times = self.times[row]
        return [unknown for unknown, sigma in self.occurs[row].items() if times + sigma == self.needed[unknown]]

    @staticmethod
    def _back(before: dict[int, int], row: int) -> list[int]:
        found = []
        while row >= 0:
            found.append(row)
            row = before[row]
        return found[::-1]


def _is_fed(plan: Plan) -> CannotBeFreedError:
    """An input that something in the model feeds is not open."""
    wanted = ", ".join(f"'{signal.path}'" for signal in plan.find if "." in signal.path)
    return CannotBeFreedError(
        "E220",
        f"{wanted} is connected inside of the model, which says what it is, so an inverse model cannot find it",
        location=here(),
        advice="find the input of the model that feeds it, or take the part of the model without its controller",
    )


def _not_invertible(plan: Plan, error: StructureError) -> StructureError:
    """Which given signal what is to be found does not act on, and the equations that say so."""
    details = [_AFTER_EQUAL.sub("== its reference", line.replace("plant.", "")) for line in error.details]
    outputs = ", ".join(f"'{signal.path}'" for signal in plan.given if any(signal.path in line for line in details))
    wanted = ", ".join(f"'{signal.path}'" for signal in plan.find)
    outputs = outputs or ", ".join(f"'{signal.path}'" for signal in plan.given)
    name = plan.title.removeprefix("Inverse")
    return StructureError(
        "E221",
        f"{name} cannot be inverted: {wanted} does not act on {outputs} in a way that could be solved for",
        location=here(),
        details=details,
        advice="find what acts on each of the given signals, and give signals that do not follow from each other",
    )
