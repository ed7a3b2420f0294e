"""Expressions in Modelica's notation.

Precedence is Modelica's: a sign binds like a sum, `not` weaker than a comparison, powers and comparisons do not chain.
Numbers are Real except where an Integer is needed: constants and arithmetic then stay integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tellegen.errors import ExportError
from tellegen.exporters.modelica.lexical import number
from tellegen.exporters.modelica.tables import TableFunctions
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot, walk
from tellegen.ir.expressions.ops import RELATIONS, TRUTH_VALUED
from tellegen.ir.expressions.template import SlotInfo, Template

_OR = 10
_AND = 20
_NOT = 30
_RELATION = 40
_SUM = 50
_PRODUCT = 60
_POWER = 70
_PRIMARY = 80
_INFIX = {
    "or": ("or", _OR),
    "and": ("and", _AND),
    "lt": ("<", _RELATION),
    "le": ("<=", _RELATION),
    "gt": (">", _RELATION),
    "ge": (">=", _RELATION),
    "eq": ("==", _RELATION),
    "ne": ("<>", _RELATION),
}
_NAMES = {"no_event": "noEvent", "varying_delay": "delay"}
_INTEGER = frozenset({"add", "sub", "mul", "neg", "abs", "min", "max", "mod", "pre"})


@dataclass(frozen=True)
class Element:
    """A slot that is an element of an array: the name of the array, its sizes, and which element."""

    array: str
    sizes: tuple[int, ...]
    position: int


@dataclass(frozen=True)
class Printer:
    """Prints the expressions of one statement; `names` are the component references of its slots."""

    template: Template
    names: Sequence[str]
    tables: TableFunctions
    elements: Sequence[Element | None] = ()  # of slots, for statements that assign
    begins: str = ""  # the parameter that holds the time at which the run begins
    reinit_at_once: bool = True  # by the rules of the model

    @property
    def slots(self) -> tuple[SlotInfo, ...]:
        """What the slots are."""
        return self.template.slots

    def text(self, expr: Expr, above: int = 0) -> str:
        """An expression, in parentheses if what is around it binds tighter (`above`)."""
        text, rank = self._printed(expr)
        return f"({text})" if rank < above else text

    def integer(self, expr: Expr) -> str:
        """An expression whose value is an integer, as an Integer."""
        return self._integer(expr)[0] if self.is_integer(expr) else f"integer(floor({self.text(expr, _SUM)} + 0.5))"

    def assigned(self, slot: int, expr: Expr) -> str:
        """An expression as a value for a slot."""
        return self.integer(expr) if self.slots[slot].type in ("integer", "enumeration") else self.text(expr)

    # -- types --------------------------------------------------------------------------------------------------
    def is_integer(self, expr: Expr) -> bool:
        """Whether an expression can be written with integers only."""
        if isinstance(expr, Const):
            return not isinstance(expr.value, bool) and float(expr.value).is_integer()
        if isinstance(expr, Slot):
            return self.slots[expr.index].type in ("integer", "enumeration")
        if isinstance(expr, Call) and expr.op in ("floor", "ceil", "sign"):
            return True
        if isinstance(expr, Call) and expr.op == "where":
            return all(self.is_integer(arg) for arg in expr.args[1:])
        return isinstance(expr, Call) and expr.op in _INTEGER and all(map(self.is_integer, expr.args))

    def _has_integers(self, expr: Expr) -> bool:
        """Whether it is an integer by what it reads, not only by its constants."""
        return self.is_integer(expr) and not isinstance(expr, Const)

    def is_boolean(self, expr: Expr) -> bool:
        """Whether the value is a Boolean."""
        if isinstance(expr, Const):
            return isinstance(expr.value, bool)
        if isinstance(expr, Slot):
            return self.slots[expr.index].type == "boolean"
        if isinstance(expr, Call) and expr.op in ("where", "pre", "no_event"):
            return self.is_boolean(expr.args[-1])
        return isinstance(expr, Call) and expr.op in TRUTH_VALUED

    # -- printing -----------------------------------------------------------------------------------------------
    def _printed(self, expr: Expr) -> tuple[str, int]:
        if isinstance(expr, Const):
            if isinstance(expr.value, bool):
                return ("true" if expr.value else "false"), _PRIMARY
            return _signed(number(expr.value))
        if isinstance(expr, Slot):
            return _signed(self.names[expr.index])
        if isinstance(expr, Der):
            return f"der({self.names[expr.index]})", _PRIMARY
        if isinstance(expr, Lookup):
            return f"{self.tables.name(expr.table)}({self._list(expr.args)})", _PRIMARY
        if isinstance(expr, Apply):
            raise self._refusal("E420", f"the function '{expr.function.name}' is code that cannot be read")
        if isinstance(expr, Call):
            return self._call(expr, integer=False)
        return "time", _PRIMARY

    def _integer(self, expr: Expr) -> tuple[str, int]:
        if isinstance(expr, Const):
            return _signed(str(int(expr.value)))
        if isinstance(expr, Call) and expr.op in ("floor", "ceil", "sign"):
            inner = self.text(expr.args[0])
            return (f"integer({inner})" if expr.op == "floor" else f"integer({expr.op}({inner}))"), _PRIMARY
        return self._call(expr, integer=True) if isinstance(expr, Call) else self._printed(expr)

    def _call(self, expr: Call, integer: bool) -> tuple[str, int]:
        op = expr.op
        if op in ("add", "sub"):
            return self._sum(expr, integer), _SUM
        if op == "neg":
            return f"-{self._operand(expr.args[0], _PRODUCT, integer)}", _SUM
        if op in ("mul", "div"):
            first = expr.args[0]
            if isinstance(first, Call) and first.op == "neg":  # -a*b is what people write for (-a)*b
                return f"-{self._operand(Call(op, (first.args[0], expr.args[1])), _PRODUCT, integer)}", _SUM
            if isinstance(first, Const) and first.value < 0:
                return f"-{self._operand(Call(op, (Const(-first.value), expr.args[1])), _PRODUCT, integer)}", _SUM
            left = self._operand(first, _PRODUCT, integer)
            return f"{left}{'*' if op == 'mul' else '/'}{self._operand(expr.args[1], _PRODUCT + 1, integer)}", _PRODUCT
        if op == "pow":
            return self._power(expr), _POWER
        if op in RELATIONS:
            return self._relation(expr)
        if op in ("and", "or"):
            word, rank = _INFIX[op]
            return f" {word} ".join(self.text(arg, rank) for arg in expr.args), rank
        if op == "not":
            return f"not {self.text(expr.args[0], _RELATION)}", _NOT
        if op == "where":
            return self._where(expr, integer), 0
        return self._function(expr, integer), _PRIMARY

    def _operand(self, expr: Expr, above: int, integer: bool) -> str:
        text, rank = self._integer(expr) if integer else self._printed(expr)
        return f"({text})" if rank < above else text

    def _sum(self, expr: Call, integer: bool) -> str:
        text = self._operand(expr.args[0], _SUM, integer)
        for arg in expr.args[1:]:
            minus = expr.op == "sub"
            if isinstance(arg, Const) and arg.value < 0:
                arg = Const(-arg.value)
                minus = not minus
            elif isinstance(arg, Call) and arg.op == "neg":
                arg = arg.args[0]
                minus = not minus
            text += f" {'-' if minus else '+'} {self._operand(arg, _SUM + 1, integer)}"
        return text

    def _power(self, expr: Call) -> str:
        base, exponent = expr.args
        shown = self.text(exponent, _PRIMARY)
        if isinstance(exponent, Const) and float(exponent.value).is_integer() and exponent.value >= 0:
            shown = str(int(exponent.value))
        return f"{self.text(base, _PRIMARY)}^{shown}"

    def _relation(self, expr: Call) -> tuple[str, int]:
        left, right = expr.args
        whole = self.is_integer(left) and self.is_integer(right)
        if whole and (self._has_integers(left) or self._has_integers(right)):
            word, rank = _INFIX[expr.op]
            return f"{self._operand(left, rank + 1, True)} {word} {self._operand(right, rank + 1, True)}", rank
        if expr.op in ("eq", "ne") and not self.is_boolean(left):
            return self._equality(expr)  # Modelica has no == of Reals
        word, rank = _INFIX[expr.op]
        return f"{self.text(left, rank + 1)} {word} {self.text(right, rank + 1)}", rank

    def _equality(self, expr: Call) -> tuple[str, int]:
        left, right = (self.text(arg, _RELATION + 1) for arg in expr.args)
        if expr.op == "eq":
            return f"{left} <= {right} and {left} >= {right}", _AND
        return f"{left} < {right} or {left} > {right}", _OR

    def _where(self, expr: Call, integer: bool) -> str:
        condition, yes, no = expr.args
        text = f"if {self.text(condition)} then {self._operand(yes, 1, integer)}"
        while isinstance(no, Call) and no.op == "where":
            condition, yes, no = no.args
            text += f" elseif {self.text(condition)} then {self._operand(yes, 1, integer)}"
        return f"{text} else {self._operand(no, 1, integer)}"

    def _function(self, expr: Call, integer: bool) -> str:
        if expr.op == "smooth":
            return f"smooth({int(expr.args[0].value)}, {self.text(expr.args[1])})"  # type: ignore[attr-defined]
        if expr.op == "delay":
            self._check_delay(expr.args[1])
        if expr.op == "transported":
            raise self._refusal("E421", "tg.transport stands for one end of a pipe")
        if expr.op == "with_derivatives":
            raise self._refusal("E421", "tg.with_derivatives gives the derivatives of a signal")
        name = _NAMES.get(expr.op, expr.op)
        if integer:
            return f"{name}({', '.join(self._integer(arg)[0] for arg in expr.args)})"
        return f"{name}({self._list(expr.args)})"

    def _list(self, args: Sequence[Expr]) -> str:
        return ", ".join(self.text(arg) for arg in args)

    def _check_delay(self, time: Expr) -> None:
        if any(isinstance(node, Slot) and not self.slots[node.index].parameter for node in walk(time)):
            raise self._refusal("E421", "a delay is computed from variables")

    def _refusal(self, code: str, what: str) -> ExportError:
        owner = f" in {self.template.owner}" if self.template.owner else ""
        return ExportError(
            code,
            f"{what}{owner}: Modelica cannot express it",
            location=self.template.location,
            advice="write the function with tg operations, so that it is traced, or leave the component out",
        )


def _signed(text: str) -> tuple[str, int]:
    """A name or number and how tightly it binds: like a sum if it has a sign."""
    return text, _SUM if text.startswith("-") else _PRIMARY
