"""Operating points of circuits whose junctions limit the steps of Newton's method, against ngspice 39."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.engine.initialization.initial_solver import InitialSolver
from tellegen.engine.linear_algebra.damped_newton import System
from tellegen.engine.linear_algebra.explicit_unknowns import explicit_levels
from tellegen.engine.linear_algebra.exponent_widths import Exponents
from tellegen.engine.linear_algebra.leaks import leaks
from tellegen.engine.linear_algebra.limited_newton import limited
from tellegen.engine.runs import single_run
from tellegen.ir.model import FloatArray
from tellegen.ir.program import Pattern

NAND = """adder of NAND gates
.subckt nand 1 2 3 4
q1 9 5 1 qmod
d1 0 1 dmod
q2 9 5 2 qmod
d2 0 2 dmod
rb 4 5 4k
r1 4 6 1.6k
q3 6 9 8 qmod
r2 8 0 1k
rc 4 7 130
q4 7 6 10 qmod
dv 10 3 dmod
q5 3 8 0 qmod
.ends
.subckt onebit 1 2 3 4 5 6
x1 1 2 7 6 nand
x2 1 7 8 6 nand
x3 2 7 9 6 nand
x4 8 9 10 6 nand
x5 3 10 11 6 nand
x6 3 11 12 6 nand
x7 10 11 13 6 nand
x8 12 13 4 6 nand
x9 11 7 5 6 nand
.ends
.model dmod d
.model qmod npn(bf=75 rb=100 cje=1pf cjc=3pf)
vcc 99 0 dc 5
"""


def adder(bits: int) -> str:
    """All inputs at zero, and loads at the outputs."""
    lines = []
    for k in range(bits):
        carry = f"c{k}" if k else "0"
        lines += [f"va{k} a{k} 0 0", f"vb{k} b{k} 0 0", f"x{k} a{k} b{k} {carry} s{k} c{k + 1} 99 onebit"]
        lines.append(f"rl{k} s{k} 0 1k")
    return NAND + "\n".join([*lines, f"rm c{bits} 0 1k", ".op", ".end"])


def test_an_adder_of_180_transistors() -> None:
    """ngspice with reltol 1e-6; its Boltzmann constant is that of 2014, which voltages feel with 1e-6 of them."""
    found = tg.run_spice(text=adder(4)).op
    assert found is not None
    values = {"s0.v": 1.783980e-2, "c1.v": 2.722210e-2, "s3.v": 1.783980e-2, "c4.v": 1.783980e-2}
    inner = {"x0.n10.v": 2.538768e-2, "x3.n7.v": 3.527737, "x2.x1.n9.v": 1.792819e-2, "x3.x9.n8.v": 1.064258}
    for path, value in {**values, **inner, "vcc.i": -7.57531e-2}.items():
        assert found[path] == pytest.approx(value, rel=1e-4), path


def test_a_loop_of_high_gain_is_not_left_to_leakage() -> None:
    """The equations have a solution with -1e10 V at the base, too: nobody means that one."""
    text = """loop
vce 1 0 3
vgain 1 c 0
f1 0 2 vgain -1000
l1 2 b 1
ic 0 c 0.01
q1 c b 0 qm
.model qm npn(is=1e-16 bf=100)
.op
"""
    found = tg.run_spice(text=text).op
    assert found is not None
    assert found["b.v"] == pytest.approx(0.833788, rel=1e-5)


class Diodes(System):
    """So many junctions, each behind a resistor: (E - v)/R = Is (exp(v/Vt) - 1)."""

    def __init__(self, supply: FloatArray) -> None:
        self.supply = supply
        self.evaluations = 0
        count = np.arange(len(supply) + 1, dtype=np.int32)
        self._pattern = Pattern((len(supply), len(supply)), count, count[:-1])

    def residual(self, u: FloatArray) -> FloatArray:
        self.evaluations += 1
        return (self.supply - u) / 100.0 - 1e-14 * np.expm1(np.minimum(u / 0.026, 700.0))

    def jacobian(self, u: FloatArray) -> FloatArray:
        return -1.0 / 100.0 - 1e-14 / 0.026 * np.exp(np.minimum(u / 0.026, 700.0))

    @property
    def pattern(self) -> Pattern:
        return self._pattern


def test_exponentials_take_few_steps_from_anywhere() -> None:
    """From -50 V to 1000 V: the current at the end of each step is the one that was asked for."""
    random = np.random.default_rng(4)
    system = Diodes(random.uniform(-20.0, 1000.0, 200))
    found = limited(system, random.uniform(-50.0, 2.0, 200), np.ones(200), np.full(200, 0.026))
    assert found.ended == "converged"
    np.testing.assert_allclose(system.residual(found.u), 0.0, atol=1e-9)
    assert system.evaluations < 60


@pytest.fixture(scope="module")
def adding() -> Any:
    """An adder of one bit whose input rises after a nanosecond."""
    text = adder(1).replace("va0 a0 0 0", "va0 a0 0 pulse(0 3 1n 10n 10n 10n 50n)").replace(".op", ".tran 1n 50n")
    return tg.compile(tg.read_spice(text=text))


def test_rates_that_are_roundings_do_not_hold_up_a_start(adding: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Currents that cancel to 1e-17 A charge 1 pF by 1e-5 V/s: no more digits of such a rate can be found."""
    monkeypatch.setattr(InitialSolver, "as_a_whole", lambda _: pytest.fail("native steps found no rates"))
    solution = tg.simulate(adding, 1e-12, solver="cvode")
    assert solution["c1.v"][0] == pytest.approx(1.783980e-2, rel=1e-4)


