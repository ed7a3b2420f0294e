"""The circuits of tests/reference as Tellegen models: the same parts with the same numbers, part for part."""

from __future__ import annotations

from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import electrical as el


def circuit(name: str, parts: dict[str, tuple[Any, ...]], inputs: dict[str, tuple[Any, list[str]]]) -> tg.System:
    """Parts with the nodes of their pins, as in a netlist, node "0" grounded; signals with the inputs they feed."""
    s = tg.System(name)
    s.add(ground=el.Ground())
    nets: dict[str, Any] = {"0": s.ground.p}
    for label, (part, *nodes) in parts.items():
        s.add(**{label: part})
        for pin, node in zip(pins(part), nodes, strict=True):
            if node in nets:
                s.connect(nets[node], pin)
            nets.setdefault(node, pin)
    for label, (source, fed) in inputs.items():
        s.add(**{label: source})
        for path in fed:
            part, port = path.split(".")
            s.connect(source.y, getattr(s[part], port))
    return s


def pins(part: Any) -> list[Any]:
    """The pins in the order of netlists: what is controlled before what controls, windings one after the other."""
    if isinstance(part, el.TwoPort):
        return [part.p2, part.n2, part.p1, part.n1]
    if isinstance(part, el.CoupledInductors):
        return [pin for k in range(part.N) for pin in (part.p[k], part.n[k])]
    if isinstance(part, el.PolynomialSource):
        return [part.p, part.n, *(pin for k in range(part.N) for pin in (part.p1[k], part.n1[k]))]
    if isinstance(part, el.HystereticSwitch | el.SmoothSwitch):
        return [part.p, part.n, part.pc, part.nc]
    return [part.p, part.n]


def capacitor(C: float) -> Any:
    return el.Capacitor(C=C, v=tg.variable(start=0.0, fixed=True))


def inductor(L: float) -> Any:
    return el.Inductor(L=L, i=tg.variable(start=0.0, fixed=True))


def diode(**numbers: float) -> Any:
    return el.Diode(**{"Is": 1e-12, "N": 1.2, "Rs": 0.05, **numbers})


def half_wave() -> tg.System:
    parts = {
        "v1": (el.SineVoltage(V=10.0, f=50.0), "in", "0"),
        "rs": (el.Resistor(R=1.0), "in", "a"),
        "d1": (diode(), "a", "out"),
        "c1": (capacitor(100e-6), "out", "0"),
        "rl": (el.Resistor(R=100.0), "out", "0"),
    }
    return circuit("half_wave", parts, {})


def full_wave() -> tg.System:
    parts = {
        "v1": (el.SineVoltage(V=10.0, f=50.0), "p", "n"),
        "rs": (el.Resistor(R=0.5), "p", "a"),
        "d1": (diode(), "a", "out"),
        "d2": (diode(), "0", "a"),
        "d3": (diode(), "n", "out"),
        "d4": (diode(), "0", "n"),
        "rp": (el.Resistor(R=10e3), "a", "0"),
        "rn": (el.Resistor(R=10e3), "n", "0"),
        "c1": (capacitor(220e-6), "out", "0"),
        "rl": (el.Resistor(R=50.0), "out", "0"),
    }
    return circuit("full_wave", parts, {})


def rlc_pulse() -> tg.System:
    pulse = el.TrapezoidVoltage(V=5.0, start_time=0.2e-3, rising=10e-6, falling=20e-6, width=1e-3, period=3e-3)
    parts = {
        "v1": (pulse, "in", "0"),
        "r1": (el.Resistor(R=10.0), "in", "a"),
        "l1": (inductor(10e-3), "a", "out"),
        "c1": (capacitor(1e-6), "out", "0"),
    }
    return circuit("rlc_pulse", parts, {})


def clipper() -> tg.System:
    numbers = {"Is": 1e-14, "N": 1.0, "Rs": 0.0}
    parts = {
        "v1": (el.SineVoltage(V=5.0, f=1e3), "in", "0"),
        "r1": (el.Resistor(R=1e3), "in", "out"),
        "d1": (diode(**numbers), "out", "b1"),
        "vb1": (el.ConstantVoltage(V=1.5), "b1", "0"),
        "d2": (diode(**numbers), "b2", "out"),
        "vb2": (el.ConstantVoltage(V=-2.0), "b2", "0"),
        "cp": (capacitor(10e-9), "out", "0"),
    }
    return circuit("clipper", parts, {})


def doubler() -> tg.System:
    numbers = {"Is": 1e-14, "N": 1.0, "Rs": 0.1}
    parts = {
        "v1": (el.SineVoltage(V=5.0, f=1e3), "in", "0"),
        "rs": (el.Resistor(R=10.0), "in", "s"),
        "c1": (capacitor(10e-6), "s", "a"),
        "d1": (diode(**numbers), "0", "a"),
        "d2": (diode(**numbers), "a", "out"),
        "c2": (capacitor(10e-6), "out", "0"),
        "rl": (el.Resistor(R=10e3), "out", "0"),
    }
    return circuit("doubler", parts, {})


