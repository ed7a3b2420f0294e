"""Elements to the statements of a kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from tellegen.errors import DocumentError
from tellegen.ir.expressions.expr import ONE, Expr
from tellegen.ir.expressions.template import (
    Action,
    AssertTemplate,
    Branch,
    EquationTemplate,
    InvariantTemplate,
    ModalTemplate,
    Noise,
    SlotInfo,
    Template,
    ValueTemplate,
    WhenTemplate,
)
from tellegen.ir.model import Ref, Stamp, Variable
from tellegen.markup.expressions.parser import Callables, Parser
from tellegen.markup.expressions.references import Found, ReferenceTextError, Scope, find_member
from tellegen.markup.version2.sources import read_source
from tellegen.xml.elements import Element

SECTIONS = {
    "equation": "equation",
    "initial-equation": "initial",
    "noisy-equation": "equation",
    "modal-equation": "equation",
    "modal-initial-equation": "initial",
    "parameter-value": "parameter",
    "start-value": "start",
    "assert": "assert",
    "invariant": "invariant",
    "when": "when",
}
"""The section of the statements of each tag."""
_SHARED = ("rows", "owner", "scope", "source")
_MOST_ROWS = 10_000_000
_ACTIONS = ("assign", "reinit", "assert", "terminate")


def unknown_name(element: Element, problem: Exception) -> DocumentError:
    """A reference in an attribute that cannot be resolved."""
    what = f"{problem}, in {element}"
    return DocumentError("E846", what, location=element.location, advice="declare it in the component, or correct it")


def read_statement(element: Element, scope: Scope, callables: Callables) -> Stamp:
    """The stamp of a statement."""
    return _Statement(element, scope, callables).stamp()


class _Statement:
    """One statement while it is read: the slots it has used so far."""

    def __init__(self, element: Element, scope: Scope, callables: Callables) -> None:
        self.element = element
        self.scope = scope
        self.parser = Parser(callables, self._slot)
        self.section = SECTIONS[element.tag]
        self.rows = element.integer("rows", 1)
        if self.rows > _MOST_ROWS:
            raise element.wrong(f"rows='{self.rows}' of {element} is too large", f"at most {_MOST_ROWS}")
        self.slots: list[SlotInfo] = []
        self.refs: list[Ref] = []
        self.known: dict[Any, int] = {}

    def stamp(self) -> Stamp:
        element = self.element
        tag = element.tag
        if tag in ("equation", "initial-equation"):
            element.check_children(())
            lhs, rhs = self._equation(element)
            return self._made(EquationTemplate, (), lhs=lhs, rhs=rhs)
        if tag == "noisy-equation":
            return self._noisy()
        if tag in ("modal-equation", "modal-initial-equation"):
            return self._modal()
        if tag in ("parameter-value", "start-value"):
            self._target(element, "of", of_parameter=tag == "parameter-value")
            value = self.parser.expression(element.text())
            return self._made(ValueTemplate, ("of",), value=value)
        if tag == "assert":
            condition = self.parser.expression(element.text())
            fields = {"message": element.word("message", ""), "warning": element.flag("warning")}
            return self._made(AssertTemplate, ("message", "warning"), condition=condition, **fields)
        if tag == "invariant":
            return self._invariant()
        element.check_children(("branch",))
        branches = tuple(self._branch(branch) for branch in element.children)
        if not branches:
            raise element.misplaced(f"{element} has no <branch>", "write what happens, and when")
        return self._made(WhenTemplate, ("at-start",), branches=branches, at_start=element.flag("at-start", True))

    # -- slots ------------------------------------------------------------------------------------------------------
    def _slot(self, text: str) -> int:
        return self._add(find_member(self.scope, text))

    def _add(self, found: Found, always: bool = False) -> int:
        ref = found.ref
        if len(ref.elements) not in (1, self.rows):
            what = f"'{found.label}' stands for {len(ref.elements)} elements in a statement of {self.rows} rows"
            raise ReferenceTextError(what)
        key = (ref.path, ref.member, ref.parameter, ref.outer, ref.outer_member, ref.elements.tobytes())
        if always or key not in self.known:
            self.known[key] = len(self.slots)
            self.slots.append(_slot_info(found))
            self.refs.append(ref)
        return self.known[key]

    def _attribute(self, element: Element, name: str, always: bool = False) -> int:
        """The slot of a reference in an attribute."""
        try:
            return self._add(find_member(self.scope, element.word(name)), always)
        except ReferenceTextError as problem:
            raise unknown_name(element, problem) from None

    def _target(self, element: Element, name: str, of_parameter: bool) -> int:
        number = self._attribute(element, name)
        if self.slots[number].parameter != of_parameter:
            what = "a parameter" if of_parameter else "a variable"
            raise element.wrong(f"'{element.word(name)}' of {element} is not {what}", "correct the name")
        return number

    # -- kinds of statements ----------------------------------------------------------------------------------------
    def _equation(self, element: Element) -> tuple[Expr, Expr]:
        element.check_children(())
        return self.parser.equation(element.text())

    def _noisy(self) -> Stamp:
        self.element.check_children(("law", "noise"))
        laws = list(self.element.all("law"))
        if len(laws) != 1:
            raise self.element.misplaced(f"{self.element} has {len(laws)} <law>", "it needs one")
        lhs, rhs = self._equation(laws[0])
        noises = tuple(self._noise(noise) for noise in self.element.all("noise"))
        return self._made(EquationTemplate, (), lhs=lhs, rhs=rhs, noises=noises)

    def _noise(self, element: Element) -> Noise:
        element.check_attributes(("name", "exponent", "factor"))
        element.check_children(())
        density = self.parser.expression(element.text())
        written = replace(element.text(), value=element.word("exponent", "0"))
        try:
            factor = float(element.word("factor", "1"))
        except ValueError:
            what = f"factor='{element.word('factor')}' of {element} is not a number"
            raise element.wrong(what, "write 1 or -1") from None
        return Noise(element.word("name"), density, self.parser.expression(written), factor)

    def _modal(self) -> Stamp:
        self.element.check_children(("active", "region"))
        active = list(self.element.all("active"))
        if len(active) != 1:
            raise self.element.misplaced(f"{self.element} has {len(active)} <active>", "it needs one")
        lhs, rhs = self._equation(active[0])
        cases = tuple((region.word("mode"), *self._equation(region)) for region in self.element.all("region"))
        return self._made(ModalTemplate, (), lhs=lhs, rhs=rhs, cases=cases)

    def _invariant(self) -> Stamp:
        for name in ("residual", "state", "derivative"):
            self._attribute(self.element, name, always=True)
        if self.slots[0].parameter or self.slots[1].parameter:
            what = f"the residual and the state of {self.element} are variables"
            raise self.element.wrong(what, "correct the names")
        return self._made(InvariantTemplate, ("residual", "state", "derivative"))

    def _branch(self, element: Element) -> Branch:
        element.check_attributes(("title",))
        element.check_children(("condition", *_ACTIONS))
        conditions = list(element.all("condition"))
        if len(conditions) != 1:
            raise element.misplaced(f"{element} has {len(conditions)} <condition>", "it needs one")
        condition = self.parser.expression(conditions[0].text())
        actions = tuple(self._action(action) for action in element.all(*_ACTIONS))
        return Branch(condition, actions, element.word("title", ""))

    def _action(self, element: Element) -> Action:
        element.check_attributes(("of", "message"))
        element.check_children(())
        target = -1
        if element.tag in ("assign", "reinit"):
            target = self._target(element, "of", of_parameter=False)
        text = element.text()
        is_silent = element.tag == "terminate" and not text.value.strip()
        value = ONE if is_silent else self.parser.expression(text)
        return Action(element.tag, value, target, element.word("message", ""))

    def _made(self, template: type[Template], attributes: tuple[str, ...], **fields: Any) -> Stamp:
        element = self.element
        element.check_attributes((*_SHARED, *attributes))
        usual = "" if template is ValueTemplate else self.scope.kind.name
        owner = element.word("owner", usual)
        location = read_source(element, element.word("scope", owner))
        made = template(slots=tuple(self.slots), owner=owner, location=location, **fields)
        return Stamp(made, tuple(self.refs), self.rows, self.section)


def _slot_info(found: Found) -> SlotInfo:
    member = found.member
    if isinstance(member, Variable):
        words = (member.role, member.type, member.discrete, member.literals)
        return SlotInfo(found.label, False, member.unit, *words)
    if member.literal and member.shape and not found.prefix:
        values = np.resize(np.asarray(member.attributes.get("value", 0.0), float), member.size)
        return SlotInfo(np.array2string(values, threshold=4), True)
    return SlotInfo(found.label, True, member.unit)
