"""The circuits of tests/reference/devices as Tellegen models: the same parts with the same numbers, part for part.

The source that ngspice sweeps is `v1`, with the voltage V.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import thermal
from tellegen.library.electrical.semiconductors.junction import BOLTZMANN_OVER_CHARGE

T = 300.15 * (1.38064852e-23 / 1.6021766208e-19) / BOLTZMANN_OVER_CHARGE
"""The temperature with the thermal voltage of ngspice 39 at 27 degC: it has k and q of 2014. 1e-4 K below 300.15 K."""

PINS = {el.Diode: "p n", el.BJT: "C B E", el.MOSFET: "D G S B", el.VCV: "p1 n1 p2 n2", el.OnePort: "p n"}


def circuit(name: str, parts: dict[str, tuple[Any, str]]) -> tg.System:
    """Parts with the nodes of their pins, in the order of SPICE; node 0 is grounded."""
    s = tg.System(name)
    s.add(ground=el.Ground())
    nets: dict[str, Any] = {"0": s.ground.p}
    for label, (part, nodes) in parts.items():
        s.add(**{label: part})
        pins = next(names for cls, names in PINS.items() if isinstance(part, cls))
        for pin, node in zip(pins.split(), nodes.split(), strict=True):
            if node in nets:
                s.connect(nets[node], getattr(part, pin))
            nets.setdefault(node, getattr(part, pin))
    return s


def volts(V: float = 0.0) -> Any:
    return el.ConstantVoltage(V=V)


def ohms(R: float) -> Any:
    return el.Resistor(R=R)


def mirrored(source: str) -> tuple[Any, str]:
    """A voltage opposite to that of a node."""
    return el.VCV(gain=-1.0), f"{source} 0 minus_{source} 0"


def diode_curves() -> tg.System:
    zener = el.ZDiode(T=T, Is=1e-9, Bv=4.7, Ibv=5e-3, Nbv=1.3, Rs=2.0)
    return circuit(
        "diode_curves",
        {
            "v1": (volts(), "a 0"),
            "d1": (el.Diode(T=T, Is=1e-14), "a 0"),
            "d2": (el.Diode(T=T, Is=1e-12, N=1.7, Rs=0.5), "a 0"),
            "d3": (zener, "a 0"),
            "d4": (el.Diode(T=T, Is=1e-6, N=1.1, Rs=0.1), "a 0"),
        },
    )


def diode_forward() -> tg.System:
    real = {"Is": 5e-9, "N": 1.9, "Rs": 0.6, "Ikf": 40e-3, "Isr": 1e-8, "Vj": 0.75, "M": 0.55}
    return circuit(
        "diode_forward",
        {
            "v1": (volts(), "a 0"),
            "d1": (el.Diode(T=T, Is=1e-14, Ikf=1e-3), "a 0"),
            "d2": (el.Diode(T=T, Is=1e-14, Isr=1e-10, Nr=2.1, Vj=0.8, M=0.4), "a 0"),
            "d3": (el.Diode(T=T, **real), "a 0"),
        },
    )


def bjt_output() -> tg.System:
    leaks = {"Ise": 2e-14, "Ne": 1.4, "Isc": 1e-13, "Nc": 1.8}
    high = {"Ikf": 0.03, "Ikr": 0.01, "Vaf": 74.0, "Var": 12.0}
    npn = {"Is": 1e-14, "Bf": 200.0, "Br": 4.0, "Rb": 50.0, "Rbm": 10.0, "Rc": 2.0, "Re": 0.5, **leaks, **high}
    pnp = {"Is": 3e-15, "Bf": 120.0, "Br": 3.0, "Vaf": 50.0, "Ikf": 0.05, "Rb": 30.0, "Rc": 1.0}
    return circuit(
        "bjt_output",
        {
            "v1": (volts(), "c 0"),
            "e1": mirrored("c"),
            "ia": (el.ConstantCurrent(I=10e-6), "0 b1"),
            "ib": (el.ConstantCurrent(I=100e-6), "0 b2"),
            "ic": (el.ConstantCurrent(I=10e-6), "b3 0"),
            "id": (el.ConstantCurrent(I=100e-6), "b4 0"),
            "q1": (el.NPN(T=T, **npn), "c b1 0"),
            "q2": (el.NPN(T=T, **npn), "c b2 0"),
            "q3": (el.PNP(T=T, **pnp), "minus_c b3 0"),
            "q4": (el.PNP(T=T, **pnp), "minus_c b4 0"),
        },
    )


def bjt_gummel() -> tg.System:
    npn = {"Is": 1e-15, "Bf": 200.0, "Vaf": 74.0, "Ikf": 0.03, "Ise": 2e-13, "Ne": 1.6, "Nf": 1.01}
    pnp = {"Is": 3e-15, "Bf": 120.0, "Vaf": 50.0, "Ikf": 0.05, "Ise": 1e-14}
    return circuit(
        "bjt_gummel",
        {
            "v1": (volts(), "b 0"),
            "e1": mirrored("b"),
            "vc": (volts(2.0), "c 0"),
            "e2": mirrored("c"),
            "q1": (el.NPN(T=T, Gmin=1e-18, Rb=50.0, Re=0.5, **npn), "c b 0"),
            "q2": (el.PNP(T=T, Gmin=1e-18, **pnp), "minus_c minus_b 0"),
        },
    )


def mos_output() -> tg.System:
    nmos = {"Vto": 0.8, "Kp": 5e-5, "Gamma": 0.4, "Phi": 0.65, "Lambda": 0.03, "W": 20e-6, "L": 2e-6}
    real = {"Vto": 0.8, "Kp": 5e-5, "Lambda": 0.01, "Rd": 200.0, "Rs": 100.0, "Ld": 0.2e-6, "W": 50e-6, "L": 2e-6}
    pmos = {"Vto": -0.9, "Kp": 2e-5, "Gamma": 0.6, "Lambda": 0.05, "W": 40e-6, "L": 2e-6}
    return circuit(
        "mos_output",
        {
            "v1": (volts(), "d 0"),
            "e1": mirrored("d"),
            "vg": (volts(3.0), "g 0"),
            "vh": (volts(1.5), "h 0"),
            "vn": (volts(-3.0), "n 0"),
            "vbn": (volts(-6.0), "bn 0"),
            "vbp": (volts(6.0), "bp 0"),
            "m1": (el.NMOS(T=T, **nmos), "d g 0 bn"),
            "m2": (el.NMOS(T=T, **nmos), "d h 0 bn"),
            "m3": (el.NMOS(T=T, **real), "d g 0 bn"),
            "m4": (el.PMOS(T=T, **pmos), "minus_d n 0 bp"),
        },
    )


def mos_transfer() -> tg.System:
    nmos = {"Vto": 0.8, "Tox": 30e-9, "U0": 550.0, "Gamma": 0.4, "Lambda": 0.03, "W": 20e-6, "L": 2e-6}
    pmos = {"Vto": -0.9, "Kp": 2e-5, "Gamma": 0.6, "Lambda": 0.05, "W": 40e-6, "L": 2e-6}
    return circuit(
        "mos_transfer",
        {
            "v1": (volts(), "g 0"),
            "e1": mirrored("g"),
            "vs": (volts(3.0), "s 0"),
            "es": mirrored("s"),
            "vbn": (volts(-2.0), "bn 0"),
            "vbf": (volts(0.3), "bf 0"),
            "m1": (el.NMOS(T=T, **nmos), "s g 0 0"),
            "m2": (el.NMOS(T=T, **nmos), "s g 0 bn"),
            "m3": (el.NMOS(T=T, **nmos), "s g 0 bf"),
            "m4": (el.PMOS(T=T, **pmos), "minus_s minus_g 0 0"),
        },
    )


def hot_curves() -> tg.System:
    """Parameters for 300.15 K, and all parts at 350 K, both with the thermal voltages of ngspice."""
    s = circuit(
        "hot_curves",
        {
            "v1": (volts(), "a 0"),
            "e1": mirrored("a"),
            "vc": (volts(2.0), "c 0"),
            "ec": mirrored("c"),
            "d1": (hot(el.Diode, Is=1e-14, N=1.2, Eg=1.15, Xti=2.5), "a 0"),
            "q1": (hot(el.NPN, Is=1e-15, Bf=200.0, Ise=2e-13, Ne=1.6, Xtb=1.5), "c a 0"),
            "q2": (hot(el.PNP, Is=3e-15, Bf=120.0, Vaf=50.0, Eg=1.12), "minus_c minus_a 0"),
        },
    )
    s.add(oven=thermal.FixedTemperature(T=350.0 * T / 300.15))
    s.connect(s.oven.port, s.d1.heat_port, s.q1.heat_port, s.q2.heat_port)
    return s


def hot(cls: Any, **numbers: float) -> Any:
    return cls(T=T, use_heat_port=True, Gmin=1e-18, **numbers)


def common_emitter_point() -> tg.System:
    npn = {"Is": 1e-14, "Bf": 200.0, "Vaf": 74.0, "Ikf": 0.3, "Ise": 1e-14, "Ne": 1.3, "Rb": 10.0, "Rc": 1.0, "Re": 0.1}
    return circuit(
        "common_emitter_point",
        {
            "v1": (volts(12.0), "v 0"),
            "r1": (ohms(47e3), "v b"),
            "r2": (ohms(10e3), "b 0"),
            "rc": (ohms(2.2e3), "v c"),
            "re": (ohms(470.0), "e 0"),
            "q1": (el.NPN(T=T, **npn), "c b e"),
        },
    )


def push_pull_point() -> tg.System:
    return circuit(
        "push_pull_point",
        {
            "vp": (volts(12.0), "vp 0"),
            "vn": (volts(-12.0), "vn 0"),
            "v1": (volts(), "in 0"),
            "r1": (ohms(2.2e3), "vp b1"),
            "r2": (ohms(2.2e3), "b2 vn"),
            "d1": (el.Diode(T=T, Is=1e-14), "b1 in"),
            "d2": (el.Diode(T=T, Is=1e-14), "in b2"),
            "q1": (el.NPN(T=T, Is=1e-14, Bf=100.0, Vaf=80.0), "vp b1 e1"),
            "q2": (el.PNP(T=T, Is=1e-14, Bf=80.0, Vaf=60.0), "vn b2 e2"),
            "re1": (ohms(1.0), "e1 out"),
            "re2": (ohms(1.0), "out e2"),
            "rl": (ohms(50.0), "out 0"),
        },
    )


NMOS: dict[str, float] = {"T": T, "Vto": 1.0, "Kp": 5e-5, "Gamma": 0.4, "Lambda": 0.02, "W": 20e-6, "L": 1e-6}
PMOS: dict[str, float] = {"T": T, "Vto": -1.0, "Kp": 2e-5, "Gamma": 0.5, "Lambda": 0.03, "W": 40e-6, "L": 1e-6}


def cmos_inverter_point() -> tg.System:
    return circuit(
        "cmos_inverter_point",
        {
            "vdd": (volts(5.0), "d 0"),
            "v1": (volts(), "i 0"),
            "m1": (el.NMOS(**NMOS), "o i 0 0"),
            "m2": (el.PMOS(**PMOS), "o i d d"),
        },
    )


def pulse(low: float, high: float, start: float, width: float) -> Any:
    ramps = {"rising": 1e-9, "falling": 1e-9, "width": width, "period": 1.0}
    return el.TrapezoidVoltage(V=high - low, offset=low, start_time=start, **ramps)


def reverse_recovery() -> tg.System:
    return circuit(
        "reverse_recovery",
        {
            "v1": (pulse(5.0, -5.0, 20e-9, 100e-9), "a 0"),
            "r1": (ohms(1e3), "a b"),
            "d1": (el.Diode(T=T, Is=1e-14, Rs=1.0, Cjo=2e-12, Vj=0.7, M=0.4, Tt=10e-9), "b 0"),
        },
    )


def bjt_switch() -> tg.System:
    static = {"Is": 1e-15, "Bf": 150.0, "Br": 3.0, "Vaf": 80.0, "Var": 20.0, "Ikf": 0.05, "Ikr": 0.02, "Ise": 1e-14}
    charges = {"Cje": 5e-12, "Cjc": 3e-12, "Tf": 0.4e-9, "Xtf": 2.0, "Vtf": 3.0, "Itf": 10e-3, "Tr": 20e-9, "Xcjc": 0.6}
    return circuit(
        "bjt_switch",
        {
            "vcc": (volts(5.0), "c 0"),
            "v1": (pulse(0.0, 5.0, 20e-9, 200e-9), "a 0"),
            "rb": (ohms(10e3), "a b"),
            "rc": (ohms(1e3), "c o"),
            "q1": (el.NPN(T=T, Rb=20.0, Rc=2.0, Re=0.5, **static, **charges), "o b 0"),
        },
    )


def cmos_switch() -> tg.System:
    gate = {"Tox": 20e-9, "Cgso": 0.3e-9, "Cgdo": 0.3e-9}
    areas = {"Cj": 3e-4, "Cjsw": 2e-10, "Ad": 400e-12, "As": 400e-12, "Pd": 100e-6, "Ps": 100e-6}
    ends = {"Cgbo": 0.1e-9, "Cbd": 20e-15, "Cbs": 20e-15, "Rd": 20.0, "Rs": 10.0}
    return circuit(
        "cmos_switch",
        {
            "vdd": (volts(5.0), "d 0"),
            "v1": (pulse(0.0, 5.0, 2e-9, 10e-9), "i 0"),
            "m1": (el.NMOS(**NMOS, **gate, **ends), "o i 0 0"),
            "m2": (el.PMOS(**PMOS, **gate, **areas), "o i d d"),
            "c1": (el.Capacitor(C=50e-15), "o 0"),
        },
    )