def gate(width: float) -> Any:
    return blocks.Trapezoid(rising=20e-9, width=width, falling=20e-9, period=10e-6)


def buck() -> tg.System:
    parts = {
        "v1": (el.ConstantVoltage(V=24.0), "in", "0"),
        "s1": (el.IdealClosingSwitch(Ron=0.02, Goff=1e-6), "in", "x"),
        "d1": (diode(N=1.0, Rs=0.01), "0", "x"),
        "l1": (inductor(100e-6), "x", "out"),
        "c1": (capacitor(10e-6), "out", "0"),
        "rl": (el.Resistor(R=5.0), "out", "0"),
    }
    return circuit("buck", parts, {"vg": (gate(4.98e-6), ["s1.control"])})


def boost() -> tg.System:
    parts = {
        "v1": (el.ConstantVoltage(V=12.0), "in", "0"),
        "l1": (inductor(100e-6), "in", "x"),
        "s1": (el.IdealClosingSwitch(Ron=0.02, Goff=1e-6), "x", "0"),
        "d1": (diode(N=1.0, Rs=0.01), "x", "out"),
        "c1": (capacitor(10e-6), "out", "0"),
        "rl": (el.Resistor(R=20.0), "out", "0"),
    }
    return circuit("boost", parts, {"vg": (gate(3.98e-6), ["s1.control"])})


def scr_bridge() -> tg.System:
    """Thyristors here, fired for 0.1 ms; in the netlist switches that stay closed until the diode blocks."""
    parts: dict[str, tuple[Any, ...]] = {
        "v1": (el.SineVoltage(V=20.0, f=50.0), "p", "n"),
        "rp": (el.Resistor(R=10e3), "p", "0"),
        "rn": (el.Resistor(R=10e3), "n", "0"),
        "l1": (inductor(5e-3), "out", "r"),
        "rl": (el.Resistor(R=20.0), "r", "0"),
    }
    for k, (anode, cathode) in enumerate([("p", "out"), ("0", "p"), ("n", "out"), ("0", "n")], start=1):
        parts[f"t{k}"] = (el.IdealThyristor(Ron=0.01, Goff=1e-7), anode, f"a{k}")
        parts[f"d{k}"] = (diode(Rs=0.01), f"a{k}", cathode)
    pulses = {"period": 20e-3, "width": 0.005}
    first = blocks.Pulse(start_time=3.3333333e-3 + 0.5e-6, **pulses)
    second = blocks.Pulse(start_time=13.3333333e-3 + 0.5e-6, **pulses)
    return circuit("scr_bridge", parts, {"g1": (first, ["t1.fire", "t4.fire"]), "g2": (second, ["t2.fire", "t3.fire"])})


def windings() -> tg.System:
    own, k = np.array([20e-3, 5e-3, 80e-3]), np.array([[1, 0.95, 0.9], [0.95, 1, 0.85], [0.9, 0.85, 1]])
    coupled = el.CoupledInductors(L=k * np.sqrt(np.outer(own, own)), i=tg.variable(start=0.0, fixed=True))
    parts = {
        "v1": (el.SineVoltage(V=10.0, f=50.0), "in", "0"),
        "r1": (el.Resistor(R=0.5), "in", "a"),
        "l": (coupled, "a", "0", "b", "0", "c", "0"),
        "r2": (el.Resistor(R=4.0), "b", "0"),
        "r3": (el.Resistor(R=30.0), "c", "d"),
        "c3": (capacitor(20e-6), "d", "0"),
    }
    return circuit("windings", parts, {})


def controlled() -> tg.System:
    """The controlling current of F and H goes through both of their first ports."""
    parts = {
        "c1": (el.Capacitor(C=1e-6, v=tg.variable(start=1.0, fixed=True)), "x", "0"),
        "g1": (el.VCC(trans_conductance=1e-3), "x", "0", "y", "0"),
        "c2": (capacitor(1e-6), "y", "0"),
        "f1": (el.CCC(gain=1.0), "y", "0", "s", "t"),
        "e1": (el.VCV(gain=-2.0), "e", "0", "x", "0"),
        "re": (el.Resistor(R=2e3), "e", "s"),
        "h1": (el.CCV(trans_resistance=500.0), "h", "0", "t", "0"),
        "rh": (el.Resistor(R=1e3), "h", "0"),
        "l3": (inductor(1.0), "z", "0"),
        "c3": (el.Capacitor(C=1e-6, v=tg.variable(start=0.5, fixed=True)), "z", "0"),
        "g3": (el.PolynomialVCC(coefficients=[0.0, -1e-3, 0.0, 0.3333333333e-3]), "z", "0", "z", "0"),
        "em": (el.PolynomialVCV(N=2, coefficients=[0.0, 0.0, 0.0, 0.0, 1.0]), "m", "0", "x", "0", "z", "0"),
        "rm": (el.Resistor(R=1e3), "m", "0"),
    }
    return circuit("controlled", parts, {})
