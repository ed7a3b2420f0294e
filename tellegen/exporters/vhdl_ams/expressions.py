"""Expressions in VHDL-AMS.

A relation of quantities is a threshold: `x > 1.0` becomes `above_1'above(0.0)` of a quantity `above_1 == x - 1.0`, so
that the simulator finds the instant. Conditional values are calls of `choose`, for VHDL has no conditional expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tellegen.errors import ExportError
from tellegen.exporters.source.identifiers import Scope
from tellegen.exporters.vhdl_ams.lexical import number
from tellegen.exporters.vhdl_ams.tables import TableFunctions
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, Time
from tellegen.ir.expressions.ops import RELATIONS, TRUTH_VALUED
from tellegen.ir.expressions.template import SlotInfo, Template

_SUM = 50
_PRODUCT = 60
_POWER = 70
_PRIMARY = 80
_LOGIC = 20
_RELATION = 40
_RELATION_WORDS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=", "ne": "/="}
_FUNCTIONS = {
    **{name: name for name in ("sqrt", "exp", "log", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{"floor": "floor", "ceil": "ceil", "sign": "sign", "min": "realmin", "max": "realmax"},
    **{"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan"},
}


@dataclass
class Thresholds:
    """The quantities whose signs are the conditions of an architecture."""

    scope: Scope
    names: dict[str, str] = field(default_factory=dict)  # by the expression that is compared with zero
    breaks: dict[str, None] = field(default_factory=dict)  # signals at whose events equations change

    def above(self, difference: str) -> str:
        """The signal that is true while a difference is above zero."""
        if difference not in self.names:
            self.names[difference] = self.scope.unique(f"above_{len(self.names) + 1}")
        return f"{self.names[difference]}'above(0.0)"


@dataclass
class Printer:
    """Prints the expressions of one statement."""

    template: Template
    names: Sequence[str]
    signals: Sequence[bool]  # whether slots change at instants only
    tables: TableFunctions
    thresholds: Thresholds
    located: bool = True  # whether relations are thresholds; inside processes they are compared as they are
    started: str = ""  # inside processes, the signal that has its event at the start

    @property
    def slots(self) -> tuple[SlotInfo, ...]:
        """What the slots are."""
        return self.template.slots

    def is_signal(self, slot: int) -> bool:
        """Whether a slot changes at instants only."""
        return self.signals[slot]

    def text(self, expr: Expr, above: int = 0) -> str:
        """A real or Boolean expression."""
        text, rank = self._printed(expr)
        return f"({text})" if rank < above else text

    def integer(self, expr: Expr) -> str:
        """An expression as an integer."""
        if isinstance(expr, Const):
            return str(round(expr.value))
        if isinstance(expr, Slot) and self.slots[expr.index].type in ("integer", "enumeration"):
            return self.names[expr.index]
        if isinstance(expr, Call) and expr.op == "pre":
            return self.integer(expr.args[0])
        if isinstance(expr, Call) and expr.op == "where":
            condition, yes, no = expr.args
            return f"choose({self.text(condition)}, {self.integer(yes)}, {self.integer(no)})"
        if isinstance(expr, Call) and expr.op in ("add", "sub") and all(map(self._is_whole, expr.args)):
            return f" {'+' if expr.op == 'add' else '-'} ".join(self.integer(arg) for arg in expr.args)
        return f"integer({self.text(expr)})"

    def _is_whole(self, expr: Expr) -> bool:
        """Whether an operand is an integer that needs no parentheses."""
        return self._is_integer(expr) or (
            isinstance(expr, Const) and expr.value >= 0 and float(expr.value).is_integer()
        )

    def assigned(self, slot: int, expr: Expr) -> str:
        """A value for a slot."""
        return self.integer(expr) if self.slots[slot].type in ("integer", "enumeration") else self.text(expr)

    def is_boolean(self, expr: Expr) -> bool:
        """Whether the value is a Boolean."""
        if isinstance(expr, Const):
            return isinstance(expr.value, bool)
        if isinstance(expr, Slot):
            return self.slots[expr.index].type == "boolean"
        if isinstance(expr, Call) and expr.op in ("where", "pre", "no_event"):
            return self.is_boolean(expr.args[-1])
        return isinstance(expr, Call) and expr.op in TRUTH_VALUED

    def _is_integer(self, expr: Expr) -> bool:
        if isinstance(expr, Call) and expr.op == "pre":
            return self._is_integer(expr.args[0])
        return isinstance(expr, Slot) and self.slots[expr.index].type in ("integer", "enumeration")

    def _printed(self, expr: Expr) -> tuple[str, int]:
        if isinstance(expr, Const):
            if isinstance(expr.value, bool):
                return ("true" if expr.value else "false"), _PRIMARY
            return _signed(number(expr.value))
        if isinstance(expr, Slot):
            if self.located and self.is_signal(expr.index):
                self.thresholds.breaks[self.names[expr.index]] = None
            name = self.names[expr.index]
            return (f"real({name})", _PRIMARY) if self._is_integer(expr) else _signed(name)
        if isinstance(expr, Der):
            return f"{self.names[expr.index]}'dot", _PRIMARY
        if isinstance(expr, Time):
            return "now", _PRIMARY
        if isinstance(expr, Lookup):
            return f"{self.tables.name(expr.table)}({self._list(expr.args)})", _PRIMARY
        if isinstance(expr, Apply):
            raise self._refusal("E420", f"the function '{expr.function.name}' is code that cannot be read")
        assert isinstance(expr, Call)
        return self._call(expr)

    def _call(self, expr: Call) -> tuple[str, int]:
        op = expr.op
        args = expr.args
        if op in ("add", "sub"):
            first = self.text(args[0], _SUM)
            rest = "".join(f" {'+' if op == 'add' else '-'} {self.text(arg, _PRODUCT)}" for arg in args[1:])
            return first + rest, _SUM
        if op == "neg":
            return f"-{self.text(args[0], _PRODUCT)}", _SUM
        if op in ("mul", "div"):
            if isinstance(args[0], Call) and args[0].op == "neg":  # -a*b is what people write for (-a)*b
                return f"-{self.text(Call(op, (args[0].args[0], args[1])), _PRODUCT)}", _SUM
            if isinstance(args[0], Const) and args[0].value < 0:
                return f"-{self.text(Call(op, (Const(-args[0].value), args[1])), _PRODUCT)}", _SUM
            right = self.text(args[1], _POWER)
            return f"{self.text(args[0], _PRODUCT)}{'*' if op == 'mul' else '/'}{right}", _PRODUCT
        if op == "pow":
            return self._power(*args), _POWER
        if op == "abs":
            return f"abs {self.text(args[0], _PRIMARY)}", _POWER
        if op == "mod":
            x, y = (self.text(arg, _POWER) for arg in args)
            return f"{x} - {y}*floor({x}/{y})", _SUM
        if op in RELATIONS:
            return self._relation(expr)
        if op in ("and", "or"):
            return f" {op} ".join(self.text(arg, _RELATION) for arg in args), _LOGIC
        if op == "not":
            return f"not {self.text(args[0], _PRIMARY)}", _RELATION
        if op == "where":
            return f"choose({self._list(args)})", _PRIMARY
        return self._function(op, args), _PRIMARY

    def _function(self, op: str, args: tuple[Expr, ...]) -> str:
        if op in _FUNCTIONS:
            return f"{_FUNCTIONS[op]}({self._list(args)})"
        if op == "pre":
            return self.text(args[0], _PRIMARY)
        if op == "homotopy":
            return self.text(args[0], _PRIMARY)
        if op in ("no_event", "smooth"):
            located = self.located
            self.located = False
            try:
                return self.text(args[-1], _PRIMARY)
            finally:
                self.located = located
        if op == "initial" and self.started:
            return f"{self.started}'event"
        if op == "delay" and isinstance(args[0], Slot):
            return f"{self.names[args[0].index]}'delayed({self.text(args[1])})"
        raise self._refusal("E430", f"{op}(...) in this place")

    def _power(self, base: Expr, exponent: Expr) -> str:
        shown = self.text(exponent, _PRIMARY)
        if isinstance(exponent, Const) and float(exponent.value).is_integer():
            shown = str(int(exponent.value)) if exponent.value >= 0 else f"({int(exponent.value)})"
        return f"{self.text(base, _PRIMARY)}**{shown}"

    def _relation(self, expr: Call) -> tuple[str, int]:
        left, right = expr.args
        word = _RELATION_WORDS[expr.op]
        if self._is_integer(left) or self._is_integer(right):
            return f"{self.integer(left)} {word} {self.integer(right)}", _RELATION
        if self.is_boolean(left) or not self.located or not any(map(self.varies, expr.args)):
            return f"{self.text(left, _SUM)} {word} {self.text(right, _SUM)}", _RELATION
        against = "" if isinstance(right, Const) and right.value == 0 else f" - {self.text(right, _PRODUCT)}"
        above = self.thresholds.above(f"{self.text(left, _SUM)}{against}")
        self.thresholds.breaks[above] = None
        return (above, _PRIMARY) if expr.op in ("gt", "ge") else (f"not {above}", _RELATION)

    def varies(self, expr: Expr) -> bool:
        """Whether the value of an expression changes between events; relations and steps change at events only."""
        if isinstance(expr, (Time, Der)):
            return True
        if isinstance(expr, Slot):
            return not self.slots[expr.index].parameter and not self.is_signal(expr.index)
        if isinstance(expr, Call) and (expr.op in RELATIONS or expr.op in ("floor", "ceil", "sign")):
            return False
        return any(map(self.varies, expr.args))

    def _list(self, args: Sequence[Expr]) -> str:
        return ", ".join(self.text(arg) for arg in args)

    def _refusal(self, code: str, what: str) -> ExportError:
        return ExportError(
            code,
            f"{what} in {self.template.owner or 'a value'}: VHDL-AMS cannot express it",
            location=self.template.location,
            advice="write it with operations of tg that VHDL-AMS has, or write Modelica: tg.write_modelica",
        )


def _signed(text: str) -> tuple[str, int]:
    return text, _SUM if text.startswith("-") else _PRIMARY
