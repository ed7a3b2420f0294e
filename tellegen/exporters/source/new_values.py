"""What is assigned at an event, for languages in which variables keep their old values while a when-clause acts."""

from __future__ import annotations

from tellegen.ir.expressions.expr import Call, Expr, Slot, rebuild, same_with


def read_now(expr: Expr) -> set[int]:
    """The slots whose present values an expression reads, not only the past ones below pre()."""
    found: set[int] = set()
    left = [expr]
    while left:
        node = left.pop()
        if isinstance(node, Slot):
            found.add(node.index)
        if not (isinstance(node, Call) and node.op == "pre"):
            left += node.args
    return found


def with_new_values(expr: Expr, new: dict[int, Expr]) -> Expr:
    """An expression with the new values of what the clause assigns; below pre() the old ones stay."""
    if not read_now(expr) & new.keys():
        return expr

    def change(node: Expr, args: tuple[Expr, ...]) -> Expr:
        if isinstance(node, Call) and node.op == "pre":
            return node
        if isinstance(node, Slot) and node.index in new:
            others = {slot: value for slot, value in new.items() if slot != node.index}
            return with_new_values(new[node.index], others)
        return same_with(node, args)

    return rebuild(expr, change)
