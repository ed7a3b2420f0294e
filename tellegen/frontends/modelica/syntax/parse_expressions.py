"""The parser, part one: expressions, by precedence climbing (Modelica Language Specification, A.2.7)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from sys import intern
from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.expressions import (
    ArrayConstructor,
    Binary,
    Call,
    Colon,
    Comprehension,
    EndOfDimension,
    FieldAccess,
    IfExpression,
    Iterator,
    MatrixConstructor,
    Number,
    Part,
    PartialApplication,
    Range,
    Reference,
    Subscripted,
    Text,
    Truth,
    TupleExpression,
    Unary,
)
from tellegen.frontends.modelica.syntax.lexer import DIGITS, KEYWORDS, LETTERS, is_identifier
from tellegen.frontends.modelica.syntax.token_reader import NESTED, TokenReader

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.expressions import Expression

OR, AND, NOT, RELATION, SUM, PRODUCT, POWER = range(1, 8)
BINDING = {
    "or": OR,
    "and": AND,
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "<>"), RELATION),
    **dict.fromkeys(("+", "-", ".+", ".-"), SUM),
    **dict.fromkeys(("*", "/", ".*", "./"), PRODUCT),
    **dict.fromkeys(("^", ".^"), POWER),
}
NOT_ASSOCIATIVE = frozenset({RELATION, POWER})  # a < b < c and a^b^c are not Modelica
_SIGNS = frozenset({"+", "-", ".+", ".-"})
_ENDS = frozenset({",", ")", ";", "}", "]"})  # after an expression, whatever it is
_CALLED_KEYWORDS = frozenset({"der", "initial", "pure"})


class ExpressionParser(TokenReader):
    """Reads expressions."""

    __slots__ = ()

    def expression(self) -> Expression:
        """if ... then ... else ..., a range, or an operation. Half of all expressions are one token alone."""
        tokens = self.tokens
        start = self.at
        if tokens[start + 1] in _ENDS:
            token = tokens[start]
            if token[:1] in LETTERS:
                if token not in KEYWORDS and token != "'":
                    self.at = start + 1
                    return Reference((Part(intern(token)),), start)
            elif token[:1] in DIGITS:
                return self.number()
        self.deeper()
        found = self.if_expression() if tokens[start] == "if" else self.simple_expression()
        self.depth -= NESTED
        return found

    def simple_expression(self) -> Expression:
        """An operation or a range of them."""
        start = self.at
        first = self.operation(OR)
        if self.tokens[self.at] != ":":
            return first
        self.at += 1
        second = self.operation(OR)
        if not self.take(":"):
            return Range(first, None, second, start)
        return Range(first, second, self.operation(OR), start)

    def if_expression(self) -> IfExpression:
        """if c1 then v1 elseif c2 then v2 else v3."""
        start = self.at
        branches: list[tuple[Expression, Expression]] = []
        while not branches or self.tokens[self.at] == "elseif":
            self.at += 1
            condition = self.expression()
            self.want("then")
            branches.append((condition, self.expression()))
        self.want("else")
        return IfExpression(tuple(branches), self.expression(), start)

    def operation(self, level: int) -> Expression:
        """Operands joined by operators that bind at least as tightly as `level`."""
        tokens = self.tokens
        start = self.at
        token = tokens[start]
        if token in _SIGNS and level <= SUM:
            self.at += 1
            left: Expression = Unary(token, self.operation(PRODUCT), start)
        elif token == "not" and level <= NOT:
            self.at += 1
            left = Unary(token, self.operation(RELATION), start)
        else:
            left = self.primary()
        depth = self.depth
        while (binding := BINDING.get(tokens[self.at], 0)) >= level:
            operator = tokens[self.at]
            self.at += 1
            self.deeper(1)
            left = Binary(operator, left, self.operation(binding + 1), start)
            if binding in NOT_ASSOCIATIVE and BINDING.get(tokens[self.at]) == binding:
                self.fail(f"parentheses around one of the operations '{operator}'")
        self.depth = depth
        return left

    def primary(self) -> Expression:
        """A literal, a reference, a call or something in brackets."""
        token = self.tokens[self.at]
        read = _PRIMARIES.get(token[:1])
        if read is None:
            self.fail("an expression")
        return read(self)

    def word(self) -> Expression:
        """A reference or a call; or one of the keywords that are values."""
        token = self.tokens[self.at]
        if token not in KEYWORDS or token == "time":
            return self.reference_or_call()
        if token in _CALLED_KEYWORDS:
            return self.call_of_keyword()
        if token not in ("true", "false", "end"):
            self.fail("an expression")
        self.at += 1
        return EndOfDimension() if token == "end" else Truth(token == "true")

    def number(self) -> Expression:
        """A number, or a global reference where only a point stands here."""
        token = self.tokens[self.at]
        if token == ".":
            return self.reference_or_call()
        if token[-1] not in DIGITS and token[-1] != ".":  # .* and the like
            self.fail("an expression")
        try:
            value = int(token) if token.isdigit() else float(token)
        except ValueError:  # Python does not read integers of thousands of digits
            self.fail("a shorter number")
        if value > sys.float_info.max:  # also of integers, which have no infinity
            self.fail("a number below 1e308")
        self.at += 1
        return Number(value)

    def text(self) -> Text:
        """A string."""
        return Text(self.string())

    def call_of_keyword(self) -> Expression:
        """der(x), initial(), pure(f(x))."""
        start = self.at
        function = Reference((Part(self.tokens[start]),), start)
        self.at += 1
        if self.tokens[self.at] != "(":
            self.fail("'('")
        return self.after(self.call(function, start), start)

    def reference_or_call(self) -> Expression:
        """a.b[1], f(x), f(x).y."""
        start = self.at
        reference = self.reference()
        if self.tokens[self.at] != "(":
            return reference
        return self.after(self.call(reference, start), start)

    def reference(self) -> Reference:
        """.a.b[1].c."""
        tokens = self.tokens
        start = self.at
        is_global = tokens[start] == "."
        if is_global:
            self.at += 1
        elif tokens[start] == "time":
            self.at += 1
            return Reference((Part("time"),), start)
        parts: list[Part] = []
        while True:
            name = tokens[self.at]
            if name[:1] not in LETTERS or name in KEYWORDS or name == "'":
                self.fail("identifier")
            self.at += 1
            following = tokens[self.at]
            if following == "[":
                parts.append(Part(intern(name), self.subscripts()))
                following = tokens[self.at]
            else:
                parts.append(Part(intern(name)))
            if following != ".":
                return Reference(tuple(parts), start, is_global)
            self.at += 1

    def type_specifier(self) -> Reference:
        """.A.B: a reference without subscripts."""
        tokens = self.tokens
        start = self.at
        is_global = self.take(".")
        parts = [Part(self.identifier("the name of a class"))]
        while tokens[self.at] == ".":
            self.at += 1
            parts.append(Part(self.identifier("the name of a class")))
        return Reference(tuple(parts), start, is_global)

    def subscripts(self) -> tuple[Expression, ...]:
        """[i, :, 1:end]."""
        self.at += 1
        found = [self.subscript()]
        while self.take(","):
            found.append(self.subscript())
        self.want("]")
        return tuple(found)

    def subscript(self) -> Expression:
        """An index, or a colon alone."""
        if self.take(":"):
            return Colon()
        return self.expression()

    def call(self, function: Reference, start: int) -> Call:
        """The arguments in parentheses of a function."""
        self.at += 1
        arguments: list[Expression] = []
        named: list[tuple[str, Expression]] = []
        if self.take(")"):
            return Call(function, (), (), start)
        while True:
            if self.tokens[self.at + 1] == "=" and is_identifier(self.tokens[self.at]):
                named.append(self.named_argument())
            elif named:
                self.fail("an argument with a name, as the one before")
            else:
                arguments.append(self.argument_value())
                if self.tokens[self.at] == "for" and len(arguments) == 1:
                    arguments[0] = Comprehension(arguments[0], self.iterators(), start, braces=False)
                    break
            if not self.take(","):
                break
        self.want(")")
        return Call(function, tuple(arguments), tuple(named), start)

    def named_argument(self) -> tuple[str, Expression]:
        """n = value."""
        name = self.identifier()
        self.at += 1
        return name, self.argument_value()

    def argument_value(self) -> Expression:
        """An expression, or a function with some of its arguments given."""
        if self.tokens[self.at] != "function":
            return self.expression()
        start = self.at
        self.at += 1
        function = self.type_specifier()
        self.want("(")
        named: list[tuple[str, Expression]] = []
        while self.tokens[self.at] != ")":
            if named:
                self.want(",")
            if self.tokens[self.at + 1] != "=":
                self.fail("an argument with a name")
            named.append(self.named_argument())
        self.at += 1
        return PartialApplication(function, tuple(named), start)

    def iterators(self) -> tuple[Iterator, ...]:
        """for i in 1:n, j in 1:m; the keyword stands here."""
        self.at += 1
        found = [self.iterator()]
        while self.take(","):
            found.append(self.iterator())
        return tuple(found)

    def iterator(self) -> Iterator:
        """i in 1:n, or i alone."""
        name = self.identifier("the name of a loop variable")
        return Iterator(name, self.expression() if self.take("in") else None)

    def braces(self) -> Expression:
        """{a, b} or {a for i in r}."""
        start = self.at
        self.at += 1
        items = [self.argument_value()]
        if self.tokens[self.at] == "for":
            found: Expression = Comprehension(items[0], self.iterators(), start)
        else:
            while self.take(","):
                items.append(self.argument_value())
            found = ArrayConstructor(tuple(items), start)
        self.want("}")
        return self.after(found, start)

    def matrix(self) -> Expression:
        """[a, b; c, d]."""
        start = self.at
        self.at += 1
        rows = [self.expressions()]
        while self.take(";"):
            rows.append(self.expressions())
        self.want("]")
        return self.after(MatrixConstructor(tuple(rows), start), start)

    def expressions(self) -> tuple[Expression, ...]:
        """a, b, c: at least one."""
        found = [self.expression()]
        while self.take(","):
            found.append(self.expression())
        return tuple(found)

    def parentheses(self) -> Expression:
        """(a), or several values of which some are left out: (a, , c)."""
        start = self.at
        self.at += 1
        items: list[Expression | None] = []
        while True:
            items.append(None if self.tokens[self.at] in (",", ")") else self.expression())
            if not self.take(","):
                break
        self.want(")")
        if len(items) == 1:
            return self.after(items[0] or TupleExpression((), start), start)
        return TupleExpression(tuple(items), start)

    def after(self, expression: Expression, start: int) -> Expression:
        """What may follow a closing bracket: (...)[i], f(x).y."""
        tokens = self.tokens
        depth = self.depth
        while tokens[self.at] in ("[", "."):
            self.deeper(1)
            if tokens[self.at] == "[":
                expression = Subscripted(expression, self.subscripts(), start)
                continue
            self.at += 1
            name = self.identifier()
            subscripts = self.subscripts() if tokens[self.at] == "[" else ()
            expression = FieldAccess(expression, Part(name, subscripts), start)
        self.depth = depth
        return expression


_PRIMARIES: dict[str, Callable[[ExpressionParser], Expression]] = {
    **dict.fromkeys(LETTERS, ExpressionParser.word),
    **dict.fromkeys((*DIGITS, "."), ExpressionParser.number),
    '"': ExpressionParser.text,
    "(": ExpressionParser.parentheses,
    "{": ExpressionParser.braces,
    "[": ExpressionParser.matrix,
}
