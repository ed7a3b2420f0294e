"""Random procedures: what the evaluation computes is what compiled code computes, to the last bit."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from procedures.native import Compiled
from procedures.sources import module
from tellegen.procedures.check import check
from tellegen.procedures.evaluate import evaluate
from tellegen.procedures.load import load

PROGRAMS, SIZE = 25, 8


class Writer:
    """Writes the text of a procedure; all loops end and all indices lie inside."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops: list[str] = []

    def floating(self, depth: int = 3) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice(["x", "y", "z", repr(round(self.random.uniform(-3, 3), 3)), "LIMIT"])
        a, b = self.floating(depth - 1), self.floating(depth - 1)
        return self.random.choice(
            [
                *(f"({a} {sign} {b})" for sign in "+-*/"),
                f"({a} if {self.logic(depth - 1)} else {b})",
                f"(u[{self.position(depth - 1)}] if {self.logic(depth - 1)} else {b})",
                *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"(-{a})", f"floor({a})", f"ceil({a})"),
                *(f"sqrt(abs({a}))", f"float({self.integer(depth - 1)})", f"u[{self.position(depth - 1)}]"),
                f"helper({a}, {self.integer(depth - 1)})",
            ]
        )

    def integer(self, depth: int = 3) -> str:
        if depth == 0 or self.random.random() < 0.2:
            return self.random.choice(["i", "j", str(self.random.randint(-9, 9)), *self.loops])
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        return self.random.choice(
            [
                *(f"({a} {sign} {b})" for sign in ("+", "-", "*", "&", "|", "^")),
                *(f"({a} // {self.divisor()})", f"({a} % {self.divisor()})", f"({a} << 3)", f"({a} >> 2)"),
                *(f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"(-{a})", f"int({self.logic(depth - 1)})"),
                f"m[{self.position(depth - 1)}]",
                f"whole({self.floating(depth - 1)})",
            ]
        )

    def divisor(self) -> str:
        return str(self.random.choice([-7, -3, -1, 1, 2, 5, 8]))

    def position(self, depth: int) -> str:
        return f"{self.integer(depth)} % {SIZE}"

    def logic(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.3:
            return self.random.choice(["p", "x < y", "i == j", "is_finite(z)"])
        a, b = self.logic(depth - 1), self.logic(depth - 1)
        return self.random.choice(
            [
                *(f"({a} and {b})", f"({a} or {b})", f"(not {a})"),
                f"({self.floating(depth - 1)} {self.relation()} {self.floating(depth - 1)})",
                f"({self.integer(depth - 1)} {self.relation()} {self.integer(depth - 1)})",
                f"(0.5 < {self.random.choice('xyz')} <= {self.floating(depth - 1)})",
            ]
        )

    def relation(self) -> str:
        return self.random.choice(["<", "<=", ">", ">=", "==", "!="])

    def block(self, depth: int, indent: str) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 4)):
            lines += self.statement(depth, indent)
        return lines

    def statement(self, depth: int, indent: str) -> list[str]:
        inner = indent + "    "
        kind = self.random.choice(
            ["float", "int", "bool", "store", "swap"] + ["if", "for", "while", "leave"] * (depth > 0)
        )
        if kind == "if":
            lines = [f"{indent}if {self.logic()}:", *self.block(depth - 1, inner)]
            return lines + ([f"{indent}else:", *self.block(depth - 1, inner)] if self.random.random() < 0.5 else [])
        if kind == "for":
            name, step = f"k{len(self.loops)}", self.random.choice([-2, -1, 1, 3])
            bounds = (9, -2, step) if step < 0 else (-3, 7, step)
            self.loops.append(name)
            lines = [f"{indent}for {name} in range{bounds}:", *self.block(depth - 1, inner)]
            self.loops.pop()
            return lines
        if kind == "while":
            return [f"{indent}while r < 12 and {self.logic()}:", f"{inner}r += 1", *self.block(depth - 1, inner)]
        if kind == "leave" and self.loops:
            return [f"{indent}if {self.logic()}:", f"{inner}{self.random.choice(['break', 'continue'])}"]
        if kind == "int":
            return [f"{indent}{self.random.choice('ij')} = {self.integer()} % 1000"]
        if kind == "bool":
            return [f"{indent}p = {self.logic()}"]
        if kind == "swap":
            return [f"{indent}x, y = y, x"]
        if kind == "store":
            line = self.random.choice(
                [
                    f"u[{self.position(2)}] = {self.floating()}",
                    f"u[1:][{self.position(2)}] = {self.floating()}",
                    f"u[i % {SIZE}] += {self.floating()}",
                    f"m[{self.position(2)}] = {self.integer()} % 30000",
                    f"w[{self.position(2)}] = {self.floating()}",
                    f"z = w[{self.position(2)}]",
                ]
            )
            return [indent + line]
        return [f"{indent}{self.random.choice('xyz')} = {self.floating()}"]


HELPERS = """
@procedure
def helper(a: f64, k: i64) -> f64:
    for n in range(k % 4):
        if a > 100.0:
            return a / 2
        a = a * 1.5 + n
    return a

@procedure(inline=True)
def whole(a: f64) -> i64:
    return int(min(max(a if is_finite(a) else 0.0, -1e6), 1e6))
"""
START = f"""    z = x * y
    i = 3
    j = -2
    r = 0
    p = x > 0.0
    w = local_array(f64, {SIZE})
    for k in range({SIZE}):
        w[k] = u[k] - 1
"""


def program(seed: int) -> str:
    writer = Writer(seed)
    head = f"@procedure\ndef program_{seed}(x: f64, y: f64, u: Array[f64], m: Array[i32]) -> f64:\n"
    return head + START + "\n".join(writer.block(3, "    ")) + "\n    return x + y + z + i + 3 * j + int(p)\n\n"


@pytest.mark.parametrize("batch", range(6))
def test_random_programs(batch: int, tmp_path: Path) -> None:
    seeds = range(batch * PROGRAMS, (batch + 1) * PROGRAMS)
    source = module(tmp_path, HELPERS + "".join(map(program, seeds)))
    unit = load(*(getattr(source, f"program_{seed}") for seed in seeds))
    check(unit)
    compiled = Compiled(unit, batch % 3)
    numbers = np.random.default_rng(batch)
    for seed in seeds:
        for _ in range(3):
            x, y = numbers.normal(scale=3.0, size=2)
            u, m = numbers.normal(size=SIZE + 1), numbers.integers(-9, 9, SIZE).astype(np.int32)
            u_native, m_native = u.copy(), m.copy()
            expected = evaluate(unit, f"program_{seed}", float(x), float(y), u, m)
            found = getattr(compiled, f"program_{seed}")(float(x), float(y), u_native, m_native)
            np.testing.assert_equal(found, expected, err_msg=program(seed))
            np.testing.assert_array_equal(u_native, u, err_msg=program(seed))
            np.testing.assert_array_equal(m_native, m, err_msg=program(seed))
