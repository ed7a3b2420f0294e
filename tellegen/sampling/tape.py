"""Writing kernels (symbolic/kernels/kernel.py) as if one computed: values are expressions of slots, matrices lists.

tape = Tape(2)
product = tape.let(mul(Slot(0), Slot(1)))          s2 = s0*s1
tape.kernel("f", [product])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tellegen.ir.expressions.expr import ONE, ZERO, Call, Const, Expr, Function, Slot, same_with, walk
from tellegen.symbolic.build import add, div, is_zero, mul, sub
from tellegen.symbolic.kernels.derivative import KernelDerivative
from tellegen.symbolic.kernels.kernel import Choose, Kernel, Loop, Step, Store, all_steps, expressions_of

Matrix = list[list[Expr]]


class Tape:
    """The steps of a kernel on their way; slots from `inputs` on are its own."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.free = inputs
        self.steps: list[Step] = []

    def slot(self) -> Slot:
        """A new slot; it holds zero until something is stored there."""
        self.free += 1
        return Slot(self.free - 1)

    def let(self, value: Expr) -> Expr:
        """A value that is computed here and read later; numbers and slots stay what they are."""
        if isinstance(value, Const | Slot):
            return value
        target = self.slot()
        self.store(target, value)
        return target

    def store(self, target: Expr, value: Expr) -> None:
        """Give a slot a value."""
        assert isinstance(target, Slot)
        if value is not target:
            self.steps.append(Store(target.index, value))

    def copied(self, value: Expr) -> Expr:
        """What a value is now, whatever is stored in its slots later."""
        target = self.slot()
        self.store(target, value)
        return target

    def let_all(self, matrix: Matrix) -> Matrix:
        """A matrix of values that are computed here."""
        return [[self.let(value) for value in row] for row in matrix]

    def shared(self, values: Sequence[Expr]) -> list[Expr]:
        """Values computed here, each part that several of them have once."""
        uses = Counter(argument for node in walk(*values) for argument in node.args)
        uses.update(values)
        done: dict[Expr, Expr] = {}
        for node in walk(*values):
            made = same_with(node, tuple(done[argument] for argument in node.args))
            is_number = not (isinstance(node, Call) and node.op in _TRUTHS)
            done[node] = self.let(made) if uses[node] > 1 and is_number else made
        return [done[value] for value in values]

    def repeat(self, times: int, body: Callable[[], None]) -> None:
        """Steps that are done so many times."""
        count = self.slot()
        self.store(count, ZERO)
        self.loop(
            lambda: Call("lt", (count, Const(float(times)))), lambda: (body(), self.store(count, add(count, ONE)))
        )

    def loop(self, condition: Callable[[], Expr], body: Callable[[], object]) -> None:
        """Steps that are done while something holds."""
        outer = self.steps
        self.steps = []
        holds = condition()
        before = tuple(self.steps)
        self.steps = []
        body()
        outer.append(Loop(before, holds, tuple(self.steps)))
        self.steps = outer

    def choose(self, condition: Expr, body: Callable[[], object]) -> None:
        """Steps that are done where something holds."""
        outer = self.steps
        self.steps = []
        body()
        outer.append(Choose(condition, tuple(self.steps), ()))
        self.steps = outer

    def swap_where(self, condition: Expr, pairs: Iterable[tuple[Expr, Expr]]) -> None:
        """Exchange slots where a condition holds."""
        kept = self.slot()
        steps: list[Step] = []
        for one, other in pairs:
            assert isinstance(one, Slot)
            assert isinstance(other, Slot)
            steps += [Store(kept.index, one), Store(one.index, other), Store(other.index, kept)]
        self.steps.append(Choose(condition, tuple(steps), ()))

    def function(self, name: str, results: Sequence[Expr]) -> Function:
        """The kernel as a function of equations, with its derivatives."""
        kernel = Kernel(name, self.inputs, _needed(tuple(self.steps), tuple(results)), tuple(results))
        return Function(name, kernel, len(results), KernelDerivative(kernel))


_TRUTHS = frozenset({"lt", "le", "gt", "ge", "eq", "ne", "and", "or", "not"})


def _needed(steps: tuple[Step, ...], results: tuple[Expr, ...]) -> tuple[Step, ...]:
    """Without what is stored and never read."""
    while True:
        values = [value for step in all_steps(steps) for value in expressions_of(step)]
        read = {node.index for node in walk(*values, *results) if isinstance(node, Slot)}
        kept = _without(steps, read)
        if kept == steps:
            return steps
        steps = kept


def _without(steps: tuple[Step, ...], read: set[int]) -> tuple[Step, ...]:
    made: list[Step] = []
    for step in steps:
        if isinstance(step, Store) and step.target not in read:
            continue
        if isinstance(step, Choose):
            step = Choose(step.condition, _without(step.yes, read), _without(step.no, read))
        elif isinstance(step, Loop):
            step = Loop(_without(step.before, read), step.condition, _without(step.body, read))
        made.append(step)
    return tuple(made)


def product(a: Matrix, b: Matrix) -> Matrix:
    """a b."""
    columns = list(zip(*b, strict=True))
    return [[total(map(mul, row, column)) for column in columns] for row in a]


def total(terms: Iterable[Expr]) -> Expr:
    """A sum, without the terms that are zero."""
    return add(*(term for term in terms if not is_zero(term)))


def transposed(a: Matrix) -> Matrix:
    """a'."""
    return [list(column) for column in zip(*a, strict=True)]


def combined(a: Matrix, b: Matrix, how: Callable[[Expr, Expr], Expr] = add) -> Matrix:
    """Entry by entry."""
    return [[how(x, y) for x, y in zip(one, other, strict=True)] for one, other in zip(a, b, strict=True)]


def scaled(factor: Expr, a: Matrix) -> Matrix:
    """A number times a matrix."""
    return [[mul(factor, value) for value in row] for row in a]


def identity(size: int) -> Matrix:
    """The unit matrix."""
    return [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]


def solve(tape: Tape, a: Matrix, b: Matrix) -> Matrix:
    """a^-1 b by elimination with row pivoting; `a` and `b` are not changed."""
    size = len(a)
    rows = [[*left, *right] for left, right in zip(a, b, strict=True)]
    work: Matrix = []
    for row in rows:
        slots: list[Expr] = [tape.slot() for _ in row]
        for slot, value in zip(slots, row, strict=True):
            tape.store(slot, value)
        work.append(slots)
    for k in range(size):
        for i in range(k + 1, size):
            larger = Call("gt", (Call("abs", (work[i][k],)), Call("abs", (work[k][k],))))
            tape.swap_where(larger, zip(work[k][k:], work[i][k:], strict=True))
        for i in range(k + 1, size):
            factor = tape.let(div(work[i][k], work[k][k]))
            for j in range(k + 1, len(rows[0])):
                tape.store(work[i][j], sub(work[i][j], mul(factor, work[k][j])))
    for k in reversed(range(size)):
        for j in range(size, len(rows[0])):
            rest = total(mul(work[k][m], work[m][j]) for m in range(k + 1, size))
            tape.store(work[k][j], div(sub(work[k][j], rest), work[k][k]))
    return [row[size:] for row in work]


def largest_row_sum(a: Matrix) -> Expr:
    """A norm."""
    sums = [total(Call("abs", (value,)) for value in row) for row in a]
    found = sums[0]
    for each in sums[1:]:
        found = Call("max", (found, each))
    return found
