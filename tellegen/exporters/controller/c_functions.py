"""A sample as functions of the small language (ir/procedure.py) that C is printed of: init, update and step.

Everything is computed once: what several formulas share is a local. There are no loops but those of kernels, whose
rounds are limited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

from tellegen.exporters.controller.c_names import CNames
from tellegen.exporters.controller.sample import Sample, no_c
from tellegen.ir import procedure as ir
from tellegen.ir.expressions.expr import Apply, Call, Const, Expr, Function, Lookup, Slot, Time, walk
from tellegen.ir.source_location import NOWHERE
from tellegen.symbolic.kernels.kernel import ENTRY, Kernel
from tellegen.symbolic.kernels.operations import OPERATIONS
from tellegen.symbolic.kernels.procedure import as_number, operation_of, unit_of

_EXPONENTS = (2, 3, 4)
_REPEATING = ("sign", "mod")  # their formulas have operands more than once
EXPRESSIONS = get_args(ir.Expr)


def controller_unit(sample: Sample, names: CNames) -> ir.Unit:
    """All functions; those of the interface are entries."""
    writer = _Writer(sample, names)
    step = writer.assignments(sample.assigned)
    step += writer.outputs()
    step += writer.remembered()
    made = {"init": _init(names)}
    if sample.follows:
        made["update"] = _Writer(sample, names, writer.kernels).follows(sample.follows)
        call = ir.Call("update", (names.record,), None)
        made["init"] = [*made["init"], ir.Do(call, NOWHERE)]
    made["step"] = step
    parameter = ir.Parameter("c", ir.RecordOf(names.name))
    procedures = {name: ir.Procedure(name, (parameter,), None, tuple(body)) for name, body in made.items()}
    return ir.Unit(
        {**{each.name: each for each in writer.kernels.values()}, **procedures},
        {},
        {f"{names.name}_{name}": name for name in made},
    )


def _init(names: CNames) -> list[ir.Statement]:
    """All numbers as they are before the first sample; what follows from others is computed."""
    return [
        ir.Assign(ir.Field(names.record, place, ir.F64), ir.Constant(start, ir.F64), NOWHERE)
        for place, start in names.starts.items()
        if not place.startswith("fixed.")
    ]


class _Writer:
    """The body of a function on its way."""

    def __init__(self, sample: Sample, names: CNames, kernels: dict[Function, ir.Procedure] | None = None) -> None:
        self.sample = sample
        self.names = names
        self.body: list[ir.Statement] = []
        self.done: dict[Expr, ir.Expr] = {}
        self.uses: Counter[Expr] = Counter()
        self.kernels: dict[Function, ir.Procedure] = {} if kernels is None else kernels
        self.results: dict[tuple[Function, tuple[Expr, ...]], ir.Local] = {}

    def assignments(self, cells: tuple[int, ...]) -> list[ir.Statement]:
        """Each cell becomes a local of its name."""
        self._count(cells)
        for cell in cells:
            formula = self.sample.rows.formulas[cell]
            value = as_number(self._value(formula))
            local = self.names.local(cell)
            self._assign(local, value)
            self.names.places[cell] = local
            if not isinstance(formula, Const | Slot):
                self.done[formula] = local
        return self.body

    def follows(self, cells: tuple[int, ...]) -> list[ir.Statement]:
        """Parameters that are computed from others."""
        self._count(cells)
        for cell in cells:
            value = as_number(self._value(self.sample.rows.formulas[cell]))
            self._assign(self.names.places[cell], value)
        return self.body

    def outputs(self) -> list[ir.Statement]:
        """What the step gives."""
        self.body = []
        for variable, place in self.names.outputs.items():
            value = as_number(self._value(self.sample.cells.value(variable)))
            self._assign(place, value)
        return self.body

    def remembered(self) -> list[ir.Statement]:
        """What the next step reads."""
        self.body = []
        for cell, variable in self.sample.memory.items():
            own = self.sample.cells.variable(variable)
            self._assign(self.names.places[cell], self.names.places[own])
        return self.body

    def _count(self, cells: tuple[int, ...]) -> None:
        formulas = [self.sample.rows.formulas[cell] for cell in cells]
        self.uses = Counter(argument for node in walk(*formulas) for argument in node.args)
        self.uses.update(formulas)

    def _assign(self, target: ir.Expr, value: ir.Expr) -> None:
        assert isinstance(target, ir.Local | ir.Field | ir.Element)
        self.body.append(ir.Assign(target, value, NOWHERE))

    def _value(self, root: Expr) -> ir.Expr:
        """An expression; parts that occur again are computed before."""
        done = self.done
        for node in walk(root):
            if node in done and not isinstance(node, Slot):
                continue
            args = [done[argument] for argument in node.args]
            value = self._node(node, args)
            is_leaf = isinstance(node, Const | Slot | Apply)
            if self.uses[node] > 1 and not is_leaf and node is not root:
                local = self.names.temporary(value.type or ir.F64)
                self._assign(local, value)
                value = local
            done[node] = value
        return done[root]

    def _node(self, node: Expr, args: list[ir.Expr]) -> ir.Expr:
        name = self.sample.compiled.name
        if isinstance(node, Slot):
            if node.index not in self.names.places:
                what = self.sample.cells.name(node.index)
                raise no_c(name, f"{what} is not known at a sample", "write the controller without it")
            return self.names.places[node.index]
        if isinstance(node, Apply):
            return self._called(node, [as_number(each) for each in args])
        if isinstance(node, Time):
            raise no_c(name, "it reads the time, which controllers are not given", "count samples, or make it an input")
        if isinstance(node, Lookup):
            raise no_c(name, "it reads a table", "write it as formulas: a polynomial, or tg.where")
        if isinstance(node, Call) and node.op not in OPERATIONS:
            raise no_c(name, f"'{node.op}' has no C", "write it with other operations")
        if isinstance(node, Call) and node.op == "pow":
            return self._power(node, [as_number(each) for each in args])
        if isinstance(node, Call) and node.op in _REPEATING:
            args = [self._local(as_number(each)) for each in args]
        return operation_of(node, args)

    def _local(self, value: ir.Expr) -> ir.Expr:
        """A value that is read several times."""
        if isinstance(value, ir.Local | ir.Field | ir.Constant):
            return value
        local = self.names.temporary(ir.F64)
        self._assign(local, value)
        return local

    def _power(self, node: Call, args: list[ir.Expr]) -> ir.Expr:
        """As native code has it (codegen/scalar.py): small exponents as products."""
        exponent = node.args[1].value if isinstance(node.args[1], Const) else None
        base = args[0]
        if exponent == -1:
            return ir.Operation("/", (ir.Constant(1.0, ir.F64), base), ir.F64)
        if exponent not in _EXPONENTS:
            return ir.Operation("pow", (base, args[1]), ir.F64)
        base = self._local(base)
        square = ir.Operation("*", (base, base), ir.F64)
        if exponent == 2:
            return square
        if exponent == 3:
            return ir.Operation("*", (square, base), ir.F64)
        local = self._local(square)
        return ir.Operation("*", (local, local), ir.F64)

    def _called(self, node: Apply, args: list[ir.Expr]) -> ir.Expr:
        """A kernel: one call for all its results."""
        function = node.function
        if not isinstance(function.callable, Kernel):
            advice = "write it with operations of tg, so that it can be traced"
            raise no_c(self.sample.compiled.name, f"it calls {function.name}, which is not made of formulas", advice)
        if function not in self.kernels:
            self.kernels[function] = self._kernel(function.callable)
        procedure = self.kernels[function]
        read = {each.name for each in procedure.parameters}
        args = [each for k, each in enumerate(args) if f"s{k}" in read]
        if function.outputs == 1:
            return ir.Call(procedure.name, tuple(args), ir.F64)
        key = function, node.args
        if key not in self.results:
            array = ir.Local(self.names.locals.unique(f"{function.name}_results"), ir.ArrayOf(ir.F64))
            self.results[key] = array
            self.body.append(ir.LocalArray(array.name, ir.F64, function.outputs, NOWHERE))
            self.body.append(ir.Do(ir.Call(procedure.name, (*args, array), None), NOWHERE))
        return ir.Element(self.results[key], ir.Constant(node.output, ir.I64), ir.F64)

    def _kernel(self, kernel: Kernel) -> ir.Procedure:
        made = unit_of(kernel).procedures[ENTRY]
        taken = {each.name for each in self.kernels.values()}
        name = kernel.name if kernel.name.isidentifier() else "function"
        while name in taken:
            name += "_"
        read = {part.name for part in _expressions(made.body) if isinstance(part, ir.Local)}
        parameters = tuple(each for each in made.parameters if each.name in read or each.name == "results")
        return made._replace(name=name, parameters=parameters)


def _expressions(body: tuple[ir.Statement, ...]) -> Iterator[ir.Expr]:
    """All expressions of a function, those included that it assigns to."""
    for statement in ir.statements(body):
        values: tuple[Any, ...] = tuple(statement)
        for value in values:
            if isinstance(value, EXPRESSIONS):
                yield from ir.parts(value)
