"""Trees printed and parsed again are the same trees: every construct of the grammar, and random expressions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from modelica.trees import without_tokens
from tellegen.frontends.modelica.syntax import expressions as e
from tellegen.frontends.modelica.syntax.parser import parse, parse_expression, parse_text
from tellegen.frontends.modelica.syntax.print_tree import print_expression, print_file
from tellegen.frontends.modelica.syntax.source_file import SourceFile

CASES = sorted((Path(__file__).parent / "cases").glob("*.mo"))
OPERATORS = ("+", "-", "*", "/", "^", ".+", ".-", ".*", "./", ".^", "<", "<=", ">", ">=", "==", "<>", "and", "or")
NAMES = ("a", "b1", "'odd name'", "time")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_files(path: Path) -> None:
    tree = parse(SourceFile(str(path)))
    text = print_file(tree)
    again = parse_text(text)
    assert without_tokens(again) == without_tokens(tree)
    assert print_file(again) == text


class RandomExpression:
    """Trees of expressions, of any operators inside any others."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def one(self, depth: int) -> e.Expression:
        kinds = (
            [self.leaf] if depth == 0 else [self.binary, self.unary, self.choice, self.range, self.call, self.brackets]
        )
        return kinds[self.rng.integers(len(kinds))](depth - 1)

    def leaf(self, _: int) -> e.Expression:
        reference = e.Reference((e.Part(NAMES[self.rng.integers(len(NAMES))]),), 0)
        value = float(self.rng.normal() ** 2 * 10.0 ** self.rng.integers(-30, 30))
        leaves = [reference, e.Number(value), e.Number(int(self.rng.integers(100))), e.Text('a"\\\n'), e.Truth(True)]
        return leaves[self.rng.integers(len(leaves))]

    def binary(self, depth: int) -> e.Expression:
        return e.Binary(OPERATORS[self.rng.integers(len(OPERATORS))], self.one(depth), self.one(depth), 0)

    def unary(self, depth: int) -> e.Expression:
        return e.Unary(("-", "+", "not", ".-")[self.rng.integers(4)], self.one(depth), 0)

    def choice(self, depth: int) -> e.Expression:
        branches = tuple((self.one(depth), self.one(depth)) for _ in range(self.rng.integers(1, 3)))
        return e.IfExpression(branches, self.one(depth), 0)

    def range(self, depth: int) -> e.Expression:
        return e.Range(self.one(depth), self.one(depth) if self.rng.integers(2) else None, self.one(depth), 0)

    def call(self, depth: int) -> e.Expression:
        function = e.Reference((e.Part("f"),), 0)
        arguments = tuple(self.one(depth) for _ in range(self.rng.integers(3)))
        call: e.Expression = e.Call(function, arguments, (("n", self.one(depth)),), 0)
        if self.rng.integers(2):
            call = e.FieldAccess(call, e.Part("x"), 0)
        reduction = e.Comprehension(self.one(depth), (e.Iterator("i", self.one(depth)),), 0, braces=False)
        return call if self.rng.integers(3) else e.Call(function, (reduction,), (), 0)

    def brackets(self, depth: int) -> e.Expression:
        one, other = self.one(depth), self.one(depth)
        found: list[e.Expression] = [
            e.ArrayConstructor((one, other), 0),
            e.MatrixConstructor(((one,), (other,)), 0),
            e.Comprehension(one, (e.Iterator("i", other), e.Iterator("j", None)), 0),
            e.Subscripted(one, (e.Colon(), other), 0),
            e.TupleExpression((one, None, other), 0),
            e.Reference((e.Part("a", (one, e.EndOfDimension())), e.Part("b")), 0, True),
        ]
        return found[self.rng.integers(len(found))]


def test_random_expressions() -> None:
    random = RandomExpression(19)
    for _ in range(300):
        tree = random.one(int(random.rng.integers(1, 4)))
        text = print_expression(tree)
        assert without_tokens(parse_expression(SourceFile("<random>", text))) == without_tokens(tree), text
