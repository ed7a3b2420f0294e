"""A kernel as a procedure (ir/procedure.py), for native code: `double f(double, ...)` or, with several results,
`void f(double, ..., double *results)`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log as natural_log
from math import nan

from tellegen.errors import InternalError
from tellegen.ir import procedure as ir
from tellegen.ir.expressions.expr import Call, Const, Expr, Slot, walk
from tellegen.ir.expressions.ops import TRUTH_VALUED
from tellegen.ir.source_location import NOWHERE
from tellegen.symbolic.kernels.kernel import ENTRY, ROUND_LIMIT, Choose, Kernel, Loop, Pick, Step, Store, all_steps
from tellegen.symbolic.kernels.operations import BINARY, OPERATIONS, PASSED, RELATIONS

_ROUNDS = ir.Local("rounds", ir.I64)
_LARGEST_POWER = 16


def unit_of(kernel: Kernel) -> ir.Unit:
    """The kernel as a unit with one entry, ENTRY."""
    inputs = tuple(ir.Parameter(f"s{k}", ir.F64) for k in range(kernel.inputs))
    single = len(kernel.results) == 1
    results = () if single else (ir.Parameter("results", ir.ArrayOf(ir.F64)),)
    writer = _Writer()
    stored = sorted({step.target for step in all_steps(kernel.steps) if isinstance(step, Store | Pick)})
    body = [_assign(_slot(slot), _number(0.0)) for slot in stored]
    body.append(_assign(_ROUNDS, ir.Constant(0, ir.I64)))
    body += writer.steps(kernel.steps)
    body += writer.results(kernel.results, single)
    made = ir.Procedure(ENTRY, inputs + results, ir.F64 if single else None, tuple(body))
    return ir.Unit({ENTRY: made}, {}, {ENTRY: ENTRY})


def _slot(index: int) -> ir.Local:
    return ir.Local(f"s{index}", ir.F64)


def _number(value: float) -> ir.Constant:
    return ir.Constant(float(value), ir.F64)


def _assign(target: ir.Local | ir.Element, value: ir.Expr) -> ir.Statement:
    return ir.Assign(target, value, NOWHERE)


class _Writer:
    """Writes steps; `before` are the statements that compute what several operands share."""

    def __init__(self) -> None:
        self.count = 0

    def steps(self, steps: Sequence[Step]) -> list[ir.Statement]:
        """Statements of steps in order."""
        made: list[ir.Statement] = []
        for step in steps:
            made += self._step(step)
        return made

    def _step(self, step: Step) -> list[ir.Statement]:
        if isinstance(step, Store):
            before, (value,) = self._values((step.value,))
            return [*before, _assign(_slot(step.target), as_number(value))]
        if isinstance(step, Pick):
            return self._pick(step)
        if isinstance(step, Choose):
            before, (condition,) = self._values((step.condition,))
            branch = ir.If(as_truth(condition), tuple(self.steps(step.yes)), tuple(self.steps(step.no)), NOWHERE)
            return [*before, branch]
        return [self._loop(step)]

    def _loop(self, step: Loop) -> ir.Statement:
        before, (condition,) = self._values((step.condition,))
        again = ir.Operation("<", (_ROUNDS, ir.Constant(ROUND_LIMIT, ir.I64)), ir.BOOL)
        stays = ir.Operation("and", (as_truth(condition), again), ir.BOOL)
        leave = ir.If(ir.Operation("not", (stays,), ir.BOOL), (ir.Break(NOWHERE),), (), NOWHERE)
        count = _assign(_ROUNDS, ir.Operation("+", (_ROUNDS, ir.Constant(1, ir.I64)), ir.I64))
        body = (*self.steps(step.before), *before, leave, count, *self.steps(step.body))
        return ir.While(ir.Constant(True, ir.BOOL), body, NOWHERE)

    def _pick(self, step: Pick) -> list[ir.Statement]:
        """Constant arrays are data; others are written to memory first."""
        before, (index,) = self._values((step.position,))
        size = ir.Constant(len(step.array) - 1, ir.I64)
        rounded = ir.Operation("i64", (ir.Operation("-", (as_number(index), _number(1.0)), ir.F64),), ir.I64)
        least = ir.Operation("max", (rounded, ir.Constant(0, ir.I64)), ir.I64)
        position = ir.Operation("min", (least, size), ir.I64)
        kind = ir.ArrayOf(ir.F64)
        self.count += 1
        name = f"a{self.count}"
        array: ir.Expr
        if all(isinstance(element, Const) for element in step.array):
            array = ir.Data(name, tuple(float(element.value) for element in step.array), kind)  # type: ignore[union-attr]
        else:
            array = ir.Local(name, kind)
            before.append(ir.LocalArray(name, ir.F64, len(step.array), NOWHERE))
            for k, element in enumerate(step.array):
                inner, (value,) = self._values((element,))
                place = ir.Element(array, ir.Constant(k, ir.I64), ir.F64)
                before += [*inner, _assign(place, as_number(value))]
        return [*before, _assign(_slot(step.target), ir.Element(array, position, ir.F64))]

    def results(self, results: Sequence[Expr], single: bool) -> list[ir.Statement]:
        """What is given back."""
        before, values = self._values(results)
        ended = ir.Operation("<", (_ROUNDS, ir.Constant(ROUND_LIMIT, ir.I64)), ir.BOOL)
        given = [ir.Operation("choose", (ended, as_number(value), _number(nan)), ir.F64) for value in values]
        if single:
            return [*before, ir.Return(given[0], NOWHERE)]
        array = ir.Local("results", ir.ArrayOf(ir.F64))
        places = [ir.Element(array, ir.Constant(k, ir.I64), ir.F64) for k in range(len(values))]
        return [*before, *(_assign(place, value) for place, value in zip(places, given, strict=True))]

    def _values(self, roots: Sequence[Expr]) -> tuple[list[ir.Statement], list[ir.Expr]]:
        """Expressions of the IR as those of procedures; what is used more than once is computed before."""
        nodes = walk(*roots)
        uses = Counter(argument for node in nodes for argument in node.args)
        done: dict[Expr, ir.Expr] = {}
        before: list[ir.Statement] = []
        for node in nodes:
            value = operation_of(node, [done[argument] for argument in node.args])
            if uses[node] > 1 and not isinstance(node, Const | Slot):
                self.count += 1
                local = ir.Local(f"t{self.count}", value.type)  # type: ignore[arg-type]
                before.append(_assign(local, value))
                value = local
            done[node] = value
        return before, [done[root] for root in roots]


def as_number(value: ir.Expr) -> ir.Expr:
    """A value as a number: true is 1."""
    if value.type != ir.BOOL:
        return value
    return ir.Operation("choose", (value, _number(1.0), _number(0.0)), ir.F64)


def as_truth(value: ir.Expr) -> ir.Expr:
    """A value as a Boolean."""
    return value if value.type == ir.BOOL else ir.Operation("!=", (value, _number(0.0)), ir.BOOL)


def operation_of(node: Expr, args: list[ir.Expr]) -> ir.Expr:
    """A node as an expression of procedures, given its operands; slots are the locals s0, s1, ..."""
    if isinstance(node, Const):
        if isinstance(node.value, bool):
            return ir.Constant(node.value, ir.BOOL)
        return _number(node.value)
    if isinstance(node, Slot):
        return _slot(node.index)
    if not isinstance(node, Call) or node.op not in OPERATIONS:
        raise InternalError("E901", f"{node!r} in a kernel")
    op = node.op
    if op in PASSED:
        return args[PASSED[op]]
    if op in TRUTH_VALUED:
        return _logic(op, args)
    numbers = [as_number(arg) for arg in args]
    if op == "where":
        if args[1].type == ir.BOOL and args[2].type == ir.BOOL:
            return ir.Operation("choose", (as_truth(args[0]), args[1], args[2]), ir.BOOL)
        return ir.Operation("choose", (as_truth(args[0]), numbers[1], numbers[2]), ir.F64)
    return _arithmetic(node, numbers)


def _logic(op: str, args: list[ir.Expr]) -> ir.Expr:
    if op in RELATIONS:
        left, right = (as_number(arg) for arg in args)
        return ir.Operation(RELATIONS[op], (left, right), ir.BOOL)
    return ir.Operation(op, tuple(as_truth(arg) for arg in args), ir.BOOL)


def _arithmetic(node: Call, args: list[ir.Expr]) -> ir.Expr:
    op = node.op
    if op in ("add", "mul"):
        sign = "+" if op == "add" else "*"
        total = args[0]
        for arg in args[1:]:
            total = ir.Operation(sign, (total, arg), ir.F64)
        return total
    if op == "pow":
        return _power(node, args)
    if op in BINARY:
        return ir.Operation(BINARY[op], (args[0], args[1]), ir.F64)
    if op == "log10":
        logarithm = ir.Operation("log", (args[0],), ir.F64)
        return ir.Operation("/", (logarithm, _number(natural_log(10.0))), ir.F64)
    if op == "sign":
        negative = ir.Operation("<", (args[0], _number(0.0)), ir.BOOL)
        positive = ir.Operation(">", (args[0], _number(0.0)), ir.BOOL)
        otherwise = ir.Operation("choose", (negative, _number(-1.0), _number(0.0)), ir.F64)
        return ir.Operation("choose", (positive, _number(1.0), otherwise), ir.F64)
    if op == "mod":
        quotient = ir.Operation("floor", (ir.Operation("/", (args[0], args[1]), ir.F64),), ir.F64)
        return ir.Operation("-", (args[0], ir.Operation("*", (quotient, args[1]), ir.F64)), ir.F64)
    return ir.Operation(op, (args[0],), ir.F64)


def _power(node: Call, args: list[ir.Expr]) -> ir.Expr:
    """Small integer powers of a value that is at hand by multiplication, others by the library."""
    exponent = node.args[1]
    if isinstance(exponent, Const) and isinstance(args[0], ir.Local):
        count = float(exponent.value)
        if count.is_integer() and 1 <= abs(count) <= _LARGEST_POWER:
            product: ir.Expr = args[0]
            for _ in range(int(abs(count)) - 1):
                product = ir.Operation("*", (product, args[0]), ir.F64)
            return product if count > 0 else ir.Operation("/", (_number(1.0), product), ir.F64)
    return ir.Operation("pow", (args[0], args[1]), ir.F64)
