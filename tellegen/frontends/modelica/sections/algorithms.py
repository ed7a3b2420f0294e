"""Algorithm sections of models: symbolic execution to one equation for each variable that is assigned.

    algorithm                                   y = where(u > 1, 1, u)
      y := u;
      if y > 1 then y := 1; end if;

A discrete variable begins as pre(v), a continuous one with its start value (MLS 11.1.2). What a when-statement assigns
is determined by its actions, and read as it is in the statements after it. Strings are known while translating.
"""

from __future__ import annotations

from tellegen.frontends.modelica.evaluation.check_functions import check_jumps
from tellegen.frontends.modelica.evaluation.scope import Scope
from tellegen.frontends.modelica.evaluation.statements import Frame, execute
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.sections.assigned import targets_of
from tellegen.frontends.modelica.sections.branches import Rows
from tellegen.frontends.modelica.sections.calls import assertion_of, call_in_loop, left_out
from tellegen.frontends.modelica.sections.equalities import pairs
from tellegen.frontends.modelica.sections.statements import Equation
from tellegen.frontends.modelica.sections.when_statements import WhenReader
from tellegen.frontends.modelica.syntax.expressions import Call as CallExpression
from tellegen.frontends.modelica.syntax.statements import Statement, WhenStatement
from tellegen.frontends.modelica.values.arrays import mapped
from tellegen.frontends.modelica.values.entity import Entity
from tellegen.frontends.modelica.values.evaluation_error import EvaluationError, not_supported
from tellegen.frontends.modelica.values.types import can_take, named
from tellegen.frontends.modelica.values.value import Scalar, Value, scalars, symbol
from tellegen.ir.expressions.expr import Call, Slot
from tellegen.start.records import dataclass


def read_algorithm(statements: tuple[Statement, ...], scope: Scope, rows: Rows) -> None:
    """Add what an algorithm section says."""
    if not statements:
        return
    check_jumps(statements, scope.view, in_function=False)
    targets = targets_of(statements)
    names = dict.fromkeys(target.name for target in targets)
    in_whens = {target.name for target in targets if target.in_when}
    for target in targets:
        if target.name in in_whens and not target.in_when:
            error = not_supported(f"'{target.name}', assigned in a when-statement and outside of one in one algorithm,")
            raise error.located(scope.location(target.token))
    texts = {name: text for name in names if (text := _text(name, scope, name in in_whens))}
    variables = {name: _variable(name, scope) for name in names if name not in texts}
    begin = {name: _before(value, name in in_whens, scope) for name, value in variables.items()}
    values = begin | {name: _text_before(text) for name, text in texts.items()}
    effects = SectionEffects(rows, WhenReader(variables), scope)
    execute(statements, Frame(scope.with_locals(values, assigned=True), values, effects))
    rows.whens += effects.whens.whens()
    for name, text in texts.items():
        text.determine(values[name])
    whole = {target.name for target in targets if target.is_whole}
    location = scope.location(statements[0].token)
    for name in variables:
        if name not in in_whens:
            for variable, final in _assigned(variables[name], begin[name], values[name], name in whole):
                check_assigned(variable, final, scope)
                rows.equations.append(Equation(variable, symbol(final), location))


def check_assigned(variable: Slot, final: Scalar, scope: Scope) -> None:
    """Refuse a value of another type than the variable's."""
    of_slot = scope.type_of_slot
    base = of_slot(variable.index)
    if not can_take(base, final, of_slot):
        name = scope.translation.name_of(variable.index)
        raise EvaluationError("E566", f"{name} is {base}, what is assigned to it {named(final, of_slot)}")


def _assigned(variable: Value, begin: Value, final: Value, whole: bool) -> list[tuple[Slot, Scalar]]:
    """The scalars that an algorithm determines: of an array that is assigned by subscripts those that it reached."""
    found = []
    finals = (right for _, right in pairs(variable, final))
    for (slot, before), after in zip(pairs(variable, begin), finals, strict=True):
        if isinstance(slot, Slot) and (whole or after is not before):
            found.append((slot, after))
    return found


def _text(name: str, scope: Scope, in_when: bool) -> VariableInstance | None:
    """A String that is assigned, which no equation can have as its unknown."""
    found = scope.first(name)
    if not isinstance(found, VariableInstance) or not found.is_open_text:
        return None
    if in_when:
        raise not_supported(f"the String '{name}', which changes during a run,").located(found.location)
    return found


def _text_before(text: VariableInstance) -> Value:
    """What a String is when the algorithm begins."""
    start = text.attribute("start")
    return text.declared.default() if start is None else mapped(lambda part: part, start)


def _variable(name: str, scope: Scope) -> Value:
    """A variable that is assigned, as symbols."""
    found = scope.first(name)
    if not isinstance(found, Entity):
        raise EvaluationError("E584", f"'{name}' is not a variable that can be assigned to")
    if found.is_conditional(scope.instance):
        advice = "name a conditional component in connect equations and modifications only"
        raise EvaluationError("E559", f"'{name}' is assigned, but exists only under a condition", advice)
    value = found.value()
    for part in scalars(value):
        if not isinstance(part, Slot) or scope.translation.variable_of(part.index)[0].variability == "parameter":
            raise EvaluationError("E584", f"'{name}' is assigned in an algorithm, but it is a constant or parameter")
    return value


def _before(value: Value, is_discrete: bool, scope: Scope) -> Value:
    """What a variable is when the algorithm begins."""

    def begin(part: Scalar) -> Scalar:
        assert isinstance(part, Slot)
        variable, element = scope.translation.variable_of(part.index)
        if is_discrete or variable.variability == "discrete":
            return Call("pre", (part,))
        start = variable.attribute("start")
        if start is None:
            return 0.0 if variable.base == "Real" else Call("pre", (part,))
        return list(scalars(start))[element]

    return mapped(begin, value)


@dataclass
class SectionEffects:
    """What the statements of a section do beyond assigning."""

    rows: Rows
    whens: WhenReader
    scope: Scope

    def call(self, call: CallExpression, frame: Frame, condition: Scalar) -> None:
        """assert; other calls for their effect are left out with a warning."""
        name = call.function.name
        if frame.scope.recorder is not None:
            call_in_loop(call, frame, condition, self.scope)
        elif name == "assert":
            if (assertion := assertion_of(call, frame.scope, condition)) is not None:
                self.rows.assertions.append(assertion)
        elif name in ("reinit", "terminate"):
            raise not_supported(f"{name} outside of a when-statement")
        else:
            left_out(call, frame.scope)

    def when(self, statement: WhenStatement, frame: Frame) -> None:
        """A when-statement."""
        if frame.scope.guard is not True:
            raise not_supported("a when-statement under a condition that varies")
        self.whens.read(statement, frame)
