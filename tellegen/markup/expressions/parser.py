"""Text to expressions: the inverse of expression_text.

Operators are put on a stack until one that binds less tightly comes (Dijkstra's shunting yard), so the nesting of a
text is limited by memory only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tellegen.errors import DocumentError, nearest
from tellegen.ir.expressions.expr import TIME, Apply, Call, Const, Der, Expr, Function, Lookup, Slot
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.expressions.table import Table
from tellegen.markup.expressions.references import REFERENCE
from tellegen.xml.elements import Text

_TOKEN = re.compile(
    rf"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
    rf"|(?P<name>{REFERENCE})"
    r"|(?P<operator>'dot\b|\*\*|<=|>=|==|!=|[-+*/<>&|~(),])"
    r"|(?P<space>\s+)"
)
_BINARY = {op.infix: op for op in OPS.values() if op.infix and op.arity != 1}
_UNARY = {"-": OPS["neg"], "~": OPS["not"]}
_NUMBERS = {"inf": float("inf"), "nan": float("nan")}
_BOOLEANS = {"true": True, "false": False}
_RELATION = OPS["eq"].precedence


@dataclass(frozen=True)
class _Token:
    kind: str  # number, name, operator, end
    text: str
    offset: int


@dataclass(frozen=True)
class Callables:
    """Tables and functions that a document declares, by their names."""

    tables: dict[str, Table] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)


@dataclass
class _Pending:
    """An operator that waits for its right operand, an open parenthesis, or a call with the operands it has so far."""

    token: _Token
    precedence: int = -1  # of operators; parentheses and calls stop everything
    arity: int = 0
    operands: int = 0  # of a call: how many were on the stack before it


class ExpressionTextError(ValueError):
    """What is wrong with an expression, and at which character."""

    def __init__(self, what: str, offset: int) -> None:
        super().__init__(what)
        self.offset = offset


class Parser:
    """Reads expressions; `slot_of` gives the slot of a reference."""

    def __init__(self, callables: Callables, slot_of: Callable[[str], int]) -> None:
        self.callables = callables
        self.slot_of = slot_of

    def expression(self, text: Text) -> Expr:
        """The expression of a text."""
        try:
            return _Reading(self, text.value).result()
        except ExpressionTextError as problem:
            raise wrong_text(text, str(problem), problem.offset) from None

    def equation(self, text: Text) -> tuple[Expr, Expr]:
        """Both sides of `left == right`."""
        found = self.expression(text)
        if not (isinstance(found, Call) and found.op == "eq"):
            raise wrong_text(text, "this is not an equation: left == right", 0)
        return found.args[0], found.args[1]


def wrong_text(text: Text, what: str, offset: int) -> DocumentError:
    """An error about a character of an expression."""
    shown = " ".join(text.value.split())
    shown = shown if len(shown) < 80 else f"{shown[:77]}..."
    return DocumentError("E845", f"{what}, in '{shown}'", location=text.location(offset), advice="correct the text")


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            hint = ": equality is '=='" if text[at] == "=" else ""
            raise ExpressionTextError(f"'{text[at]}' is not expected here{hint}", at)
        if match.lastgroup != "space":
            yield _Token(str(match.lastgroup), match[0], at)
        at = match.end()
    yield _Token("end", "", max(len(text.rstrip()) - 1, 0))


class _Reading:
    """One expression while it is read."""

    def __init__(self, parser: Parser, text: str) -> None:
        self.parser = parser
        self.tokens = list(_tokens(text))
        self.at = 0
        self.values: list[Expr] = []
        self.waiting: list[_Pending] = []

    def result(self) -> Expr:
        expects_operand = True
        while self.token.kind != "end":
            expects_operand = self._operand() if expects_operand else self._operator()
        if expects_operand:
            raise ExpressionTextError("an operand is missing at the end", self.token.offset)
        self._reduce(-1)
        if self.waiting:
            raise ExpressionTextError("a parenthesis is not closed", self.waiting[-1].token.offset)
        return self.values[0]

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def _next(self) -> _Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def _operand(self) -> bool:
        """Take what may begin an operand; returns whether one is still expected."""
        token = self._next()
        if token.kind == "number":
            self.values.append(Const(float(token.text)))
            return False
        if token.kind == "name":
            return self._name(token)
        if token.text == "-" and self._is_number():
            self.values.append(Const(-self._number(self._next())))
            return False
        if token.text in _UNARY:
            self.waiting.append(_Pending(token, _UNARY[token.text].precedence, 1))
            return True
        if token.text == "(":
            self.waiting.append(_Pending(token))
            return True
        if token.text == ")" and self._is_empty_call():
            return self._close(token, operands=0)
        raise ExpressionTextError(f"an operand is expected, not '{token.text}'", token.offset)

    def _is_empty_call(self) -> bool:
        pending = self.waiting[-1] if self.waiting else None
        return pending is not None and pending.token.kind == "name" and pending.operands == len(self.values)

    def _is_number(self) -> bool:
        """Whether a minus belongs to a number: not in -2**x."""
        number = self.token.kind == "number" or self.token.text in _NUMBERS
        return number and self.tokens[self.at + 1].text not in ("**", "(")

    def _number(self, token: _Token) -> float:
        return float(token.text) if token.kind == "number" else _NUMBERS[token.text]

    def _name(self, token: _Token) -> bool:
        if self.token.text == "(":
            if token.text == "der":
                self.values.append(self._derivative())
                return False
            self._next()
            self.waiting.append(_Pending(token, operands=len(self.values)))
            return True
        if token.text in _BOOLEANS or token.text in _NUMBERS:
            value = _BOOLEANS[token.text] if token.text in _BOOLEANS else _NUMBERS[token.text]
            self.values.append(Const(value))
        else:
            self.values.append(TIME if token.text == "time" else Slot(self._slot(token)))
        return False

    def _slot(self, token: _Token) -> int:
        try:
            return self.parser.slot_of(token.text)
        except ValueError as problem:
            raise ExpressionTextError(str(problem), token.offset) from None

    def _derivative(self) -> Expr:
        self._next()
        inner = self._next()
        if inner.kind != "name" or self._next().text != ")":
            raise ExpressionTextError("der(...) takes the name of a variable", inner.offset)
        return Der(self._slot(inner))

    def _dot(self, token: _Token) -> bool:
        """x'dot is der(x), as VHDL-AMS writes it."""
        if self.tokens[self.at - 2].kind != "name" or not isinstance(self.values[-1], Slot):
            raise ExpressionTextError("'dot follows the name of a variable", token.offset)
        slot = self.values.pop()
        assert isinstance(slot, Slot)
        self.values.append(Der(slot.index))
        return False

    def _operator(self) -> bool:
        """Take what may follow an operand; returns whether another one is expected."""
        token = self._next()
        if token.text == "'dot":
            return self._dot(token)
        if token.text == ")":
            self._reduce(-1)
            return self._close(token, operands=1)
        if token.text == ",":
            self._reduce(-1)
            if not self.waiting or self.waiting[-1].token.kind != "name":
                raise ExpressionTextError("a comma stands between operands of a function only", token.offset)
            return True
        op = _BINARY.get(token.text)
        if op is None:
            raise ExpressionTextError(f"an operator is expected, not '{token.text}'", token.offset)
        is_relation = op.precedence == _RELATION
        self._reduce(op.precedence + (op.name == "pow" or is_relation))
        if is_relation and self.waiting and self.waiting[-1].precedence == _RELATION:
            raise ExpressionTextError("comparisons do not form chains: use parentheses", token.offset)
        self.waiting.append(_Pending(token, op.precedence, 2))
        return True

    def _reduce(self, precedence: int) -> None:
        """Give operators that bind at least as tightly their operands."""
        while self.waiting and self.waiting[-1].arity and self.waiting[-1].precedence >= max(precedence, 0):
            pending = self.waiting.pop()
            op = _UNARY[pending.token.text] if pending.arity == 1 else _BINARY[pending.token.text]
            operands = tuple(self.values[-pending.arity :])
            del self.values[-pending.arity :]
            self.values.append(Call(op.name, operands))

    def _close(self, token: _Token, operands: int) -> bool:
        if not self.waiting:
            raise ExpressionTextError("')' closes nothing", token.offset)
        pending = self.waiting.pop()
        if pending.token.kind == "name":
            first = pending.operands
            arguments = tuple(self.values[first:])
            del self.values[first:]
            self.values.append(self._called(pending.token, arguments))
        elif not operands:
            raise ExpressionTextError("there is nothing between the parentheses", token.offset)
        return False

    def _called(self, token: _Token, arguments: tuple[Expr, ...]) -> Expr:
        name, bracket, rest = token.text.partition("[")
        callables = self.parser.callables
        count = len(arguments)
        if name in callables.tables and not bracket:
            table = callables.tables[name]
            self._check_count(token, count, len(table.breaks))
            return Lookup(table, arguments)
        if name in callables.functions:
            function = callables.functions[name]
            output = rest.rstrip("]") or "0"
            if not output.isdecimal() or int(output) >= function.outputs:
                raise ExpressionTextError(f"'{name}' has no output [{output}]: it has {function.outputs}", token.offset)
            return Apply(function, arguments, int(output))
        if name == "sum" and count:
            return Call("add", arguments)
        op = OPS.get(token.text)
        if op is None or op.infix:
            known = [op.name for op in OPS.values() if not op.infix]
            known += ["der", "sum", *callables.tables, *callables.functions]
            raise ExpressionTextError(f"'{token.text}' is not a function; {nearest(token.text, known)}", token.offset)
        if op.arity >= 0:  # others take any number
            self._check_count(token, count, op.arity)
        return Call(op.name, arguments)

    def _check_count(self, token: _Token, count: int, needed: int) -> None:
        if count != needed:
            raise ExpressionTextError(f"'{token.text}' takes {needed} operands, not {count}", token.offset)
