r"""Equations as LaTeX: motor.i is i_{\mathrm{motor}}, der(x) is \dot{x}, quotients are fractions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tellegen.ir.equation import NUMBER, PARAMETER_LEAF, Equation, Leaf, equations
from tellegen.ir.expressions.expr import Apply, Call, Const, Der, Expr, Lookup, Slot
from tellegen.ir.expressions.ops import OPS
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.statements import show_number

_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
_GREEK = frozenset(_LETTERS.split())
_INFIX = {"add": "+", "sub": "-", "lt": "<", "le": r"\le", "gt": ">", "ge": r"\ge", "eq": "=", "ne": r"\ne"}
_LOGIC = {"and": r"\land", "or": r"\lor"}
_DOTS = {0: "{}", 1: r"\dot{{{}}}", 2: r"\ddot{{{}}}"}
_BRACKETED = ("div", "pow", "sqrt", "abs", "where")  # no operand of theirs can be read as one of what is outside
_NAMED = frozenset(("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "min", "max"))


def show_latex(model: ReducedModel) -> str:
    """All equations of a sorted model, aligned at the equals sign."""
    return "\\begin{align}\n" + " \\\\\n".join(f"  {line}" for line in _lines(model)) + "\n\\end{align}\n"


def _lines(model: ReducedModel) -> Iterator[str]:
    for equation in equations(model):
        yield latex_equation(equation)


def latex_equation(equation: Equation) -> str:
    """left &= right."""
    left, right = equation.sides()
    return f"{latex(left, equation.leaves)} &= {latex(right, equation.leaves) if right is not None else '0'}"


def symbol(path: str, order: int = 0) -> str:
    r"""A path as a symbol: `rack.cells[3].T` is T_{\mathrm{rack.cells[3]}}; dots for derivatives."""
    *owners, last = path.split(".")
    match = re.fullmatch(r"([A-Za-z]+)(?:_?(\w+?))?(\[.*\])?", last)
    head, tail, index = match.groups() if match else (last, "", "")
    if head in _GREEK:
        base = f"\\{head}"
    else:
        base = head if len(head) == 1 else f"\\mathrm{{{head}}}"
    below = ",".join(part for part in (tail or "", (index or "").strip("[]"), ".".join(owners)) if part)
    below = below.replace("_", r"\_")
    base = _DOTS[order].format(base) if order in _DOTS else f"{base}^{{({order})}}"
    return f"{base}_{{\\mathrm{{{below}}}}}" if below else base


def _leaf(leaf: Leaf, further: int = 0) -> str:
    if leaf.kind == NUMBER:
        return _number(leaf.value)
    return symbol(leaf.name, 0 if leaf.kind == PARAMETER_LEAF else leaf.order + further)


def _number(value: float | bool) -> str:
    text = show_number(value)
    if "e" in text:
        digits, power = text.split("e")
        times = "" if digits == "1" else f"{digits} \\cdot "
        return f"{times}10^{{{int(power)}}}"
    return text


def latex(expr: Expr, leaves: Sequence[Leaf], above: int = 0) -> str:
    """An expression; parentheses only where precedence asks for them."""
    if isinstance(expr, Const):
        text = _number(expr.value)
        return f"\\left({text}\\right)" if text.startswith("-") and above > OPS["add"].precedence else text
    if isinstance(expr, Slot | Der):
        return _leaf(leaves[expr.index], int(isinstance(expr, Der)))
    if isinstance(expr, Apply | Lookup):
        name = expr.function.name if isinstance(expr, Apply) else expr.table.name
        return f"\\operatorname{{{name}}}\\left({_listed(expr, leaves)}\\right)".replace("_", r"\_")
    if not isinstance(expr, Call):
        return "t"
    rank = OPS[expr.op].precedence
    text = _call(expr, leaves, rank)
    is_base = above > OPS["pow"].precedence
    wrapped = rank < above and (expr.op not in _BRACKETED or (is_base and expr.op in ("div", "pow", "where")))
    return f"\\left({text}\\right)" if wrapped else text


def _call(expr: Call, leaves: Sequence[Leaf], rank: int) -> str:
    args = expr.args
    if expr.op == "div":
        return f"\\frac{{{latex(args[0], leaves)}}}{{{latex(args[1], leaves)}}}"
    if expr.op == "pow":
        return f"{{{latex(args[0], leaves, rank + 1)}}}^{{{latex(args[1], leaves)}}}"
    if expr.op == "mul":
        return " \\, ".join(latex(arg, leaves, rank) for arg in args)
    if expr.op == "neg":
        return f"-{latex(args[0], leaves, OPS['mul'].precedence)}"
    if expr.op == "sqrt":
        return f"\\sqrt{{{latex(args[0], leaves)}}}"
    if expr.op == "abs":
        return f"\\left|{latex(args[0], leaves)}\\right|"
    if expr.op == "where":
        condition, yes, no = (latex(arg, leaves) for arg in args)
        return f"\\begin{{cases}} {yes} & {condition} \\\\ {no} & \\text{{otherwise}} \\end{{cases}}"
    if expr.op in _INFIX | _LOGIC:
        sign = (_INFIX | _LOGIC)[expr.op]
        tight = expr.op == "sub"
        return f" {sign} ".join(latex(a, leaves, rank + int(tight and k > 0)) for k, a in enumerate(args))
    name = f"\\{expr.op}" if expr.op in _NAMED else f"\\operatorname{{{expr.op}}}".replace("_", r"\_")
    return f"{name}\\left({_listed(expr, leaves)}\\right)"


def _listed(expr: Expr, leaves: Sequence[Leaf]) -> str:
    return ", ".join(latex(arg, leaves) for arg in expr.args)
