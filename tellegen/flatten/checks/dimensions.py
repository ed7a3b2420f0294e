"""Dimensions: terms that are added, compared or equated must agree, checked once for each template.

A bare number and a variable without a unit fit everything; only contradictions between declared units are errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tellegen.errors import LanguageError
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, Time, walk
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.template import (
    EquationTemplate,
    InvariantTemplate,
    ModalTemplate,
    Template,
    ValueTemplate,
    WhenTemplate,
)
from tellegen.ir.model import Model
from tellegen.ir.show.statements import show_expr, show_template
from tellegen.units import DIMENSIONLESS, NO_UNIT, Dimension, Unit, UnitTextError, parse_unit, readable
from tellegen.units import TIME as SECOND

Known = Dimension | None


class DimensionCheck:
    """Infers the dimension of every node of a template; None means it fits everything."""

    def __init__(self, template: Template) -> None:
        self.template = template
        self.names = [slot.name for slot in template.slots]
        self.known: dict[Expr, Known] = {}
        for node in walk(*template.expressions()):
            self.known[node] = self._of(node)

    def _of(self, node: Expr) -> Known:
        if isinstance(node, Const):
            return None
        if isinstance(node, Time):
            return SECOND
        if isinstance(node, Slot):
            return self.template.slots[node.index].unit.dimension
        if isinstance(node, Der):
            own = self.template.slots[node.index].unit.dimension
            return None if own is None else tuple(a - b for a, b in zip(own, SECOND, strict=True))
        if isinstance(node, Apply | Lookup):
            return None
        assert isinstance(node, Call)
        return self._of_call(node, [self.known[arg] for arg in node.args])

    def _of_call(self, node: Call, args: list[Known]) -> Known:
        rule = OPS[node.op].units
        if rule == "same":
            return self.agree(node.args)
        if rule == "mul":
            return _combine(args[0], args[1], 1)
        if rule == "div":
            return _combine(args[0], args[1], -1)
        if rule == "pow":
            return self._power(node, args)
        if rule == "sqrt":
            return None if args[0] is None else tuple(x / 2 for x in args[0])
        if rule in ("bool", "ratio"):
            self.agree(node.args)
            return DIMENSIONLESS if rule == "ratio" else None
        if rule == "where":
            return self.agree(node.args[1:])
        if rule == "pure":
            self._pure(node, node.args[0], args[0])
            return DIMENSIONLESS
        if rule in ("smooth", "delay"):
            return args[1] if rule == "smooth" else args[0]
        return DIMENSIONLESS if rule == "sign" else None

    def _power(self, node: Call, args: list[Known]) -> Known:
        base = args[0]
        exponent = node.args[1]
        self._pure(node, exponent, args[1])
        if base is None or base == DIMENSIONLESS:
            return base
        return tuple(x * float(exponent.value) for x in base) if isinstance(exponent, Const) else None

    def _pure(self, node: Call, arg: Expr, dimension: Known) -> None:
        if dimension == SECOND and not any(isinstance(node, Slot | Der) for node in walk(arg)):
            return  # sin(time), as everybody writes it: the frequency is a bare number
        if dimension is not None and dimension != DIMENSIONLESS:
            raise self._error(
                f"'{self.show(arg)}' has the dimension of {readable(dimension)}, but {node.op} needs a pure number",
                "divide by a reference quantity of the same dimension",
            )

    def agree(self, terms: tuple[Expr, ...]) -> Known:
        """The common dimension of terms; an error names the first two that differ."""
        first: tuple[Expr, Dimension] | None = None
        for term in terms:
            dimension = self.known[term]
            if dimension is None:
                continue
            if first is None:
                first = (term, dimension)
            elif dimension != first[1]:
                raise self._error(
                    f"'{self.show(first[0])}' has the dimension of {readable(first[1])}, "
                    f"but '{self.show(term)}' has that of {readable(dimension)}",
                    "check the terms and the units the quantities are declared with",
                )
        return None if first is None else first[1]

    def show(self, expr: Expr) -> str:
        """A term in the user's notation."""
        return show_expr(expr, self.names)

    def _error(self, message: str, advice: str) -> LanguageError:
        return LanguageError(
            "E160",
            f"inconsistent units in {self.template.owner or self.template.location.scope or 'a parameter'}: {message}",
            location=self.template.location,
            details=[f"in: {show_template(self.template)}"],
            advice=advice,
        )


def check_dimensions(template: Template) -> None:
    """Raise E160 when the declared units of a statement contradict each other."""
    if isinstance(template, ModalTemplate):  # each mode by itself: a switch has 0 V in one and 0 A in the other
        for _, lhs, rhs in template.cases:
            shared = {"slots": template.slots, "owner": template.owner, "location": template.location}
            check_dimensions(EquationTemplate(lhs=lhs, rhs=rhs, **shared))
        return
    check = DimensionCheck(template)
    if isinstance(template, EquationTemplate):
        check.agree((template.lhs, template.rhs))
    elif isinstance(template, ValueTemplate):
        check.agree((Slot(0), template.value))
    elif isinstance(template, InvariantTemplate):
        check.agree(template.expressions())
    elif isinstance(template, WhenTemplate):
        for branch in template.branches:
            for action in branch.actions:
                if action.target >= 0:
                    check.agree((Slot(action.target), action.value))


def contradictions(model: Model) -> Iterator[LanguageError]:
    """What is inconsistent in a model whose rules leave units to the reader, statement by statement.

    An if-equation may say something about a voltage in one branch and about a current in another: where(c, v, i) == 0.
    """
    for kind in model.kinds():
        for stamp in (stamp for stamp in kind.stamps if not _is_choice(stamp.template)):
            slots = tuple(replace(slot, unit=_read(slot.unit)) for slot in stamp.template.slots)
            try:
                check_dimensions(replace(stamp.template, slots=slots))
            except LanguageError as error:
                yield error


def _is_choice(template: Template) -> bool:
    """Whether a statement has other terms in each branch of a condition."""
    if not isinstance(template, EquationTemplate):
        return False
    return any(isinstance(side, Call) and side.op == "where" for side in (template.lhs, template.rhs)) and any(
        isinstance(side, Const) for side in (template.lhs, template.rhs)
    )


def _read(unit: Unit) -> Unit:
    """A unit that was left as text, with its dimension; none where the text is not a unit that is known."""
    try:
        return parse_unit(unit.text or None)
    except UnitTextError:
        return NO_UNIT


def _combine(a: Known, b: Known, sign: int) -> Known:
    if a is None or b is None:
        return None
    return tuple(x + sign * y for x, y in zip(a, b, strict=True))
