"""Expressions of netlists as trees, and their values.

    2*pi*f             ("*", ("*", 2.0, ("name", "pi")), ("name", "f"))
    v(a,b) > 0 ? 1 : 0 ("?", (">", ("call", "v", ...), 0.0), 1.0, 0.0)

A tree is a nest of tuples, so that it can decide the structure of a component. Its value is a number where all names
are numbers, and an expression of the model where some are quantities of it (sources of arbitrary voltage).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import tellegen as tg
from tellegen.importers.spice.netlist.numbers import leading_number

Tree = Any  # a number or a tuple ("operation", parts...)

_NAME = re.compile(r"[a-z_@#][\w.#]*", re.IGNORECASE)
_SIGN = re.compile(r"\*\*|<=|>=|==|!=|&&|\|\||[-+*/^<>!?:(),]")
_LEVELS = (("||",), ("&&",), ("==", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/"))
CONSTANTS = {"pi": math.pi, "e": math.e, "boltz": 1.380649e-23, "echarge": 1.602176634e-19, "kelvin": -273.15}


class ExpressionError(Exception):
    """What is wrong with an expression."""


def parse(text: str) -> Tree:
    """The tree of an expression."""
    reader = _Reader(text)
    tree = reader.choice()
    if reader.next is not None:
        raise ExpressionError(f"'{reader.next}' is not expected there")
    return tree


class _Reader:
    """Reads by recursive descent; `next` is the token to come, None at the end."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.next: Any = None
        self.advance()

    def advance(self) -> Any:
        """The present token; the next one is read."""
        done = self.next
        text = self.text
        while self.at < len(text) and text[self.at].isspace():
            self.at += 1
        if self.at == len(text):
            self.next = None
            return done
        found = leading_number(text[self.at :]) if text[self.at] not in "+-" else None
        if found is not None:
            self.next, length = found
            self.at += length
            return done
        match = _NAME.match(text, self.at) or _SIGN.match(text, self.at)
        if match is None:
            raise ExpressionError(f"'{text[self.at :]}' is not understood")
        self.next = match[0]
        self.at = match.end()
        return done

    def expect(self, sign: str) -> None:
        if self.advance() != sign:
            raise ExpressionError(f"'{sign}' is missing")

    def choice(self) -> Tree:
        condition = self.binary(0)
        if self.next != "?":
            return condition
        self.advance()
        yes = self.choice()
        self.expect(":")
        return ("?", condition, yes, self.choice())

    def binary(self, level: int) -> Tree:
        if level == len(_LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while isinstance(self.next, str) and self.next in _LEVELS[level]:
            sign = self.advance()
            left = (sign, left, self.binary(level + 1))
        return left

    def unary(self) -> Tree:
        if isinstance(self.next, str) and self.next in "+-!":
            sign = self.advance()
            inner = self.unary()
            return inner if sign == "+" else ("neg" if sign == "-" else "!", inner)
        return self.power()

    def power(self) -> Tree:
        base = self.atom()
        while self.next in ("**", "^"):  # as in ngspice 2**3**2 is (2**3)**2
            self.advance()
            base = ("**", base, self.exponent())
        return base

    def exponent(self) -> Tree:
        if isinstance(self.next, str) and self.next in "+-":
            inner = self.exponent() if self.advance() == "+" else ("neg", self.exponent())
            return inner
        return self.atom()

    def atom(self) -> Tree:
        token = self.advance()
        if isinstance(token, float):
            return token
        if token == "(":
            inner = self.choice()
            self.expect(")")
            return inner
        if token is None or not _NAME.fullmatch(token):
            raise ExpressionError("it ends too early" if token is None else f"'{token}' is not expected there")
        if self.next != "(":
            return ("name", token)
        self.advance()
        return ("call", token, *(self.nodes() if token in ("v", "i") else self.arguments()))

    def arguments(self) -> list[Tree]:
        found: list[Tree] = []
        while self.next != ")":
            found.append(self.choice())
            if self.next != ")":
                self.expect(",")
        self.advance()
        return found

    def nodes(self) -> list[str]:
        """Names of nodes, which may be numbers: they are taken from the text."""
        end = self.text.find(")", self.at)
        if end < 0:
            raise ExpressionError("')' is missing")
        begin = self.text.rfind("(", 0, self.at) + 1
        self.at = end + 1
        self.advance()
        return [name.strip() for name in self.text[begin:end].split(",")]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, bool))


