"""OdeProgram: how to compute x' = f(t, x), and everything else on the way, as a list of steps.

    Compute("explicit_0")     y[..] = ...; yp[..] = ...            loops of an entry, run in order
    Solve(...)                guess tears, inner entries, residual, Newton   for a set of independent blocks

All unknowns live in one work vector w = (y, y'): values first, then rates. Places of unknowns are places in w. States
are read from y; what the steps compute is the rest of y and the rates of the states.
"""

from __future__ import annotations

from tellegen.ir.model import IntArray
from tellegen.ir.program import Entry, Int32Array, NativeText, Pattern
from tellegen.ir.sorted import SortedModel
from tellegen.start.records import dataclass


@dataclass(frozen=True, slots=True)
class Compute:
    """Run an entry."""

    entry: str


@dataclass(frozen=True, eq=False)
class Solve:
    """Solve blocks that do not need each other, all with the same entries.

    Rows of the step are those of block 0, of block 1, ...; in each the inner rows in the order they are solved, then
    the rows that judge the tears. Entries of the Jacobian are sorted by these rows (dense), or stand in `pattern`
    (sparse; then there is one block and it has no inner rows). Columns are local: the unknown of local row k.
    """

    inner: tuple[str, ...]  # entries that compute the inner unknowns from the tears, in order
    residual: str
    jacobian: str
    linear: bool
    constant: bool
    row_start: Int32Array  # per block, and the end
    inner_count: Int32Array  # per block
    tear_start: Int32Array  # per block, and the end
    tear_index: Int32Array  # per tear: its place in w
    judge_row: Int32Array  # per tear: the residual row that judges
    entry_start: Int32Array  # per row of the step, and the end
    entry_column: Int32Array  # per entry of the Jacobian
    rows: IntArray  # the rows of the SortedModel
    same: Int32Array  # per block: the first block that has the same matrix at all times, itself if none has
    pattern: Pattern | None = None
    closed: str = ""  # the entry that computes all unknowns by closed formulas, of tiny linear blocks

    @property
    def entries(self) -> int:
        """Number of entries of the Jacobian."""
        return len(self.entry_column) if self.pattern is None else self.pattern.count

    @property
    def stays(self) -> bool:
        """Whether it is linear with a matrix that does not change."""
        return self.linear and self.constant

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self.inner_count)


Step = Compute | Solve


@dataclass(frozen=True, eq=False)
class OdeProgram:
    """Entries and the steps that use them; `size` unknowns, `states` are the places of the states in y.

    The first `rate_steps` give the rates of the states and all else that integrators look at; the unknowns that the
    others compute are wanted at output times and events only.

    Entries have the arguments (t; y, yp, p, r), Jacobian entries (t; y, yp, p, values).
    """

    entries: dict[str, Entry]
    steps: tuple[Step, ...]
    rate_steps: int
    size: int
    states: Int32Array
    divisors: str  # the entry for divisors of explicit rows that change with time and their dividends; or empty
    divided: IntArray  # the rows of the SortedModel they belong to

    @property
    def changing_loops(self) -> list[Solve]:
        """The loops that rates need, but for linear ones whose matrix stays."""
        loops = [step for step in self.steps[: self.rate_steps] if isinstance(step, Solve)]
        return [loop for loop in loops if not loop.stays]


@dataclass(frozen=True, eq=False)
class OdeCode:
    """ODE mode of a model: the ordered model, and the program with its code unless `reason` says why there is none."""

    sorted: SortedModel
    reason: str
    program: OdeProgram | None = None
    native: NativeText | None = None
