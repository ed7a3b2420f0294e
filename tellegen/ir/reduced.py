"""ReducedModel: the equations that remain, the unknowns that remain, and how to get back everything else.

After the passes of structure/ no variable only repeats another one, the index is one and the states are chosen: this is
what DAE mode integrates. Every pass takes a ReducedModel and returns another one. Rows of the residual are numbered
through: the rows of group 0, of group 1, ..., then the linear rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tellegen.ir.expressions.expr import Expr
from tellegen.ir.flat import FlatModel, Node
from tellegen.ir.model import IntArray
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass

if TYPE_CHECKING:
    from tellegen.ir.events import Events


Int32Array = np.ndarray[Any, np.dtype[np.int32]]
Int8Array = np.ndarray[Any, np.dtype[np.int8]]
BoolArray = np.ndarray[Any, np.dtype[np.bool_]]

UNKNOWN = "unknown"
PARAMETER = "parameter"
KNOWN = "known"
UNUSED = "unused"
"""What a slot of a reduced group reads: an unknown, a parameter, a variable given from outside, or nothing any more."""


@dataclass(frozen=True, eq=False)
class ReducedGroup:
    """Rows of one group of the FlatModel that look alike after elimination: residual == 0.

    Signs, zeros and coinciding slots are already part of `residual`; bindings[r, s] is the index of the variable that
    represents the one the user wrote, or of a parameter.
    """

    residual: Expr
    kinds: tuple[str, ...]
    bindings: Int32Array
    source: int
    source_rows: IntArray
    order: int = 0  # how often the equation was differentiated

    @property
    def rows(self) -> int:
        """Number of equations."""
        return self.bindings.shape[0]


INTEGRATION = -1
"""The source of rows der(x) - x' == 0: they tie a state to the variable index reduction made of its derivative."""


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Variables made by index reduction: number flat.variables.count + k is derivative order[k] of base[k]."""

    base: Int32Array
    order: Int32Array


NO_DERIVATIVES = Derivatives(np.zeros(0, np.int32), np.zeros(0, np.int32))


@dataclass(frozen=True, eq=False)
class Candidates:
    """What state selection chooses from, stage by stage (Mattsson and Soederlind, 1993).

    Constraint k was differentiated `c[k]` times; its last derivative is residual `rows[k]`. Unknown j occurs up to its
    derivative `d[j]`; `chain[j, m]` is the variable that is derivative m of it (-1 beyond d). Stage s picks as many of
    the unknowns of the stage before as there are constraints with c >= s: their derivative d - s + 1 is not the rate of
    a state but an algebraic unknown. `pairs` are the entries (k, j) where the Jacobian is not zero, `coefficient` its
    values with default parameters and start values, `varying` marks those that change while the model runs.
    """

    rows: IntArray
    c: IntArray
    d: IntArray
    chain: Int32Array
    pairs: IntArray
    coefficient: Any
    varying: BoolArray
    preference: Any  # per unknown: state-selection preference
    firm: BoolArray  # per unknown: an invariant is kept by moving it, so that it has to be a state for good
    stages: tuple[BoolArray, ...] = ()  # the unknowns picked at each stage


@dataclass(frozen=True, eq=False)
class Invariants:
    """Variables that stay zero along the exact solution, and their partial derivatives by states.

    Row k says that variable `residual[k]` stays zero. Entry e says that the derivative of residual `row[e]` by the
    state `state[e]` is sign[e] * partial[e]; entries of the same row and state add up. `partial` is the number of a
    variable, or of a parameter where `of_parameter`.
    """

    residual: Int32Array
    row: Int32Array
    state: Int32Array
    partial: Int32Array
    sign: Int8Array
    of_parameter: BoolArray
    sources: IntArray  # per row: where it was written, a group of flat.invariants and a row of that

    @property
    def rows(self) -> int:
        """Number of residuals."""
        return len(self.residual)


@dataclass(frozen=True, eq=False)
class LinearRows:
    """sum(weights * variables) == 0 for each row; where each came from: flat.sums row k, or equality -1-k."""

    indptr: Int32Array
    indices: Int32Array
    weights: Int32Array
    sources: IntArray

    @property
    def rows(self) -> int:
        """Number of equations."""
        return len(self.indptr) - 1

    @cached_property
    def row_of_entry(self) -> IntArray:
        """The row of every entry."""
        return np.repeat(np.arange(self.rows), np.diff(self.indptr))


@dataclass(frozen=True, eq=False)
class Wanted:
    """Which unknowns are to be computed: per unknown the column of its value and of its rate, -1 where it is given."""

    value: IntArray
    rate: IntArray

    @staticmethod
    def of(values: BoolArray, rates: BoolArray) -> Wanted:
        """Numbered through: the values asked for, then the rates."""
        flags = np.concatenate([values, rates])
        number = np.where(flags, np.cumsum(flags) - 1, -1)
        return Wanted(number[: len(values)], number[len(values) :])


@dataclass(frozen=True, slots=True)
class Origin:
    """What an equation was before the passes, by `kind`:

    group        row `row` of flat.equations[number]
    sum          row `number` of flat.sums
    equality     row `number` of flat.equalities
    integration  nothing: it says that the rate of variable `number` is the derivative that became a variable
    """

    kind: str
    number: int
    row: int = 0


@dataclass(frozen=True, slots=True)
class PassRecord:
    """What one pass did, for the report."""

    name: str
    seconds: float
    equations: int
    unknowns: int


@dataclass(frozen=True, eq=False, kw_only=True)
class ReducedModel:
    """See the top of this file. Variable v of the FlatModel equals sign[v] * representative[v], zero where sign is 0.

    `unknowns` are the variables to solve for, in the order of the solver's vector; `is_state` marks those whose
    derivative occurs.
    """

    flat: FlatModel
    groups: tuple[ReducedGroup, ...]
    linear: LinearRows
    initial: tuple[ReducedGroup, ...]
    representative: Int32Array
    sign: Int8Array
    known: Int32Array
    unknowns: Int32Array
    is_state: BoolArray
    report: tuple[PassRecord, ...] = ()
    derivatives: Derivatives = NO_DERIVATIVES
    candidates: Candidates | None = None  # None: no constraint ties states to each other
    events: Events | None = None  # None: nothing happens at instants
    invariants: Invariants | None = None  # None: there are none
    combined: tuple[Origin, ...] = ()  # origins of equations replaced by sums with others
    asserted: tuple[tuple[int, ReducedGroup], ...] = ()  # conditions of assertions: number in the FlatModel, and rows

    @property
    def variable_count(self) -> int:
        """Variables of the FlatModel and those made by index reduction."""
        return self.flat.variables.count + len(self.derivatives.base)

    @cached_property
    def written(self) -> Int32Array:
        """For each unknown the variable the user wrote: of a derivative, the variable it is the derivative of."""
        own = self.unknowns
        made = own >= self.flat.variables.count
        out = own.copy()
        out[made] = self.derivatives.base[own[made] - self.flat.variables.count]
        return out

    @cached_property
    def equation_count(self) -> int:
        """Number of residuals."""
        return sum(group.rows for group in self.groups) + self.linear.rows

    @cached_property
    def offsets(self) -> IntArray:
        """First residual row of each group, and of the linear rows."""
        return np.cumsum([0, *(group.rows for group in self.groups)])

    @cached_property
    def position(self) -> Int32Array:
        """Index of each variable in the solver's vector, -1 for variables that are not there."""
        indices = np.full(self.variable_count, -1, np.int32)
        indices[self.unknowns] = np.arange(len(self.unknowns), dtype=np.int32)
        return indices

    @cached_property
    def is_array_element(self) -> BoolArray:
        """Which unknowns are elements of variables that are arrays; tangents are not, whatever holds them."""
        found = np.zeros(self.variable_count, bool)
        for start, length, _, member in self._own_blocks():
            found[start : start + length] = bool(member.shape)
        return found[self.unknowns]

    @cached_property
    def alike(self) -> tuple[Int32Array, ...]:
        """The unknowns (as positions) that are the same variable of one class: `phi` of all joints of a mechanism.

        Tangents are alike where what they are tangents of is, in the same direction.
        """
        found: dict[tuple[str, SourceLocation, str], list[IntArray]] = {}
        for start, length, node, member in self._own_blocks():
            block = np.arange(start, start + length)
            found.setdefault((node.kind.name, node.kind.location, member.name), []).append(block)
        kinds = [np.concatenate(blocks) for blocks in found.values()]
        if self.flat.tangents is not None:
            tangent = self.flat.tangents.variable
            kinds += [column[column >= 0] for kind in kinds for column in tangent[kind].T]
        positions = (self.position[kind] for kind in kinds)
        unknown = (each[each >= 0] for each in positions)
        return tuple(each for each in unknown if len(each) > 1)

    def _own_blocks(self) -> Iterator[tuple[int, int, Node, Any]]:
        """The blocks of the variables of the model itself, without tangents."""
        tangents = self.flat.tangents
        count = self.variable_count if tangents is None else len(tangents.variable)
        return (block for block in self.flat.variables.blocks() if block[0] < count)

    @cached_property
    def known_position(self) -> Int32Array:
        """Index of each external input in the parameter vector (after them), -1 for others."""
        indices = np.full(self.variable_count, -1, np.int32)
        indices[self.known] = self.flat.parameters.count + np.arange(len(self.known), dtype=np.int32)
        return indices

    @cached_property
    def wanted(self) -> Wanted:
        """What follows from time and states: the rate of each state, the value of each other unknown."""
        index = np.arange(len(self.unknowns))
        return Wanted(np.where(self.is_state, -1, index), np.where(self.is_state, index, -1))

    @cached_property
    def is_derivative(self) -> BoolArray:
        """Unknowns that index reduction made of derivatives."""
        return self.unknowns >= self.flat.variables.count

    @cached_property
    def is_as_written(self) -> BoolArray:
        """Residual rows that are equations of the user, neither differentiated nor those of integration."""
        groups = [np.full(group.rows, group.order == 0 and group.source != INTEGRATION) for group in self.groups]
        linear = np.ones(self.linear.rows, bool)
        linear[self.linear.row_of_entry[self.linear.indices >= self.flat.variables.count]] = False
        return np.concatenate([*groups, linear])

    @cached_property
    def is_tied(self) -> BoolArray:
        """Unknowns that constraints tie to others: which of them are states is a choice."""
        tied = np.zeros(len(self.unknowns), bool)
        if self.candidates is not None:
            chain = self.candidates.chain
            tied[self.position[chain[chain >= 0]]] = True
        return tied

    @cached_property
    def jumps_with_others(self) -> BoolArray:
        """Unknowns that constraints tie to others and that impulses let jump: one derivative below the highest."""
        jumps = np.zeros(len(self.unknowns), bool)
        if self.candidates is not None:
            chain = self.candidates.chain
            below = chain[np.arange(len(chain)), self.candidates.d - 1]
            jumps[self.position[below]] = True
        return jumps

    @property
    def homotopy_index(self) -> int:
        """Index of the homotopy parameter in the parameter vector: the last."""
        return self.flat.parameters.count + len(self.known)

    @property
    def initial_index(self) -> int:
        """Index of initial() in the parameter vector of a model with events."""
        return self.homotopy_index + 1

    @property
    def terminal_index(self) -> int:
        """The same of terminal()."""
        return self.homotopy_index + 2

    @property
    def relation_count(self) -> int:
        """Relations of unknowns that can switch: functions whose roots are events."""
        return self.events.relations.differences.count if self.events is not None else 0

    @property
    def parameter_indices(self) -> int:
        """Length of the vector of parameters."""
        return self.homotopy_index + 1 + (self.events.entry_count if self.events is not None else 0)

    @cached_property
    def has_homotopy(self) -> bool:
        """Whether some equation reads the blend of homotopy."""
        groups = (*self.groups, *self.initial)
        return any((g.bindings[:1] == self.homotopy_index)[0, k] for g in groups for k in _parameters(g) if g.rows)

    def origin(self, row: int) -> Origin:
        """Where residual `row` comes from."""
        k = int(np.searchsorted(self.offsets, row, side="right")) - 1
        local = row - int(self.offsets[k])
        if k < len(self.groups) and self.groups[k].source == INTEGRATION:
            return Origin("integration", int(self.groups[k].bindings[local, 0]))
        if k < len(self.groups):
            return Origin("group", self.groups[k].source, int(self.groups[k].source_rows[local]))
        source = int(self.linear.sources[local])
        if source >= self.flat.sums.rows:
            return self.combined[source - self.flat.sums.rows]
        return Origin("sum", source) if source >= 0 else Origin("equality", -1 - source)


def _parameters(group: ReducedGroup) -> list[int]:
    """The slots that hold parameters."""
    return [k for k, kind in enumerate(group.kinds) if kind == PARAMETER]
