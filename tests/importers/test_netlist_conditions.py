"""`.if`, `.elseif`, `.else`, `.endif` of netlists."""

from __future__ import annotations

import pytest

import tellegen as tg

DIVIDER = """divider
.param kind=2 fast=0
v1 a 0 10
r1 a b 1k
.if (kind == 1)
r2 b 0 1k
.elseif (kind == 2 && fast < 1)
.param load=3k
r2 b 0 {load}
.else
r2 b 0 9k
.if (fast)
c1 b 0 1n
.endif
.endif
.op
.end
"""


@pytest.mark.parametrize(
    ("given", "volts"), [({}, 7.5), ({"kind": 1}, 5.0), ({"kind": 3}, 9.0), ({"fast": 1}, 9.0), ({"kind": 5}, 9.0)]
)
def test_the_branch_that_holds_is_read(given: dict[str, float], volts: float) -> None:
    run = tg.run_spice(text=DIVIDER, parameters=given)
    assert run.op is not None
    assert run.op["b.v"] == pytest.approx(volts, rel=1e-6)
    assert hasattr(tg.read_spice(text=DIVIDER, parameters=given), "c1") == ("fast" in given)


def test_steps_choose_branches() -> None:
    run = tg.run_spice(text=DIVIDER.replace(".op", ".op\n.step param kind 1 3 1"))
    assert [step.run.op["b.v"] for step in run.steps if step.run.op] == pytest.approx([5.0, 7.5, 9.0], rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (".endif\n.endif", ".endif", "an .if has no .endif"),
        (".if (kind == 1)", ".else", ".else without .if"),
        (".if (kind == 1)", ".if", "has no condition"),
        (".if (kind == 1)", ".if (kin == 1)", "there is no parameter 'kin'; perhaps you meant 'kind'"),
        (".else\nr2 b 0 9k", ".else\nr2 b 0 9k\n.else", ".else without .if"),
    ],
)
def test_mistakes(old: str, new: str, what: str) -> None:
    with pytest.raises(tg.NetlistError, match=what):
        tg.run_spice(text=DIVIDER.replace(old, new))


def test_each_instance_would_have_its_own() -> None:
    text = (
        "t\nv1 a 0 1\nx1 a 0 s n=2\n.subckt s p q n=1\n.if (n > 1)\nr1 p q 1k\n.else\nr1 p q 2k\n.endif\n.ends\n.op\n"
    )
    with pytest.raises(tg.NetlistError, match="a parameter of the subcircuit"):
        tg.run_spice(text=text)
