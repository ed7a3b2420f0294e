"""Integers that equations pass on, to each other and to Reals: every order of the text means the same."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import tellegen as tg

EQUATIONS = ("x = j", "y = j", "j = i", "i = 3")


def test_integers_reach_each_other_and_reals(tmp_path: Path) -> None:
    orders = list(permutations(EQUATIONS))[::5]
    texts = [
        f"model M{k} Real x; Real y; Integer i; Integer j; equation {'; '.join(order)}; end M{k};"
        for k, order in enumerate(orders)
    ]
    chains = " ".join(f"M{k} m{k};" for k in range(len(orders)))
    file = tmp_path / "Chains.mo"
    file.write_text(f"package Chains {' '.join(texts)} model All {chains} end All; end Chains;")
    solution = tg.simulate(tg.load_modelica(file)["Chains.All"], stop=1.0)
    for k in range(len(orders)):
        found = [solution[f"m{k}.{name}"][-1] for name in "xyij"]
        assert found == pytest.approx([3.0, 3.0, 3.0, 3.0])
