"""The parser, part two: equations and the statements of algorithms (Modelica Language Specification, A.2.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tellegen.frontends.modelica.syntax.expressions import Call, Reference, TupleExpression
from tellegen.frontends.modelica.syntax.lexer import END_OF_FILE
from tellegen.frontends.modelica.syntax.parse_expressions import ExpressionParser
from tellegen.frontends.modelica.syntax.statements import (
    Annotation,
    Assignment,
    Break,
    CallEquation,
    CallStatement,
    ConnectEquation,
    ForEquation,
    ForStatement,
    IfEquation,
    IfStatement,
    MultipleAssignment,
    Return,
    SimpleEquation,
    WhenEquation,
    WhenStatement,
    WhileStatement,
)
from tellegen.frontends.modelica.syntax.token_reader import NESTED, UnexpectedTokenError

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.expressions import Expression
    from tellegen.frontends.modelica.syntax.statements import Equation, Statement

Item = TypeVar("Item")

_ENDS = frozenset({"end", "else", "elseif", "elsewhen", END_OF_FILE})
_AFTER_SECTION = _ENDS | {"equation", "algorithm", "public", "protected", "external", "annotation"}


class EquationParser(ExpressionParser):
    """Reads equations and statements."""

    __slots__ = ()

    def annotation(self) -> Annotation | None:
        """Read by the parser of classes."""
        raise NotImplementedError

    def section(self, read: Callable[[], Item]) -> tuple[Item, ...]:
        """The items after `equation` or `algorithm`. A mistake in one of them does not hide those in others."""
        tokens = self.tokens
        found: list[Item] = []
        while (token := tokens[self.at]) not in _AFTER_SECTION:
            if token == "initial" and tokens[self.at + 1] in ("equation", "algorithm"):
                break
            depth = self.depth
            try:
                found.append(read())
                self.want(";")
            except UnexpectedTokenError as mistake:
                self.recover(mistake, depth)
        return tuple(found)

    def block(self, read: Callable[[], Item]) -> tuple[Item, ...]:
        """The items of one branch or loop."""
        found: list[Item] = []
        self.deeper()
        while self.tokens[self.at] not in _ENDS:
            found.append(read())
            self.want(";")
        self.depth -= NESTED
        return tuple(found)

    def closed(self, keyword: str) -> None:
        """end if, end for ..."""
        if self.tokens[self.at] != "end" or self.tokens[self.at + 1] != keyword:
            self.fail(f"'end {keyword}'")
        self.at += 2

    def ends(self) -> Annotation | None:
        """The description and annotation of an equation or statement, of which only the annotation is kept."""
        self.description()
        return self.annotation() if self.tokens[self.at] == "annotation" else None

    def equation(self) -> Equation:
        """One equation, with its description."""
        read = _EQUATIONS.get(self.tokens[self.at], EquationParser.simple_equation)
        return read(self)

    def simple_equation(self) -> Equation:
        """left = right, or a call."""
        start = self.at
        left = self.simple_expression()
        if self.tokens[self.at] != "=":
            if not isinstance(left, Call):
                self.fail("'='")
            self.ends()
            return CallEquation(left, start)
        self.at += 1
        right = self.expression()
        description = self.description()
        self.ends()
        return SimpleEquation(left, right, start, description)

    def connect_equation(self) -> ConnectEquation:
        """connect(a, b)."""
        start = self.at
        left, right = self.connection()
        return ConnectEquation(left, right, start, self.ends())

    def connection(self) -> tuple[Reference, Reference]:
        """The two ends in connect(a, b)."""
        self.at += 1
        self.want("(")
        left = self.reference()
        self.want(",")
        right = self.reference()
        self.want(")")
        return left, right

    def if_equation(self) -> IfEquation:
        """if ... then ... else ... end if."""
        start = self.at
        branches = self.if_branches(self.equation)
        self.ends()
        return IfEquation(branches, start)

    def if_branches(self, read: Callable[[], Item]) -> tuple[tuple[Expression | None, tuple[Item, ...]], ...]:
        """The branches of an if-equation or if-statement."""
        branches: list[tuple[Expression | None, tuple[Item, ...]]] = []
        while not branches or self.tokens[self.at] == "elseif":
            self.at += 1
            condition = self.expression()
            self.want("then")
            branches.append((condition, self.block(read)))
        if self.take("else"):
            branches.append((None, self.block(read)))
        self.closed("if")
        return tuple(branches)

    def when_equation(self) -> WhenEquation:
        """when ... then ... elsewhen ... end when."""
        start = self.at
        branches = self.when_branches(self.equation)
        self.ends()
        return WhenEquation(branches, start)

    def when_branches(self, read: Callable[[], Item]) -> tuple[tuple[Expression, tuple[Item, ...]], ...]:
        """The branches of a when-equation or when-statement."""
        branches: list[tuple[Expression, tuple[Item, ...]]] = []
        while not branches or self.tokens[self.at] == "elsewhen":
            self.at += 1
            condition = self.expression()
            self.want("then")
            branches.append((condition, self.block(read)))
        self.closed("when")
        return tuple(branches)

    def for_equation(self) -> ForEquation:
        """for i in 1:n loop ... end for."""
        start = self.at
        iterators = self.iterators()
        body = self.loop("for", self.equation)
        self.ends()
        return ForEquation(iterators, body, start)

    def loop(self, keyword: str, read: Callable[[], Item]) -> tuple[Item, ...]:
        """loop ... end for."""
        self.want("loop")
        body = self.block(read)
        self.closed(keyword)
        return body

    def statement(self) -> Statement:
        """One statement of an algorithm, with its description."""
        read = _STATEMENTS.get(self.tokens[self.at], EquationParser.assignment)
        found = read(self)
        self.ends()
        return found

    def assignment(self) -> Statement:
        """target := value, or a call."""
        start = self.at
        target = self.primary()
        if self.tokens[self.at] != ":=":
            if not isinstance(target, Call):
                self.fail("':='")
            return CallStatement(target, start)
        if not isinstance(target, Reference):
            raise UnexpectedTokenError(start, "a variable to assign to")
        self.at += 1
        return Assignment(target, self.expression(), start)

    def multiple_assignment(self) -> Statement:
        """(a, , c) := f(x)."""
        start = self.at
        targets = self.parentheses()
        items = targets.items if isinstance(targets, TupleExpression) else (targets,)
        if not all(item is None or isinstance(item, Reference) for item in items):
            raise UnexpectedTokenError(start, "variables to assign to")
        self.want(":=")
        called = self.at
        call = self.primary()
        if not isinstance(call, Call):
            raise UnexpectedTokenError(called, "a call of a function with several results")
        return MultipleAssignment(items, call, start)  # type: ignore[arg-type]

    def if_statement(self) -> IfStatement:
        """if ... then ... else ... end if."""
        start = self.at
        return IfStatement(self.if_branches(self.statement), start)

    def when_statement(self) -> WhenStatement:
        """when ... then ... elsewhen ... end when."""
        start = self.at
        return WhenStatement(self.when_branches(self.statement), start)

    def for_statement(self) -> ForStatement:
        """for i in 1:n loop ... end for."""
        start = self.at
        iterators = self.iterators()
        return ForStatement(iterators, self.loop("for", self.statement), start)

    def while_statement(self) -> WhileStatement:
        """while c loop ... end while."""
        start = self.at
        self.at += 1
        condition = self.expression()
        return WhileStatement(condition, self.loop("while", self.statement), start)

    def break_statement(self) -> Break:
        """break."""
        self.at += 1
        return Break(self.at - 1)

    def return_statement(self) -> Return:
        """return."""
        self.at += 1
        return Return(self.at - 1)


_EQUATIONS: dict[str, Callable[[EquationParser], Equation]] = {
    "connect": EquationParser.connect_equation,
    "if": EquationParser.if_equation,
    "for": EquationParser.for_equation,
    "when": EquationParser.when_equation,
}
_STATEMENTS: dict[str, Callable[[EquationParser], Statement]] = {
    "(": EquationParser.multiple_assignment,
    "if": EquationParser.if_statement,
    "for": EquationParser.for_statement,
    "when": EquationParser.when_statement,
    "while": EquationParser.while_statement,
    "break": EquationParser.break_statement,
    "return": EquationParser.return_statement,
}
