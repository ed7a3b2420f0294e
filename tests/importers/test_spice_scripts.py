"""Scripts of netlists that change the circuit, against ngspice 39, and what of them is not read."""

from __future__ import annotations

import numpy as np
import pytest

import tellegen as tg

CHANGING = """diode and divider
.param rv=1k
v1 a 0 dc 2 ac 1
r1 a b 1k
r2 b 0 {rv}
d1 b 0 dm
.model dm d(is=1e-12 n=1.5)
.control
let k = 0
let low = 0.5
set factors = ( 1 2 )
foreach factor $factors
  alter r1 = $factor*1k        $ a comment
  op
end
if v(b) > 100                   ; decides nothing
  echo impossible
  let unused = 1
end
altermod dm is = 1e-9
op
reset
alterparam rv = 3k
op
reset
while k lt 2
  alter @v1[dc] = k + $&low
  op
  let k = k + 1
end
set temp = 77
op
.endc
.end
"""

NGSPICE = [0.7733176, 0.6530495, 0.4854651, 0.7733176, 0.3749882, 0.7744955, 0.7120764]


def test_loops_and_changes_as_in_ngspice() -> None:
    run = tg.run_spice(text=CHANGING)
    points = [step.run.op for step in run.steps]
    assert [step.values for step in run.steps] == [
        {"r1": 1e3},
        {"r1": 2e3},
        {"r1": 2e3, "dm.is": 1e-9},
        {},  # reset takes the changes back, alterparam waits for the next one
        {"rv": 3e3, "v1": 0.5},
        {"rv": 3e3, "v1": 1.5},
        {"rv": 3e3, "v1": 1.5, "temp": 77.0},
    ]
    assert [point["b.v"] for point in points if point is not None] == pytest.approx(NGSPICE, rel=5e-7)


SOURCES = """changed sources
v1 a 0 sin(1 1 1k)
r1 a b 1k
c1 b 0 100n
.control
tran 1u 10u
alter v1 dc 3
op
alter v1 acmag = 2
ac lin 1 1k 1k
tran 1u 20u
.endc
.end
"""


def test_changes_of_a_source_beside_its_function_of_time() -> None:
    run = tg.run_spice(text=SOURCES)
    first, second, third = (step.run for step in run.steps)
    assert first.tran is not None
    assert first.tran.time[-1] == 1e-5
    assert second.op is not None
    assert second.op["b.v"] == pytest.approx(3.0)
    assert third.tran is not None
    assert third.tran.time[-1] == 2e-5
    assert third.tran["a.v"][-1] == pytest.approx(1.0 + np.sin(2 * np.pi * 0.02))
    assert np.abs(third.ac_value("b.v")) == pytest.approx([2.0 / np.hypot(1.0, 2 * np.pi * 0.1)])


@pytest.mark.parametrize(
    ("command", "left"),
    [("alter r1 = v(b)", "alter"), ("if v(b) > 1\nalter r1 2k\nend", "if"), ("source other.cir", "source")],
)
def test_what_depends_on_results_is_not_read(command: str, left: str) -> None:
    run = tg.run_spice(text=f"stops\nv1 a 0 2\nr1 a b 1k\nr2 b 0 1k\n.control\nop\n{command}\nop\n.endc\n.end\n")
    assert not run.steps
    assert f"not read: all from '{left}' on" in "\n".join(run.notes)


def test_a_change_of_what_is_not_there() -> None:
    text = "wrong\nv1 a 0 2\nr1 a 0 1k\n.control\nalter r9 = 1\nop\n.endc\n.end\n"
    with pytest.raises(tg.NetlistError, match="there is no 'r9' at the top level, which a script changes"):
        tg.run_spice(text=text)
