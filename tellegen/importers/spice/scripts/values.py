"""Numbers of scripts: `let r = 2 * vector(3)[1] + 1k`, conditions, and `$name` put into the text of a command.

What depends on results of analyses is not a number here: UnknownError is raised, and whoever asks decides what to do.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tellegen.importers.spice.netlist import expression
from tellegen.importers.spice.netlist.expression import CONSTANTS, ExpressionError, Tree

_WORDS = {"gt": ">", "lt": "<", "ge": ">=", "le": "<=", "eq": "==", "ne": "!=", "and": "&&", "or": "||", "not": "!"}
_WORD = re.compile(r"\b(gt|lt|ge|le|eq|ne|and|or|not)\b")
_EQUALS = re.compile(r"(?<![<>=!])=(?!=)")
_INDEXED = re.compile(r"([a-z_][\w.]*)\s*\[([^\[\]]*)\]")
_VARIABLE = re.compile(r"\$(&?)([a-z_][\w.]*)(?:\[([^\[\]]*)\])?")
_TRUTHS = {"true": 1.0, "yes": 1.0, "false": 0.0, "no": 0.0}


class UnknownError(Exception):
    """A value that follows from results, or from what is not understood; its text is its name."""


def evaluated(text: str, names: Mapping[str, Any]) -> Any:
    """The value of an expression: a number or an array."""
    for sign, double in (("<>", "!="), ("&", "&&"), ("|", "||"), ("~", "!")):
        text = text.replace(sign * 2, sign).replace(sign, double)
    text = _EQUALS.sub("==", _WORD.sub(lambda word: _WORDS[word[0]], text))
    while _INDEXED.search(text):
        text = _INDEXED.sub(r"at(\1, \2)", text)
    try:
        tree = expression.parse(text.strip().translate(str.maketrans("{}", "()")))
    except ExpressionError:
        raise UnknownError(text) from None
    return _value(tree, names)


def number(text: str, names: Mapping[str, Any]) -> float:
    """The value of an expression that is one number."""
    found = np.asarray(evaluated(text, names), dtype=float)
    if found.size != 1 or not np.isfinite(found).all():
        raise UnknownError(text)
    return float(found.reshape(()))


def substituted(text: str, variables: Mapping[str, str], names: Mapping[str, Any]) -> str:
    """The text with `$name`, `$name[2]` and `$&name` written out."""

    def written(found: re.Match[str]) -> str:
        whole, is_number, name, index = found[0], found[1], found[2], found[3]
        if is_number:
            return repr(number(name if index is None else f"{name}[{index}]", names))
        if name not in variables:
            raise UnknownError(whole)
        words = variables[name].strip("() ").split() if index is not None else []
        if index is None:
            return variables[name]
        place = int(number(substituted(index, variables, names), names)) - 1
        if not 0 <= place < len(words):
            raise UnknownError(whole)
        return words[place]

    return _VARIABLE.sub(written, text)


def _value(tree: Tree, names: Mapping[str, Any]) -> Any:
    if not isinstance(tree, tuple):
        return tree
    operation, *parts = tree
    if operation == "name":
        return _named(parts[0], names)
    if operation == "?":
        return _value(parts[1] if np.all(_value(parts[0], names)) else parts[2], names)
    if operation == "call":
        function, *arguments = parts
        if function not in _FUNCTIONS:
            raise UnknownError(function)
        return _FUNCTIONS[function](*(_value(each, names) for each in arguments))
    with np.errstate(all="ignore"):
        return _OPERATIONS[operation](*(_value(each, names) for each in parts))


def _named(name: str, names: Mapping[str, Any]) -> Any:
    for known in (names, _TRUTHS, CONSTANTS):
        if known.get(name) is not None:
            return known[name]
    raise UnknownError(name)


def _at(values: Any, place: Any) -> Any:
    array = np.atleast_1d(values)
    k = int(np.asarray(place).reshape(()))
    if not 0 <= k < len(array):
        raise UnknownError("an index out of range")
    return array[k]


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": lambda a, b: np.divide(a, b),
    "**": lambda a, b: np.power(np.asarray(a, dtype=float), b),
    "neg": np.negative,
    "<": lambda a, b: 1.0 * np.less(a, b),
    ">": lambda a, b: 1.0 * np.greater(a, b),
    "<=": lambda a, b: 1.0 * np.less_equal(a, b),
    ">=": lambda a, b: 1.0 * np.greater_equal(a, b),
    "==": lambda a, b: 1.0 * np.equal(a, b),
    "!=": lambda a, b: 1.0 * np.not_equal(a, b),
    "&&": lambda a, b: 1.0 * np.logical_and(a, b),
    "||": lambda a, b: 1.0 * np.logical_or(a, b),
    "!": lambda a: 1.0 * np.logical_not(a),
}

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "at": _at,
    "vector": lambda n: np.arange(float(math.floor(n))),
    "unitvec": lambda n: np.ones(math.floor(n)),
    "length": lambda x: float(np.size(x)),
    "mean": np.mean,
    "abs": np.abs,
    "mag": np.abs,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "ln": np.log,
    "log": np.log10,  # as in ngspice's scripts
    "log10": np.log10,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "atan": np.arctan,
    "floor": np.floor,
    "ceil": np.ceil,
    "vecmax": np.max,
    "vecmin": np.min,
    "maximum": np.max,
    "minimum": np.min,
}
