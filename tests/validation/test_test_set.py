"""Stiff and differential-algebraic problems of the Test Set for IVP Solvers (Mazzia and Magherini, Bari, rel. 2.4).

The reference values at the end times are those printed there (computed in quadruple precision, 14 digits or more).
Tolerances of the tests: a relative tolerance of 1e-9 or 1e-10 gives six to nine common digits, because the error of a
BDF code with local error control grows over the run; the factor between rtol and the error is stated for each case.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from shared_models import shared_model
from tellegen.library import electrical as el
from validation.measured import ALL, DAE, STIFF, relative, within

SET = "IVP test set"


class Robertson(tg.Component):
    """Three reactions, rates between 0.04 and 3e7."""

    y = tg.variable(shape=3, start=[1.0, 0.0, 0.0])

    def equations(self):
        a, b, c = self.y[0], self.y[1], self.y[2]
        yield tg.der(a) == -0.04 * a + 1e4 * b * c
        yield tg.der(b) == 0.04 * a - 1e4 * b * c - 3e7 * b**2
        yield tg.der(c) == 3e7 * b**2


class RobertsonDAE(tg.Component):
    """The third equation replaced by conservation of mass."""

    y = tg.variable(shape=3, start=[1.0, 0.0, 0.0])

    def equations(self):
        a, b, c = self.y[0], self.y[1], self.y[2]
        yield tg.der(a) == -0.04 * a + 1e4 * b * c
        yield tg.der(b) == 0.04 * a - 1e4 * b * c - 3e7 * b**2
        yield a + b + c == 1


class VanDerPol(tg.Component):
    """Relaxation oscillations, eps = 1e-6."""

    y = tg.variable(start=2.0)
    z = tg.variable(start=0.0)
    eps = tg.parameter(1e-6)

    def equations(self):
        yield tg.der(self.y) == self.z
        yield self.eps * tg.der(self.z) == (1 - self.y**2) * self.z - self.y


class Hires(tg.Component):
    """High irradiance responses of photomorphogenesis."""

    y = tg.variable(shape=8, start=[1.0, 0, 0, 0, 0, 0, 0, 0.0057])

    def equations(self):
        y = self.y
        binding = 280.0 * y[5] * y[7]
        yield tg.der(y[0]) == -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007
        yield tg.der(y[1]) == 1.71 * y[0] - 8.75 * y[1]
        yield tg.der(y[2]) == -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4]
        yield tg.der(y[3]) == 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3]
        yield tg.der(y[4]) == -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6]
        yield tg.der(y[5]) == -binding + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6]
        yield tg.der(y[6]) == binding - 1.81 * y[6]
        yield tg.der(y[7]) == -binding + 1.81 * y[6]


class Oregonator(tg.Component):
    """The Belousov-Zhabotinskii reaction; values over six decades."""

    y = tg.variable(shape=3, start=[1.0, 2.0, 3.0])

    def equations(self):
        a, b, c = self.y[0], self.y[1], self.y[2]
        yield tg.der(a) == 77.27 * (b + a * (1 - 8.375e-6 * a - b))
        yield tg.der(b) == (c - (1 + a) * b) / 77.27
        yield tg.der(c) == 0.161 * (a - c)


class ChemicalAkzo(tg.Component):
    """Two species reacting while carbon dioxide is added; a DAE of index 1, with square roots."""

    y = tg.variable(shape=6, start=[0.444, 0.00123, 0.0, 0.007, 0.0, 115.83 * 0.444 * 0.007])

    def equations(self):
        y = self.y
        root = tg.sqrt(y[1])
        r1, r2, r3 = 18.7 * y[0] ** 4 * root, 0.58 * y[2] * y[3], 0.58 / 34.4 * y[0] * y[4]
        r4, r5 = 0.09 * y[0] * y[3] ** 2, 0.42 * y[5] ** 2 * root
        inflow = 3.3 * (0.9 / 737.0 - y[1])
        yield tg.der(y[0]) == -2 * r1 + r2 - r3 - r4
        yield tg.der(y[1]) == -0.5 * r1 - r4 - 0.5 * r5 + inflow
        yield tg.der(y[2]) == r1 - r2 + r3
        yield tg.der(y[3]) == -r2 + r3 - 2 * r4
        yield tg.der(y[4]) == r2 - r3 + r5
        yield y[5] == 115.83 * y[0] * y[3]


class Pleiades(tg.Component):
    """Seven stars of masses 1..7 in the plane; not stiff, with close encounters."""

    x = tg.variable(shape=7, start=[3.0, 3.0, -1.0, -3.0, 2.0, -2.0, 2.0])
    y = tg.variable(shape=7, start=[3.0, -3.0, 2.0, 0.0, 0.0, -4.0, 4.0])
    u = tg.variable(shape=7, start=[0.0, 0.0, 0.0, 0.0, 0.0, 1.75, -1.5])
    v = tg.variable(shape=7, start=[0.0, 0.0, 0.0, -1.25, 1.0, 0.0, 0.0])

    def equations(self):
        x, y = self.x, self.y
        yield tg.der(x) == self.u
        yield tg.der(y) == self.v
        for i in range(7):
            pull_x, pull_y = 0.0, 0.0
            for j in range(7):
                if i != j:
                    cube = ((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2) ** 1.5
                    pull_x = pull_x + (j + 1) * (x[j] - x[i]) / cube
                    pull_y = pull_y + (j + 1) * (y[j] - y[i]) / cube
            yield tg.der(self.u[i]) == pull_x
            yield tg.der(self.v[i]) == pull_y


class Transistor(tg.Component):
    """Emitter current f = beta (exp((v_b - v_e)/u_f) - 1), of which alpha comes from the collector."""

    b = el.Pin("base")
    c = el.Pin("collector")
    e = el.Pin("emitter")
    alpha = tg.parameter(0.99, "1")
    beta = tg.parameter(1e-6, "A")
    u_f = tg.parameter(0.026, "V")
    f = tg.variable("A")

    def equations(self):
        yield self.f == self.beta * (tg.exp((self.b.v - self.e.v) / self.u_f) - 1)
        yield self.b.i == (1 - self.alpha) * self.f
        yield self.c.i == self.alpha * self.f
        yield self.e.i == -self.f


def held(volts: float) -> Any:
    return tg.variable(start=volts, fixed=True)


class Amplifier(tg.Component):
    """The two-stage transistor amplifier, from components: five capacitors, ten resistors, two transistors."""

    signal = el.SineVoltage(V=0.1, f=100.0)
    supply = el.ConstantVoltage(V=6.0)
    ground = el.Ground()
    r0 = el.Resistor(R=1000.0)
    r1 = el.Resistor(R=9000.0)
    r2 = el.Resistor(R=9000.0)
    r3 = el.Resistor(R=9000.0)
    r4 = el.Resistor(R=9000.0)
    r5 = el.Resistor(R=9000.0)
    r6 = el.Resistor(R=9000.0)
    r7 = el.Resistor(R=9000.0)
    r8 = el.Resistor(R=9000.0)
    r9 = el.Resistor(R=9000.0)
    c1 = el.Capacitor(C=1e-6, v=held(-3.0))
    c2 = el.Capacitor(C=2e-6, v=held(3.0))
    c3 = el.Capacitor(C=3e-6, v=held(3.0))
    c4 = el.Capacitor(C=4e-6, v=held(3.0))
    c5 = el.Capacitor(C=5e-6, v=held(6.0))
    t1 = Transistor()
    t2 = Transistor()

    def connections(self):
        yield self.signal.p, self.r0.p
        yield self.r0.n, self.c1.p
        yield self.c1.n, self.r1.p, self.r2.n, self.t1.b
        yield self.t1.e, self.r3.p, self.c2.p
        yield self.t1.c, self.r4.n, self.c3.p
        yield self.c3.n, self.r5.p, self.r6.n, self.t2.b
        yield self.t2.e, self.r7.p, self.c4.p
        yield self.t2.c, self.r8.n, self.c5.p
        yield self.c5.n, self.r9.p
        yield self.supply.p, self.r2.p, self.r4.p, self.r6.p, self.r8.p
        yield self.ground.p, self.signal.n, self.supply.n, self.r1.n, self.r3.n, self.r5.n, self.r7.n, self.r9.n
        yield self.ground.p, self.c2.n, self.c4.n


NODES = ["c1.p.v", "c1.n.v", "t1.e.v", "t1.c.v", "t2.b.v", "t2.e.v", "t2.c.v", "r9.p.v"]


ROBERTSON = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]


@pytest.mark.parametrize("solver", STIFF)
@pytest.mark.parametrize("model", [Robertson, RobertsonDAE])
def test_robertson(model: Any, solver: str) -> None:
    """To t = 1e11: eleven decades of time. atol far below y[1] (8e-14), which must keep its digits too.

    1e-6 relative in every component: y[0] = 2e-8 is what remains of 1, so 1e-9 of local error is 1e3 larger there.
    """
    s = tg.simulate(model(), 1e11, rtol=1e-9, atol=1e-20, points=np.geomspace(1e-6, 1e11, 100), solver=solver)
    within(f"{model.__name__}, t = 1e11", relative(s["y"][-1], ROBERTSON), 1e-6, SET, solver)


@pytest.mark.parametrize("points", [[1e11], np.linspace(0.0, 1e11, 500)], ids=["one", "equidistant"])
def test_robertson_with_distant_output(points: Any) -> None:
    """The first steps are far smaller than the distance of the output points."""
    s = shared_model(RobertsonDAE).simulate(1e11, rtol=1e-9, atol=1e-20, points=points)
    within("RobertsonDAE, distant output points", relative(s["y"][-1], ROBERTSON), 1e-6, SET)


@pytest.mark.parametrize("solver", STIFF)
def test_van_der_pol(solver: str) -> None:
    """eps = 1e-6; after a jump the phase carries the error: factor 1e3 between rtol and error."""
    s = shared_model(VanDerPol).simulate(2.0, rtol=1e-10, atol=1e-10, points=[2.0], solver=solver)
    exact = [1.706167732170483, -0.8928097010247975]
    within("Van der Pol, t = 2", relative([s["y"][-1], s["z"][-1]], exact), 1e-7, SET, solver)


@pytest.mark.parametrize("solver", STIFF)
def test_hires(solver: str) -> None:
    exact = [
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ]
    s = shared_model(Hires).simulate(321.8122, rtol=1e-10, atol=1e-14, points=[321.8122], solver=solver)
    within("HIRES, t = 321.8122", relative(s["y"][-1], exact), 1e-7, SET, solver)


@pytest.mark.parametrize("solver", STIFF)
def test_oregonator(solver: str) -> None:
    """The period carries the error: factor 1e3 between rtol and error."""
    exact = [1.000814870318523, 1228.178521549917, 132.0554942846706]
    s = shared_model(Oregonator).simulate(360.0, rtol=1e-10, atol=1e-12, points=[360.0], solver=solver)
    within("Oregonator, t = 360", relative(s["y"][-1], exact), 1e-6, SET, solver)


@pytest.mark.parametrize("solver", STIFF)
def test_chemical_akzo(solver: str) -> None:
    exact = [
        0.1150794920661702,
        0.1203831471567715e-2,
        0.1611562887407974,
        0.3656156421249283e-3,
        0.1708010885264404e-1,
        0.4873531310307455e-2,
    ]
    s = shared_model(ChemicalAkzo).simulate(180.0, rtol=1e-10, atol=1e-14, points=[180.0], solver=solver)
    within("Chemical Akzo Nobel (DAE), t = 180", relative(s["y"][-1], exact), 1e-8, SET, solver)


@pytest.mark.parametrize("solver", ALL)
def test_pleiades(solver: str) -> None:
    """Close encounters multiply errors by about 1e4 (compared in metres, the positions are of size 1 to 5)."""
    x = [0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310]
    x += [0.3425581707156584, 1.562172101400631, -0.7003092922212495]
    y = [-3.943437585517392, -3.271380973972550, 5.225081843456543, -2.590612434977470]
    y += [1.198213693392275, -0.2429682344935824, 1.091449240428980]
    s = shared_model(Pleiades).simulate(3.0, rtol=1e-10, atol=1e-10, points=[3.0], solver=solver)
    error = np.concatenate([s["x"][-1] - x, s["y"][-1] - y])
    within("Pleiades, t = 3", error, 1e-5, SET, solver)


@pytest.mark.parametrize("solver", DAE)
def test_transistor_amplifier(solver: str) -> None:
    """From library components; 20 periods of the signal, exponentials with v/26 mV. The error is up to 100 rtol."""
    exact = [-0.005562145012262709, 3.006522471903042, 2.849958788608128, 2.926422536206241]
    exact += [2.704617865010554, 2.761837778393145, 4.770927631616772, 1.236995868091548]
    s = shared_model(Amplifier).simulate(0.2, rtol=1e-7, atol=1e-9, points=[0.2], solver=solver)
    values = [s[name][-1] for name in NODES]
    within("Transistor amplifier from components, t = 0.2", np.subtract(values, exact), 1e-5, SET + ", V", solver)