def test_base_currents_are_small_from_the_start(adding: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that no run is repeated to see them; and a loop that is a small part of all unknowns is no reason for IDA."""
    monkeypatch.setattr(single_run, "with_found_scales", lambda *_: pytest.fail("the run was repeated"))
    solution = tg.simulate(adding, 16e-9, rtol=1e-3)
    assert solution.stats["solver"] == "cvode"
    assert solution["x0.n10.v"][-1] == pytest.approx(1.27264, abs=5e-3)  # ngspice, while it rises


class Electrode(tg.Component):
    """A reaction with a leak beside it; `k` multiplies an unknown of no exponential, `c` a rate."""

    i0 = tg.parameter(1e-9)
    w = tg.parameter(0.05)
    g = tg.parameter(1e-10)
    k = tg.parameter(2.0)
    c = tg.parameter(1e-3)
    eta = tg.variable(start=0.0)
    i = tg.variable()
    x = tg.variable()

    def equations(self) -> Any:
        yield self.i == self.i0 * (tg.exp(self.eta / self.w) - 1.0) + self.g * self.eta
        yield self.x == self.k * self.i
        yield self.c * tg.der(self.eta) == 1.0 - self.x


def test_leaks_are_read_from_the_equations_of_any_domain() -> None:
    """And the leak beside the exponential is the only one."""
    model = tg.compile(Electrode()).reduced
    parameters = model.flat.parameters
    width = Exponents(model).widths(np.zeros(len(model.unknowns)), np.ones(parameters.count))
    assert [parameters.name(int(k)) for k in leaks(model, width)] == ["g"]


BIAS = """beta multiplier
vdd vdd 0 1
m1 nb nb 0 0 nn l=0.1u w=2.5u
m2 vr nb r 0 nn l=0.1u w=10u
m3 nb pb vdd vdd pp l=0.1u w=5u
m4 pb pb vdd vdd pp l=0.1u w=5u
m2c pb vr2 vr 0 nn l=0.1u w=10u
vc vr2 0 0.8
rb r 0 5.5k
m5 o pb vdd vdd pp l=0.1u w=5u
m6 o o q 0 nn l=0.1u w=2.5u
m7 q q 0 0 nn l=0.1u w=2.5u
msu1 su nb 0 0 nn l=0.1u w=2.5u
msu2 su su vdd vdd pp l=1u w=0.5u
msu3 pb su nb 0 nn l=0.05u w=0.5u
.model nn nmos(level=14 version=4.8 toxe=1.4n vth0=0.25 k1=0.4 u0=0.03 vsat=1.1e5
+ ndep=2.5e18 nfactor=2 eta0=0.006 dsub=0.1 pclm=0.06 pdiblc1=0.001 voff=-0.13 rdsw=150 ngate=1e23)
.model pp pmos(level=14 version=4.8 toxe=1.4n vth0=-0.25 k1=0.4 u0=0.008 vsat=0.9e5
+ ndep=2e18 nfactor=2 eta0=0.006 dsub=0.1 pclm=0.12 pdiblc1=0.001 voff=-0.126 rdsw=150 ngate=1e23)
.op
.end
"""


def test_a_bias_circuit_in_feedback() -> None:
    """BSIM4 laws have inner unknowns, and steps of these alone lead to where roots have no values (ngspice 39)."""
    point = tg.run_spice(text=BIAS).op
    assert point is not None
    found = [point[f"{name}.v"] for name in ("nb", "pb", "o", "r", "su")]
    assert found == pytest.approx([0.5020773, 0.4719391, 0.9736441, 0.06362312, 0.06021723], rel=2e-6)
    assert point["vdd.i"] == pytest.approx(-3.56704e-5, rel=2e-6)


class Steps(tg.Component):
    """x follows from y, y from z; a and b from each other."""

    x = tg.variable()
    y = tg.variable()
    z = tg.variable()
    a = tg.variable()
    b = tg.variable()

    def equations(self) -> Any:
        yield self.x == 1.0 + tg.sqrt(self.y - 4.0)
        yield self.y == 4.0 + self.z**2
        yield self.z + self.x == 5.0
        yield self.a == tg.exp(self.b) - self.x
        yield self.b == tg.sin(self.a)


def test_unknowns_that_follow_from_others() -> None:
    model = tg.compile(Steps()).reduced
    levels = explicit_levels(model)
    names = {int(model.position[k]): name for k, name in enumerate("xyzab")}
    assert [[names[int(column)] for column in level.columns] for level in levels] == [["y"], ["x"]]


class Squares(System):
    """A u + u^2 = b, for a given matrix."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = np.array(matrix, float)
        columns, rows = np.nonzero(self.matrix.T)
        self._pattern = Pattern.of(rows, columns, self.matrix.shape)[0]
        self._places = rows, columns

    @property
    def pattern(self) -> Pattern:
        return self._pattern

    def residual(self, u: FloatArray) -> FloatArray:
        return self.matrix @ u + u**2 - 1.0

    def jacobian(self, u: FloatArray) -> FloatArray:
        return (self.matrix + np.diag(2.0 * u))[self._places]


def test_pivots_are_kept_for_systems_of_the_same_pattern_alone() -> None:
    """Both have three unknowns and six derivatives."""
    kept: dict[Any, Any] = {}
    for matrix in ([[1, 2, 0], [0, 1, 3], [4, 0, 1]], [[3, 0, 1], [1, 3, 0], [0, 1, 5]]):
        system = Squares(matrix)
        for guess in (np.zeros(3), np.full(3, 0.1)):
            found = limited(system, guess, np.ones(3), np.full(3, np.inf), kept)
            assert found.ended == "converged"
            assert np.abs(system.residual(found.u)).max() < 1e-12
    assert len(kept) == 2
