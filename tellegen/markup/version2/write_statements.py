"""The statements of a kind as elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tellegen.ir.expressions.expr import ZERO
from tellegen.ir.expressions.template import (
    Action,
    AssertTemplate,
    Branch,
    EquationTemplate,
    InvariantTemplate,
    ModalTemplate,
    Template,
    ValueTemplate,
    WhenTemplate,
    formatted,
)
from tellegen.ir.model import Stamp
from tellegen.markup.expressions.text import Names, equation_text, expression_text
from tellegen.markup.version2.sources import source_text
from tellegen.xml.elements import Element
from tellegen.xml.writer import made

EQUATION_TAGS = {"equation": "equation", "initial": "initial-equation"}
VALUE_TAGS = {"parameter": "parameter-value", "start": "start-value"}


class StatementWriter:
    """Writes the stamps of one kind; `slots_of` gives the references of a stamp."""

    def __init__(self, owner: str, names: Names, slots_of: Callable[[Stamp], list[str]]) -> None:
        self.owner = owner
        self.names = names
        self.slots_of = slots_of

    def element(self, stamp: Stamp) -> Element:
        """The element of a statement."""
        template = stamp.template
        slots = self.slots_of(stamp)
        if isinstance(template, ModalTemplate):
            return self._made(stamp, f"modal-{EQUATION_TAGS[stamp.section]}", *self._regions(template, slots))
        if isinstance(template, EquationTemplate) and template.noises:
            return self._made(stamp, "noisy-equation", *self._noises(template, slots))
        if isinstance(template, EquationTemplate):
            text = equation_text(template.lhs, template.rhs, slots, self.names)
            return self._made(stamp, EQUATION_TAGS[stamp.section], text)
        if isinstance(template, ValueTemplate):
            text = expression_text(template.value, slots, self.names)
            return self._made(stamp, VALUE_TAGS[stamp.section], text, of=slots[0])
        if isinstance(template, AssertTemplate):
            text = expression_text(template.condition, slots, self.names)
            warning = "true" if template.warning else None
            return self._made(stamp, "assert", text, message=self._message(template, slots), warning=warning)
        if isinstance(template, InvariantTemplate):
            residual, state, derivative = slots
            return self._made(stamp, "invariant", residual=residual, state=state, derivative=derivative)
        assert isinstance(template, WhenTemplate)
        branches = [self._branch(branch, slots) for branch in template.branches]
        at_start = None if template.at_start else "false"
        return self._made(stamp, "when", *branches, **{"at-start": at_start})

    def _made(self, stamp: Stamp, tag: str, *content: Element | str, **attributes: str | None) -> Element:
        template = stamp.template
        location = template.location
        shared = {
            "rows": None if stamp.rows == 1 else str(stamp.rows),
            "owner": None if template.owner == self._usual_owner(template) else template.owner,
            "scope": None if location.scope == template.owner else location.scope,
            "source": source_text(location.file, location.line),
        }
        return made(tag, {**attributes, **shared}, *content)

    def _usual_owner(self, template: Template) -> str:
        """Whose statement it is where nothing is said: values given to parts belong to nobody."""
        return "" if isinstance(template, ValueTemplate) else self.owner

    def _noises(self, template: EquationTemplate, slots: list[str]) -> Iterator[Element]:
        yield made("law", {}, equation_text(template.lhs, template.rhs, slots, self.names))
        for noise in template.noises:
            exponent = None if noise.exponent == ZERO else expression_text(noise.exponent, slots, self.names)
            factor = None if noise.factor == 1.0 else repr(noise.factor)
            density = expression_text(noise.density, slots, self.names)
            yield made("noise", {"name": noise.name, "exponent": exponent, "factor": factor}, density)

    def _regions(self, template: ModalTemplate, slots: list[str]) -> Iterator[Element]:
        yield made("active", {}, equation_text(template.lhs, template.rhs, slots, self.names))
        for mode, lhs, rhs in template.cases:
            yield made("region", {"mode": mode}, equation_text(lhs, rhs, slots, self.names))

    def _branch(self, branch: Branch, slots: list[str]) -> Element:
        condition = made("condition", {}, expression_text(branch.condition, slots, self.names))
        actions = (self._action(action, slots) for action in branch.actions)
        return made("branch", {"title": branch.title or None}, condition, *actions)

    def _action(self, action: Action, slots: list[str]) -> Element:
        text = expression_text(action.value, slots, self.names)
        of = slots[action.target] if action.target >= 0 else None
        return made(action.verb, {"of": of, "message": self._message(action, slots) or None}, text)

    def _message(self, statement: AssertTemplate | Action, slots: list[str]) -> str:
        """What is reported; a document names the values that a run would show."""
        return formatted(statement.message, statement.values, lambda value: expression_text(value, slots, self.names))
