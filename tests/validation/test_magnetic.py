"""Magnetic circuits against closed-form solutions: inductances, magnets, forces, pull-in, losses of hysteresis."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import machines as ma
from tellegen.library import magnetic as mg
from tellegen.library import translational as tr
from validation.measured import relative, within

MU_0 = 4e-7 * np.pi  # what the SI had until 2019: 1e-10 from today's
N, AREA, GAP, SPRING = 400.0, 2e-4, 1e-3, 8e3


class Coil(tg.Component):
    """A coil with what is given as its circuit, fed through a resistor."""

    source = el.StepVoltage(V=12.0)
    wire = el.Resistor(R=3.0)
    coil = mg.ElectroMagneticConverter(N=N)
    tube = mg.ConstantReluctance(R_m=5e6)
    ground = el.Ground()
    zero = mg.Ground()

    def connections(self) -> Any:
        yield self.source.p, self.wire.p
        yield self.wire.n, self.coil.p
        yield self.coil.n, self.source.n, self.ground.p
        yield self.coil.port_p, self.tube.port_p
        yield self.tube.port_n, self.coil.port_n, self.zero.port


def field(material: str, B: float) -> float:
    """H of a soft material."""
    mu_i, B_max, c_a, c_b, n = mg.SOFT[material]
    b = abs(B) / B_max
    return B / (MU_0 * (1.0 + (mu_i - 1.0 + c_a * b) / (1.0 + c_b * b + b**n)))


def test_a_coil_has_the_inductance_of_its_reluctance() -> None:
    s = tg.simulate(Coil(), 0.05, rtol=1e-9)
    expected = 4.0 * (1.0 - np.exp(-3.0 * s.time / (N**2 / 5e6)))
    within("Coil on a reluctance, current", s["coil.i"] - expected, 1e-8, "i = V/R (1 - exp(-t R R_m/N^2))")


def test_a_coil_with_a_stray_path() -> None:
    """Its inductance is N^2 (1/R_m + G), so the time constant grows by N^2 G/R."""
    stray = mg.ElectroMagneticConverterWithLeakageInductance(N=N, L=0.02, A=1e-4, mu_rel=30.0)
    s = tg.simulate(Coil(coil=stray), 0.05, rtol=1e-9)
    inductance = N**2 * (1.0 / 5e6 + 30.0 * MU_0 * 1e-4 / 0.02)
    expected = 4.0 * (1.0 - np.exp(-3.0 * s.time / inductance))
    within("Coil with a stray path, current", s["coil.i"] - expected, 1e-8, "the same with N^2 (1/R_m + G_stray)")


def test_a_saturated_choke_settles_where_ampere_says() -> None:
    model = Coil(tube=mg.Cuboid(l=0.2, a=0.01, b=0.02, **mg.soft("M350_50A")))
    s = tg.simulate(model, 1.0, rtol=1e-9)
    expected = brentq(lambda B: field("M350_50A", B) * 0.2 - N * 4.0, 0.0, 3.0)
    within("Saturated choke, B", relative(s["tube.B"][-1], expected), 1e-7, "H(B) l = N i by bisection")


@pytest.mark.parametrize(
    ("tube", "permeance"),
    [
        (mg.HollowCylinderRadialFlux(l=0.02, r_i=0.01, r_o=0.03, mu_r=50.0), "radial"),
        (mg.HollowCylinderCircumferentialFlux(l=0.02, r_i=0.01, r_o=0.03, alpha=1.2, mu_r=50.0), "around"),
        (mg.HollowCylinderAxialFlux(l=0.02, r_i=0.01, r_o=0.03, alpha=2.0, mu_r=50.0), "axial"),
        (mg.Toroid(r=0.05, d=0.01, alpha=3.0, mu_r=50.0), "toroid"),
        (mg.GenericFluxTube(l=0.02, A=3e-4, mu_r=50.0), "generic"),
    ],
)
def test_permeances_of_shapes_are_integrals_over_them(tube: Any, permeance: str) -> None:
    """Layers in series (radial flux) or in parallel, summed by quadrature."""
    mu = 50.0 * MU_0
    expected = {
        "radial": lambda: 1.0 / quad(lambda r: 1.0 / (mu * 2.0 * np.pi * r * 0.02), 0.01, 0.03)[0],
        "around": lambda: quad(lambda r: mu * 0.02 / (1.2 * r), 0.01, 0.03)[0],
        "axial": lambda: quad(lambda r: mu * 2.0 * r / 0.02, 0.01, 0.03)[0],
        "toroid": lambda: mu * np.pi * 0.005**2 / (0.05 * 3.0),
        "generic": lambda: mu * 3e-4 / 0.02,
    }[permeance]()
    s = tg.steady_state(Coil(tube=tube))
    within("Permeances of shapes", relative(s["tube.Phi"] / s["tube.V_m"], expected), 1e-9, "quadrature over layers")


@pytest.mark.parametrize(
    ("tube", "expected"),
    [
        (mg.HalfCylinder(l=0.03), 0.26 * MU_0 * 0.03),
        (mg.QuarterCylinder(l=0.03), 0.52 * MU_0 * 0.03),
        (mg.HalfHollowCylinder(l=0.03, ratio=2.0), quad(lambda r: MU_0 * 0.03 / (np.pi * r), 1.0, 3.0)[0]),
        (mg.QuarterHollowCylinder(l=0.03, ratio=2.0), quad(lambda r: MU_0 * 0.03 / (np.pi / 2.0 * r), 1.0, 3.0)[0]),
        (mg.EighthOfSphere(r=0.02), 0.308 * MU_0 * 0.02),
        (mg.QuarterSphere(r=0.02), 0.077 * MU_0 * 0.04),
        (mg.EighthOfHollowSphere(t=0.02), MU_0 * 0.01),
        (mg.QuarterHollowSphere(t=0.02), MU_0 * 0.005),
        (mg.VariableReluctance(R_m=2e6), 5e-7),
        (mg.VariablePermeance(G_m=5e-7), 5e-7),
        (mg.LeakageWithCoefficient(R_m_useful=2e6, c_useful=0.8), 0.25 * 5e-7),
    ],
    ids=lambda value: type(value).__name__,
)
def test_permeances_of_stray_paths(tube: Any, expected: float) -> None:
    s = tg.steady_state(Coil(tube=tube))
    within("Permeances of stray paths", relative(s["tube.Phi"] / s["tube.V_m"], expected), 1e-9, "Roters, quadrature")


@pytest.mark.parametrize(
    "gap",
    [
        mg.CuboidParallelFlux(a=0.02, b=0.01),
        mg.CylinderAxialFlux(r_i=0.002, r_o=0.01),
        mg.CuboidOrthogonalFlux(a=0.02, b=1e-3),
        mg.CylinderRadialFlux(r_i=0.01, r_o=0.011),
        mg.LeakageAroundPoles(w=0.05, r=0.01),
    ],
    ids=lambda gap: type(gap).__name__,
)
def test_forces_are_slopes_of_the_coenergy(gap: Any) -> None:
    """At V_m = 1600 A, by central differences over 1 um of the gap: V_m^2/2 dG_m/ds."""

    circuit = tg.System("gap")
    circuit.add(source=mg.ConstantMagneticPotentialDifference(V_m_constant=1600.0), gap=gap, zero=mg.Ground())
    circuit.add(place=tr.Fixed(), meter=mg.MagneticPotentialDifferenceSensor())
    circuit.connect(circuit.source.port_p, circuit.gap.port_p, circuit.meter.port_p)
    circuit.connect(circuit.source.port_n, circuit.gap.port_n, circuit.meter.port_n, circuit.zero.port)
    circuit.connect(circuit.gap.flange, circuit.place.flange)
    compiled = tg.compile(circuit)
    before, here, after = (
        tg.steady_state(compiled, parameters={"place.s0": s}) for s in (2e-3 - 1e-6, 2e-3, 2e-3 + 1e-6)
    )
    assert here["meter.y"] == 1600.0
    expected = 1600.0**2 / 2.0 * (after["gap.G_m"] - before["gap.G_m"]) / 2e-6
    within("Forces of gaps", relative(here["gap.F_m"], expected), 1e-6, "central difference of the coenergy")


def test_a_source_of_flux_drives_a_reluctance() -> None:
    circuit = tg.System("flux")
    circuit.add(
        source=mg.ConstantMagneticFlux(Phi_constant=2e-4), core=mg.ConstantReluctance(R_m=1e6), zero=mg.Ground()
    )
    circuit.connect(circuit.source.port_n, circuit.core.port_p)
    circuit.connect(circuit.source.port_p, circuit.core.port_n, circuit.zero.port)
    within("Source of flux", relative(tg.steady_state(circuit)["core.V_m"], 200.0), 1e-12, "R_m Phi")


def test_a_magnet_with_an_air_gap_and_in_short_circuit() -> None:
    """B in the gap is B_r/(1 + mu_r l_gap/l_magnet) for equal areas; shorted it is the remanence."""
    strength = mg.hard("NdFeB")
    circuit = tg.System("circuit")
    circuit.add(magnet=mg.PermanentMagnet(l=5e-3, A=1e-4, **strength), air=mg.Cuboid(l=1e-3), zero=mg.Ground())
    circuit.connect(circuit.magnet.port_p, circuit.air.port_p)
    circuit.connect(circuit.magnet.port_n, circuit.air.port_n, circuit.zero.port)
    expected = strength["B_r"] / (1.0 + strength["mu_r"] * 1e-3 / 5e-3)
    B = tg.steady_state(circuit)["air.B"]
    within("Magnet and gap, flux density", relative(B, expected), 1e-9, "B_r/(1 + mu_r l_gap/l_magnet)")


def test_two_windings_are_a_transformer() -> None:
    """A core with a stray path: open, the second winding has N2/N1 of the voltage, less what strays.

    Flux enters both coils at port_n, so they have the same sense.
    """
    circuit = tg.System("transformer")
    circuit.add(source=el.SineVoltage(V=10.0, f=50.0), first=mg.ElectroMagneticConverter(N=200.0))
    circuit.add(second=mg.ElectroMagneticConverter(N=50.0), meter=el.VoltageSensor(), ground=el.Ground())
    circuit.add(core=mg.ConstantReluctance(R_m=2e5), stray=mg.ConstantPermeance(G_m=1e-6), zero=mg.Ground())
    circuit.connect(circuit.source.p, circuit.first.p)
    circuit.connect(circuit.source.n, circuit.first.n, circuit.meter.n, circuit.second.n, circuit.ground.p)
    circuit.connect(circuit.second.p, circuit.meter.p)
    circuit.connect(circuit.first.port_p, circuit.core.port_p, circuit.stray.port_p)
    circuit.connect(circuit.core.port_n, circuit.second.port_n)
    circuit.connect(circuit.first.port_n, circuit.stray.port_n, circuit.second.port_p, circuit.zero.port)
    s = tg.simulate(circuit, 0.04, rtol=1e-9)
    share = (1.0 / 2e5) / (1.0 / 2e5 + 1e-6)  # of the flux of the first winding that goes through the core
    expected = 50.0 / 200.0 * share * s["source.v"]
    within("Transformer, voltage of the open winding", s["meter.v"] - expected, 1e-6, "N2/N1 k v")


def test_eddy_currents_are_a_shorted_turn() -> None:
    """Flux behind a constant ampere-turns rises with the time constant 1/(R_loop R_m)."""
    circuit = tg.System("loop")
    circuit.add(source=mg.ConstantMagneticPotentialDifference(V_m_constant=100.0), core=mg.ConstantReluctance(R_m=1e6))
    circuit.add(eddy=mg.EddyCurrent(rho=1e-7, l=0.1, A=1e-4), meter=mg.MagneticFluxSensor(), zero=mg.Ground())
    circuit.connect(circuit.source.port_p, circuit.core.port_p)
    circuit.connect(circuit.core.port_n, circuit.eddy.port_p)
    circuit.connect(circuit.eddy.port_n, circuit.meter.port_p)
    circuit.connect(circuit.meter.port_n, circuit.source.port_n, circuit.zero.port)
    s = tg.simulate(circuit, 0.05, rtol=1e-9, initial={"core.Phi": 0.0})
    expected = 1e-4 * (1.0 - np.exp(-1e-4 * 1e6 * s.time))
    within("Flux against eddy currents", (s["meter.y"] - expected) / 1e-4, 1e-7, "1 - exp(-R_loop R_m t)")


class Armature(tg.Component):
    """An armature on a spring in front of a coil with a current; the core counts as the gap R_core mu_0 A."""

    i = tg.parameter(1.0, "A")
    coil = mg.SignalMagneticPotentialDifference()
    core = mg.ConstantReluctance(R_m=1e6)
    gap = mg.AxialGap(A=AREA)
    zero = mg.Ground()
    mass = tr.Mass(m=0.02, s=tg.variable(start=GAP, fixed=True), v=tg.variable(start=0.0, fixed=True))
    spring = tr.SpringDamper(c=SPRING, d=30.0, s_rel0=GAP)
    frame = tr.Fixed()

    def equations(self) -> Any:
        yield self.coil.V_m_set == N * self.i * (1.0 - tg.exp(-tg.time / 0.05))  # slowly: no overshoot

    def connections(self) -> Any:
        yield self.coil.port_p, self.core.port_p
        yield self.core.port_n, self.gap.port_p
        yield self.gap.port_n, self.coil.port_n, self.zero.port
        yield self.frame.flange, self.spring.flange_a
        yield self.gap.flange, self.mass.flange_a, self.spring.flange_b


def pull_in() -> tuple[float, float]:
    """Current and gap of the last equilibrium: k (x0 - x) = mu_0 A (N i)^2/(2 (x + x_core)^2) has a double root."""
    whole = GAP + 1e6 * MU_0 * AREA
    return (8.0 * SPRING * whole**3 / (27.0 * N**2 * MU_0 * AREA)) ** 0.5, 2.0 * whole / 3.0 - (whole - GAP)


def test_pull_in_of_an_actuator() -> None:
    """0.1 % below the analytic current the armature stays where the reluctance model says, 0.1 % above it snaps."""
    current, last = pull_in()
    below = tg.simulate(Armature(i=0.999 * current), 3.0)
    whole = GAP + 1e6 * MU_0 * AREA
    force = MU_0 * AREA * (N * 0.999 * current) ** 2 / 2.0
    expected = brentq(lambda x: SPRING * (GAP - x) - force / (x + whole - GAP) ** 2, last, GAP)
    within(
        "Actuator before pull-in, gap", relative(below["gap.l"][-1], expected), 1e-4, "equilibrium of force and spring"
    )
    above = tg.simulate(Armature(i=1.001 * current), 3.0, throw=False)
    assert above.outcome.code == "assertion", above.outcome  # the gap has closed
    assert above["gap.l"][-1] < 0.2 * GAP


def test_flux_tubes_are_the_solenoid_of_machines() -> None:
    """The same magnetic circuit and mechanics, one made of flux tubes and one from library.machines."""

    class Tubes(tg.Component):
        source = el.StepVoltage(V=5.0)
        wire = el.Resistor(R=20.0)
        coil = mg.ElectroMagneticConverter(N=1000.0)
        core = mg.ConstantReluctance(R_m=5e5)
        gap = mg.AxialGap(A=1e-4, l_0=1e-4)
        zero = mg.Ground()
        ground = el.Ground()
        mass = tr.Mass(m=0.05, s=tg.variable(start=2e-3, fixed=True), v=tg.variable(start=0.0, fixed=True))
        spring = tr.SpringDamper(c=1e4, d=5.0, s_rel0=2e-3)
        frame = tr.Fixed()

        def connections(self) -> Any:
            yield self.source.p, self.wire.p
            yield self.wire.n, self.coil.p
            yield self.coil.n, self.source.n, self.ground.p
            yield self.coil.port_p, self.core.port_p
            yield self.core.port_n, self.gap.port_p
            yield self.gap.port_n, self.coil.port_n, self.zero.port
            yield self.frame.flange, self.spring.flange_a
            yield self.gap.flange, self.mass.flange_a, self.spring.flange_b

    class One(tg.Component):
        source = el.StepVoltage(V=5.0)
        coil = ma.SolenoidActuator(R=20.0, N=1000.0, A=1e-4, g_rest=1e-4, R_core=5e5)
        ground = el.Ground()
        mass = tr.Mass(m=0.05, s=tg.variable(start=2e-3, fixed=True), v=tg.variable(start=0.0, fixed=True))
        spring = tr.SpringDamper(c=1e4, d=5.0, s_rel0=2e-3)
        frame = tr.Fixed()

        def connections(self) -> Any:
            yield self.source.p, self.coil.p
            yield self.coil.n, self.source.n, self.ground.p
            yield self.frame.flange, self.spring.flange_a
            yield self.coil.flange, self.mass.flange_a, self.spring.flange_b

    tubes, one = (tg.simulate(model, 0.05, rtol=1e-9) for model in (Tubes(), One()))
    error = (tubes["mass.s"] - one["mass.s"]) / 2e-3
    within("Flux tubes against SolenoidActuator, stroke", error, 1e-6, "the same equations written as one component")


J_S, B_R, H_C = 1.6, 0.8, 100.0


class Loop(tg.Component):
    """Iron with hysteresis under a field that is given."""

    amplitude = tg.parameter(5000.0, "A/m")
    source = mg.SignalMagneticPotentialDifference()
    iron = mg.HysteresisFluxTube(l=1.0, A=1.0, J_s=J_S, B_r=B_R, H_c=H_C)
    zero = mg.Ground()
    loss = tg.variable("J", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.source.V_m_set == 1.0 * self.amplitude * tg.sin(2.0 * np.pi * tg.time)
        yield tg.der(self.loss) == self.iron.losses()

    def connections(self) -> Any:
        yield self.source.port_p, self.iron.port_p
        yield self.source.port_n, self.iron.port_n, self.zero.port


def test_an_outer_loop_has_its_remanence_coercivity_and_area() -> None:
    """Saturated loops run along the branches: area 4 J_s H_c. Tolerance: the 0.1 % of J_s kept between them."""
    s = tg.simulate(Loop(), 3.0, rtol=1e-8, points=3001)
    half, B, H = s.time >= 2.25, s["iron.B"], s["iron.H"]
    falling = half & (s.time <= 2.75)
    remanence = np.interp(0.0, -H[falling], B[falling])
    coercivity = np.interp(0.0, -s["iron.J"][falling], -H[falling])
    within("Hysteresis, remanence", remanence / B_R - 1.0, 2e-3, "the falling branch at H = 0")
    within("Hysteresis, coercivity", coercivity / H_C - 1.0, 2e-3, "the falling branch at J = 0")
    area = s.at(3.0)["loss"] - s.at(2.0)["loss"]
    within("Hysteresis, loss of an outer loop", relative(area, 4.0 * J_S * H_C), 5e-3, "the area 4 J_s H_c")


def test_inner_loops_are_those_of_tellinens_equations() -> None:
    """Integrated by SciPy over H, branch by branch."""
    k, room = np.arctanh(B_R / J_S) / H_C, 0.5e-3 * J_S

    def slope(H: float, J: Any, up: bool) -> Any:
        F, R = J_S * np.tanh(k * (H + H_C)) + room, J_S * np.tanh(k * (H - H_C)) - room
        side = -H_C if up else H_C
        return J_S * k / np.cosh(k * (H + side)) ** 2 * ((F - J) if up else (J - R)) / (F - R)

    s = tg.simulate(Loop(amplitude=150.0), 1.5, rtol=1e-9)
    J, turns = 0.0, (0.0, 150.0, -150.0, 150.0, 0.0)
    for begin, end in pairwise(turns):
        done = solve_ivp(slope, (begin, end), [J], args=(end > begin,), rtol=1e-10, atol=1e-12)
        J = float(done.y[0, -1])
    within("Hysteresis, an inner loop", s["iron.J"][-1] - J, 1e-6, "SciPy over H, branch by branch")


def test_eddy_currents_in_sheets() -> None:
    """A sine of flux density: sigma d^2 (w B)^2/24 per volume, besides the loss of the static loop."""
    circuit = tg.System("sheet")
    circuit.add(source=mg.SignalMagneticFlux(), zero=mg.Ground())
    circuit.add(iron=mg.HysteresisFluxTube(l=1.0, A=1.0, J_s=J_S, B_r=B_R, H_c=H_C, eddy_currents=True, d=1e-3))
    circuit.connect(circuit.source.port_p, circuit.iron.port_p)
    circuit.connect(circuit.source.port_n, circuit.iron.port_n, circuit.zero.port)
    circuit.equation(circuit.source.Phi_set == -0.5 * tg.sin(2.0 * np.pi * 50.0 * tg.time))
    s = tg.simulate(circuit, 0.04, rtol=1e-9, points=4001)
    rate = s["der(iron.B)"]
    eddy = np.trapezoid((s["iron.V_m"] - s["iron.H"]) * rate, s.time) / 0.04
    expected = 2e6 * 1e-6 * (2.0 * np.pi * 50.0 * 0.5) ** 2 / 24.0
    within("Eddy currents in sheets, loss", relative(eddy, expected), 1e-5, "sigma d^2 (w B)^2/24")


def test_an_unknown_material_is_told() -> None:
    with pytest.raises(tg.LanguageError, match="M350_50A"):
        mg.soft("M350-50A")
    with pytest.raises(tg.LanguageError, match="NdFeB"):
        mg.hard("NeFeB")