def _either(numbers: Callable[..., Any], symbols: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers and of quantities of a model."""
    return lambda *values: (numbers if all(map(_is_number, values)) else symbols)(*values)


def _power(base: Any, exponent: Any) -> Any:
    """Of numbers x**y; of quantities, as in ngspice, |x|**y."""
    return base**exponent if _is_number(base) else abs(base) ** exponent


def _step(x: Any) -> Any:
    return tg.where(x > 0, 1.0, 0.0)


def _table(x: Any, *corners: Any) -> Any:
    """`table(x, x1, y1, x2, y2, ...)`: straight between the points, level beyond them."""
    if len(corners) < 2 or len(corners) % 2:
        raise ExpressionError("'table' needs pairs of numbers")
    total = corners[1]
    for k in range(0, len(corners) - 2, 2):
        width = corners[k + 2] - corners[k]
        if not width > 0.0:
            raise ExpressionError("the points of 'table' do not increase")
        beyond = FUNCTIONS["min"](FUNCTIONS["max"](x - corners[k], 0.0), width)
        total = total + (corners[k + 3] - corners[k + 1]) / width * beyond
    return total


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: _either(getattr(math, name), getattr(tg, name))
        for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "sqrt")
    },
    **{name: _either(math.log, tg.log) for name in ("ln", "log")},
    "log10": _either(math.log10, tg.log10),
    "floor": _either(math.floor, tg.floor),
    "ceil": _either(math.ceil, tg.ceil),
    "abs": abs,
    "min": _either(min, tg.minimum),
    "max": _either(max, tg.maximum),
    "pow": _power,
    "pwr": lambda x, y: abs(x) ** y * FUNCTIONS["sgn"](x),
    "limit": lambda x, a, b: FUNCTIONS["max"](FUNCTIONS["min"](a, b), FUNCTIONS["min"](x, FUNCTIONS["max"](a, b))),
    "sgn": _either(lambda x: float((x > 0) - (x < 0)), tg.sign),
    "u": _either(lambda x: float(x > 0), _step),
    "ddt": lambda x: 0.0 if _is_number(x) else tg.der(x),
    "uramp": lambda x: FUNCTIONS["max"](x, 0.0),
    "stp": _either(lambda x: float(x > 0), _step),
    "if": _either(lambda condition, yes, no: yes if condition else no, tg.where),
    "table": _table,
    "pwl": _table,
}

_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "**": _power,
    "neg": lambda a: -a,
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "&&": _either(lambda a, b: bool(a) and bool(b), lambda a, b: a & b),
    "||": _either(lambda a, b: bool(a) or bool(b), lambda a, b: a | b),
    "!": _either(lambda a: not a, lambda a: ~a),
}


def value(tree: Tree, name: Callable[[str], Any], call: Callable[[str, tuple[Any, ...]], Any] | None = None) -> Any:
    """The value of a tree; `name` knows names, `call` the functions v and i and those that the user defined."""
    if not isinstance(tree, tuple):
        return tree
    operation, *parts = tree
    if operation == "name":
        return name(parts[0])
    if operation == "?":
        condition = value(parts[0], name, call)
        if _is_number(condition):
            return value(parts[1] if condition else parts[2], name, call)
        return tg.where(condition, value(parts[1], name, call), value(parts[2], name, call))
    if operation != "call":
        return _OPERATIONS[operation](*(value(part, name, call) for part in parts))
    function, *arguments = parts
    if function in ("v", "i"):
        if call is None:
            raise ExpressionError(f"{function}(...) is not a number: only sources (B, E, G) can depend on it")
        return call(function, tuple(arguments))
    if function not in FUNCTIONS:
        raise ExpressionError(f"there is no function '{function}'")
    try:
        return FUNCTIONS[function](*(value(part, name, call) for part in arguments))
    except TypeError:
        raise ExpressionError(f"'{function}' does not take {len(arguments)} values") from None
