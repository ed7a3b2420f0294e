"""If-equations whose condition varies: one row for the equations of all branches.

if c then v = 1; else v = 2*u; end if      ->      v = where(c, 1, 2*u)
if c then i = 0; else v = 0; end if        ->      where(c, i, v) = 0
"""

from __future__ import annotations

from dataclasses import field

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.sections.statements import Equation, When
from tellegen.frontends.modelica.values.assertions import Assertion
from tellegen.frontends.modelica.values.scalars import choose, either, invert, subtract
from tellegen.frontends.modelica.values.value import plain, symbol
from tellegen.ir.expressions.expr import ZERO, Call, Der, Expr, Slot, walk
from tellegen.ir.expressions.ops import TRUTH_VALUED
from tellegen.ir.source_location import SourceLocation
from tellegen.start.records import dataclass


@dataclass(slots=True)
class Rows:
    """What the equations of a section, or of a branch of one, say."""

    equations: list[Equation] = field(default_factory=list)
    assertions: list[Assertion] = field(default_factory=list)
    whens: list[When] = field(default_factory=list)


def chosen_rows(condition: Expr, yes: Rows, no: Rows, location: SourceLocation) -> Rows:
    """The rows of two branches as rows that hold always."""
    if yes.whens or no.whens:
        raise ModelicaError(
            "E581",
            "a when-equation stands in an if-equation whose condition varies",
            location=location,
            advice="put the condition into the when-equation",
        )
    if len(yes.equations) != len(no.equations):
        raise ModelicaError(
            "E580",
            f"the branches of an if-equation have {len(yes.equations)} and {len(no.equations)} equations, but its "
            "condition varies",
            location=location,
            advice="give every branch the same number of equations, or make the condition depend on parameters only",
        )
    pairs = _paired(yes.equations, no.equations)
    equations = [_chosen(condition, one, other) for one, other in pairs]
    assertions = [_only_if(condition, assertion) for assertion in yes.assertions]
    assertions += [_only_if(symbol(invert(condition)), assertion) for assertion in no.assertions]
    return Rows(equations, assertions)


def _only_if(condition: Expr, assertion: Assertion) -> Assertion:
    holds = symbol(either(invert(condition), plain(assertion.condition)))
    return Assertion(holds, assertion.message, assertion.is_warning, assertion.location, assertion.values)


def _paired(first: list[Equation], second: list[Equation]) -> list[tuple[Equation, Equation]]:
    """Equations for the same variable together; of the others those that share most variables, as written in doubt."""
    left = list(second)
    found: dict[int, Equation] = {}
    for position, equation in enumerate(first):
        same = next((other for other in left if other.left == equation.left), None)
        if same is not None:
            found[position] = same
            left.remove(same)
    for position, equation in enumerate(first):
        if position not in found:
            names = _variables(equation)
            best = max(left, key=lambda other: len(names & _variables(other)))
            found[position] = best
            left.remove(best)
    return [(equation, found[position]) for position, equation in enumerate(first)]


def _variables(equation: Equation) -> frozenset[Expr]:
    return frozenset(node for node in walk(equation.left, equation.right) if isinstance(node, Slot | Der))


def _chosen(condition: Expr, yes: Equation, no: Equation) -> Equation:
    if yes.left == no.left:
        right = symbol(choose(condition, plain(yes.right), plain(no.right)))
        return Equation(yes.left, right, yes.location)
    for equation in (yes, no):
        if _is_boolean(equation.left) or _is_boolean(equation.right):
            raise ModelicaError(
                "E580",
                "the branches of an if-equation whose condition varies determine different Boolean variables",
                location=equation.location,
                advice="determine the same variables in every branch",
            )
    residual = choose(condition, _residual(yes), _residual(no))
    return Equation(symbol(residual), ZERO, yes.location)


def _residual(equation: Equation) -> float | Expr:
    return subtract(plain(equation.left), plain(equation.right))  # type: ignore[return-value]


def _is_boolean(expression: Expr) -> bool:
    return isinstance(expression, Call) and expression.op in TRUTH_VALUED
