"""Small netlists that once were read wrong, refused or ended in a traceback, against values of ngspice."""

from __future__ import annotations

import re

import pytest

import tellegen as tg
from importers.netlists_of_others import CASES
from tellegen.importers.spice.elements.temperature import Warmed

TOLERANCE = 1e-3
"""Of a value: ngspice's Boltzmann constant is that of 2014, which currents of junctions feel with 1e-5 of it."""
CURRENT = 1e-9  # A
VOLTAGE = 1e-5  # V


def read(circuit: tg.Component, solution: tg.Solution, quantity: str, time: float) -> float:
    """`v(a)`, `v(a,b)` or `i(v1)` at a time."""
    found = re.fullmatch(r"([vi])\((.*)\)", quantity)
    assert found is not None
    at = solution.at(time)
    if found[1] == "i":
        return float(at[f"{found[2]}.i"])
    potentials = [float(at[f"{circuit.nodes[node]}.v"]) for node in found[2].split(",")]  # type: ignore[attr-defined]
    return potentials[0] - sum(potentials[1:])


@pytest.mark.parametrize("name", CASES)
def test_against_ngspice(name: str) -> None:
    case = CASES[name]
    circuit = tg.read_spice(text=f"title\n{case.text}.end\n")
    solution = tg.simulate(circuit, rtol=1e-8)
    assert case.points
    for quantity, time, value in case.points:
        floor = CURRENT if quantity[0] == "i" else VOLTAGE
        assert read(circuit, solution, quantity, time) == pytest.approx(value, rel=TOLERANCE, abs=floor), quantity


def test_what_is_left_out_is_noted() -> None:
    """Second definitions, islands, initial conditions of nodes that sources hold, elements of number 0."""
    for name, note in {
        "same_model_twice": "there is already a model 'dm'",
        "same_subckt_twice": "there is already a subcircuit 's'",
        "isolated_secondary": "the nodes c, d have no connection to ground: 'd' is grounded",
        "ic_on_a_source": ".ic of 'a' is not used",
        "m_zero": "'r1': left out",
    }.items():
        circuit = tg.read_spice(text=f"title\n{CASES[name].text}.end\n")
        assert any(note in text for text in circuit.notes), name


def test_an_inner_node_that_is_not_there() -> None:
    text = "t\nv1 a 0 1\nx1 a s\n.subckt s a\nr1 a 0 1k\n.ends\nb1 b 0 v=v(x1.q)\nr2 b 0 1\n.tran 1 1\n"
    with pytest.raises(tg.NetlistError, match="'s' has no node 'q'"):
        tg.read_spice(text=text)


def test_a_switch_without_memory_may_be_on() -> None:
    """`on` decides nothing for a switch whose resistance follows from its control (PSpice's VSWITCH)."""
    switch = "s1 b 0 c 0 sm on\n.model sm vswitch(von=1 voff=0 ron=10 roff=1meg)\n"
    text = f"t\nv1 c 0 2\nv2 a 0 5\nr1 a b 1k\n{switch}.tran 1u 2m\n"
    solution = tg.simulate(tg.read_spice(text=text))
    assert solution["b.v"][-1] == pytest.approx(5.0 * 10.0 / 1010.0, rel=1e-6)


TEMPERATURES = """
i1 0 a 1m
d1 a 0 dm
vc c 0 5
ib 0 b 10u
q1 c b 0 qm
vd d 0 5
vg g 0 2
m1 d g 0 0 nm w=10u l=2u
m2 e f 0 0 pm w=10u l=2u
ve e 0 -5
vf f 0 -3
.model dm d(is=1e-14 n=1.2 eg=1.2 xti=2)
.model qm npn(is=1e-16 bf=100 xtb=1.5 ise=1e-14)
.model nm nmos(kp=50u vto=0.8 gamma=0.5 phi=0.65 lambda=0.02)
.model pm pmos(kp=20u vto=-0.8 gamma=0.4)
.options temp={temperature}
.tran 1u 10u
"""


@pytest.mark.parametrize(
    ("temperature", "expected"),
    [
        (-20.0, (0.8583770, 0.8222658, -4.87184e-4, -2.26400e-4, 2.891764e-4)),
        (77.0, (0.7079013, 0.6992714, -8.45111e-4, -1.78760e-4, 2.089957e-4)),
        (125.0, (0.6316270, 0.6371488, -1.04869e-3, -1.66925e-4, 1.873949e-4)),
    ],
)
def test_parameters_follow_the_temperature(temperature: float, expected: tuple[float, ...]) -> None:
    """Against ngspice: a diode, a bipolar transistor and both MOS transistors."""
    solution = tg.simulate(tg.read_spice(text="title\n" + TEMPERATURES.format(temperature=temperature)))
    for path, value in zip(("a.v", "b.v", "vc.i", "vd.i", "ve.i"), expected, strict=True):
        assert solution[path][-1] == pytest.approx(value, rel=5e-6), path


def test_at_the_temperature_of_the_parameters_nothing_changes() -> None:
    heat = Warmed(300.15, 300.15)
    assert heat.growth(1.11, 3.0) == 0.0
    assert heat.potential(0.7) == pytest.approx(0.7, rel=1e-14)
    assert heat.capacitance_factor(0.7, 0.5) == pytest.approx(1.0, rel=1e-14)


def test_uic_keeps_the_charge_of_capacitors_with_ic() -> None:
    """A charged capacitor beside a transistor between supplies: it began at 0 V, silently, where ngspice has 2.5 V.

    The charge of 3 V at 3 nF is on 4 nF, 1 nF of them to a source that steps to 1 V.
    """
    text = "t\nv1 a 0 1\nc1 a b 1n\nc2 b 0 3n ic=3\nr2 b 0 1meg\n.tran 1u 10u uic\n"
    assert tg.simulate(tg.read_spice(text=text))["b.v"][1] == pytest.approx((3.0 * 3.0 + 1.0) / 4.0, rel=1e-4)


def test_sources_step_on_where_charges_are_shared() -> None:
    """With uic a divider of capacitors begins at its ratio, as in ngspice, and with a resistor before it at 0 V."""
    divider = "t\nv1 a 0 5\n{r}c1 {x} b 1n\nc2 b 0 3n\nr2 b 0 1meg\n.tran 1u 10u uic\n"
    stepped = tg.simulate(tg.read_spice(text=divider.format(r="", x="a")))
    assert stepped["b.v"][1] == pytest.approx(1.25, rel=1e-3)
    slow = tg.simulate(tg.read_spice(text=divider.format(r="r1 a x 1meg\n", x="x")))
    assert abs(slow["b.v"][1]) < 0.05
    assert slow["a.v"][0] == 5.0
    given = tg.simulate(tg.read_spice(text=divider.format(r=".ic v(a)=5 v(b)=2\n", x="a")))
    assert given["b.v"][1] == pytest.approx(2.0, rel=1e-3)


def test_high_injection_with_another_exponent() -> None:
    """nk= of a bipolar model: collector current of ngspice 39 at two voltages."""
    text = "t\nvb b 0 {v}\nvc c 0 3\nq1 c b 0 qm\n.model qm npn(is=1e-14 bf=100 ikf=10m nk=0.8)\n.op\n"
    for v, current in {"0.7": 3.16873e-3, "0.9": 2.76190e-2}.items():
        op = tg.run_spice(text=text.format(v=v)).op
        assert op is not None
        assert -op["vc.i"] == pytest.approx(current, rel=1e-4)
