"""Random networks of dry friction: every contact obeys its law at every instant, and momentum is what forces make it.

With friction at rest equal to that of the slowest sliding the law is monotone, so motion is unique: a curve on which
all forces obey the law and all momenta are their integrals is the solution. Both are checked on the output points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from tellegen.library import blocks
from tellegen.library import rotational as rot
from tellegen.library import translational as tr

SOLVERS = ("auto", "rk45", "cvode", "ida")
POINTS = 4001
STOP = 3.0


@dataclass
class Rubbing:
    """A contact by the names of its velocity and force, with the largest force and its time course."""

    v: str
    f: str
    limit: float
    press: str | None = None  # the signal that presses it together


@dataclass
class Network:
    """A system, what rubs in it, and the forces on each mass as (sign, path)."""

    system: tg.System
    masses: dict[str, float] = field(default_factory=dict)
    forces: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    contacts: list[Rubbing] = field(default_factory=list)


def chain(rng: np.random.Generator, most: int) -> Network:
    """Masses in a row: springs or friction between neighbours, up to `most` bearings and a brake on each; forces."""
    net = Network(s := tg.System("chain"))
    n = int(rng.integers(1, 6))
    for k in range(n):
        name = f"m{k}"
        m = float(rng.uniform(0.3, 3.0))
        v = float(rng.choice([0.0, 0.0, rng.uniform(-2.0, 2.0)]))
        s.add(**{name: tr.Mass(m=m, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=v, fixed=True))})
        net.masses[name], net.forces[name] = m, []
        for j in range(int(rng.integers(0, most + 1))):
            bear(net, name, f"slide{k}_{j}", float(rng.uniform(0.2, 3.0)))
        if most > 1 and rng.random() < 0.3:
            brake(net, name, f"brake{k}", rng)
        if rng.random() < 0.7:
            push(net, name, f"push{k}", rng)
        if k:
            join(net, (f"m{k - 1}", name), f"{k}", rng, most)
    return net


def bear(net: Network, mass: str, name: str, limit: float) -> None:
    """Friction on the ground."""
    s = net.system
    s.add(**{name: tr.SupportFriction(F_Coulomb=limit)})
    s.connect(s[mass].flange_a, s[name].flange_a)
    net.forces[mass].append((-1.0, f"{name}.f"))
    net.contacts.append(Rubbing(f"{name}.v", f"{name}.f", limit))


def brake(net: Network, mass: str, name: str, rng: np.random.Generator) -> None:
    """A brake that is applied now and then."""
    s = net.system
    limit = float(rng.uniform(0.5, 5.0))
    period = float(rng.uniform(0.3, 1.5))
    s.add(**{name: tr.Brake(mu=0.5, fn_max=2.0 * limit), f"{name}_on": blocks.Pulse(period=period, width=0.5)})
    s.connect(s[f"{name}_on"].y, s[name].f_normalized)
    s.connect(s[mass].flange_a, s[name].flange_a)
    net.forces[mass].append((-1.0, f"{name}.f"))
    net.contacts.append(Rubbing(f"{name}.v", f"{name}.f", limit, f"{name}_on.y"))


def push(net: Network, mass: str, name: str, rng: np.random.Generator) -> None:
    """A force that swings."""
    s = net.system
    wave = blocks.Sine(
        amplitude=float(rng.uniform(0.5, 6.0)), f=float(rng.uniform(0.2, 2.0)), phase=float(rng.uniform(0.0, 6.0))
    )
    s.add(**{name: tr.Force(), f"{name}_u": wave})
    s.connect(s[f"{name}_u"].y, s[name].f)
    s.connect(s[mass].flange_a, s[name].flange)
    net.forces[mass].append((1.0, f"{name}.f"))


def join(net: Network, masses: tuple[str, str], name: str, rng: np.random.Generator, most: int) -> None:
    """A spring with damping, friction, or both between two masses; sometimes two frictions."""
    s = net.system
    left, right = masses
    kind = rng.random() if most > 1 else 0.0
    if kind < 0.7:
        s.add(**{f"spring{name}": tr.SpringDamper(c=float(rng.uniform(5.0, 50.0)), d=float(rng.uniform(0.0, 1.0)))})
        between(net, left, right, f"spring{name}")
    for j in range(0 if kind < 0.3 else 2 if kind > 0.9 else 1):
        limit = float(rng.uniform(0.2, 3.0))
        rub = f"rub{name}_{j}"
        s.add(**{rub: tr.Friction(F_Coulomb=limit)})
        between(net, left, right, rub)
        net.contacts.append(Rubbing(f"{rub}.v", f"{rub}.f", limit))


def between(net: Network, left: str, right: str, name: str) -> None:
    """Connect an element between two masses; its force pulls them together."""
    s = net.system
    s.connect(s[left].flange_b, s[name].flange_a)
    s.connect(s[name].flange_b, s[right].flange_b)
    net.forces[left].append((1.0, f"{name}.f"))
    net.forces[right].append((-1.0, f"{name}.f"))


def check_laws(run: tg.Solution, contacts: list[Rubbing]) -> None:
    """Sliding, the force is the limit against the motion; at rest it is at most that.

    But for the microsecond in which several contacts change one after the other.
    """
    lasts = np.append(np.diff(run.time), 0.0)
    for contact in contacts:
        v, f = run[contact.v], run[contact.f]
        limit = contact.limit * (1.0 if contact.press is None else np.maximum(run[contact.press], 0.0))
        is_over = np.abs(f) - limit > 1e-6 * contact.limit
        is_off = (np.abs(v) > 1e-5) & (np.abs(f - np.sign(v) * limit) > 1e-6 * contact.limit)
        assert np.sum(lasts[is_over | is_off]) < 1e-6, contact


def check_momenta(run: tg.Solution, net: Network, tolerance: float) -> None:
    """m v is the integral of all forces on it."""
    for mass, m in net.masses.items():
        force: Any = sum((sign * run[path] for sign, path in net.forces[mass]), np.zeros(len(run.time)))
        steps = 0.5 * (force[1:] + force[:-1]) * np.diff(run.time)
        error = m * (run[f"{mass}.v"] - run[f"{mass}.v"][0]) - np.concatenate([[0.0], np.cumsum(steps)])
        assert np.max(np.abs(error)) < tolerance, mass


def try_chain(seed: int) -> None:
    """IDA starts from a regular Jacobian only, so its chains have one contact for each mass."""
    rng = np.random.default_rng(seed)
    solver = SOLVERS[seed % len(SOLVERS)]
    net = chain(rng, 1 if solver == "ida" else 2)
    run = tg.simulate(net.system, STOP, rtol=1e-8, solver=solver, points=POINTS)
    check_laws(run, net.contacts)
    check_momenta(run, net, 1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_random_chains(seed: int) -> None:
    """Two bearings on one mass, two frictions between the same masses, loops of contacts: all run and obey their laws.

    The trapezoidal rule over forces of up to 20 N that swing with 2 Hz errs by 1e-6 N s here; stiffer springs by 1e-5.
    """
    try_chain(seed)


def test_contacts_that_share_a_force_with_ida() -> None:
    """At rest two contacts of one mass share its force in any way: IDA says so and what to do, auto takes one."""
    net = chain(np.random.default_rng(7), 2)
    compiled = tg.compile(net.system)
    stopped = compiled.simulate(STOP, solver="ida", throw=False).outcome
    assert stopped.code == "singular"
    assert "slide2_1.f" in "\n".join(stopped.details)
    assert "how they share the force is not determined" in stopped.advice
    assert "solver='auto' takes one of them" in stopped.advice
    run = compiled.simulate(STOP, rtol=1e-8, points=POINTS)
    check_laws(run, net.contacts)
    check_momenta(run, net, 1e-4)


def test_a_contact_holds_up_to_its_limit() -> None:
    """Where the sliding of one contact turns round, its neighbour on the same mass keeps holding below its limit."""
    masses = (0.794000939326964, 1.0344773914002456, 2.8388451607928933)
    speeds = (-0.8934995457827566, 1.0695406732309998, 0.0)
    s = tg.System("chain")
    for k, (m, v) in enumerate(zip(masses, speeds, strict=True)):
        s.add(**{f"m{k}": tr.Mass(m=m, s=tg.variable(start=0.0, fixed=True), v=tg.variable(start=v, fixed=True))})
    s.add(
        slide0=tr.SupportFriction(F_Coulomb=2.3231333978224193),
        slide1=tr.SupportFriction(F_Coulomb=1.683995249734726, peak=1.4),
        rub=tr.Friction(F_Coulomb=1.3617754737623238, peak=1.3),
        k0=tr.SpringDamper(c=6.859220305375202, d=0.2),
        k1=tr.SpringDamper(c=33.38352391400787, d=0.2),
        f0=tr.Force(),
        f1=tr.Force(),
        u0=blocks.Sine(amplitude=1.5843947889966594, f=0.3446345845179013, phase=5.072370834753112),
        u1=blocks.Sine(amplitude=3.5041353598487324, f=0.36273910663857944, phase=1.8076820274160763),
    )
    s.connect(s.u0.y, s.f0.f)
    s.connect(s.u1.y, s.f1.f)
    s.connect(s.m0.flange_a, s.slide0.flange_a, s.k0.flange_a, s.f0.flange)
    s.connect(s.m1.flange_a, s.slide1.flange_a, s.k0.flange_b, s.k1.flange_a, s.rub.flange_a, s.f1.flange)
    s.connect(s.m2.flange_a, s.k1.flange_b, s.rub.flange_b)
    run = tg.simulate(s, 2.4, rtol=1e-9, points=2401)
    turns = (run.time > 2.25) & (run.time < 2.35)  # rub turns round at 2.2777
    assert len(np.unique(run["rub.mode"][turns])) > 1
    assert np.all(run["slide1.mode"][turns] == 0)
    late = run.time > 2.35
    lets_go = np.flatnonzero(run["slide1.mode"][late] != 0)[0]
    assert abs(run["slide1.f"][late][lets_go - 1]) == pytest.approx(1.4 * 1.683995249734726, rel=1e-6)


@pytest.mark.parametrize("viscous", [0.0, 0.2, 1.0, 3.0])
@pytest.mark.parametrize("speed", [0.9, 2.0, 5.0])
def test_a_force_pulls_a_mass_away_from_its_stop(viscous: float, speed: float) -> None:
    """At the stop it loses its velocity, and moves away at once: m dv/dt = 3 - 0.5 - d v from there."""
    s = tg.System("valve")
    s.add(
        m=tr.MassWithStopAndFriction(
            m=1.0,
            smin=-5.0,
            smax=0.1,
            F_Coulomb=0.5,
            F_prop=viscous,
            v=tg.variable(start=speed, fixed=True),
            s=tg.variable(start=0.0, fixed=True),
        ),
        f=tr.ConstantForce(f_constant=-3.0),
    )
    s.connect(s.f.flange, s.m.flange_a)
    run = tg.simulate(s, 0.5, rtol=1e-9)
    if run["m.s"].max() < 0.1 - 1e-9:  # it turns round before the stop
        return
    hit = run.time[np.argmax(run["m.s"])]
    t = 0.5 - hit
    fallen = 1.25 * t**2 if viscous == 0.0 else 2.5 / viscous * (t - (1.0 - np.exp(-viscous * t)) / viscous)
    assert run["m.s"][-1] == pytest.approx(0.1 - fallen, abs=1e-6)


@pytest.mark.parametrize("start", [20.0, 0.0, -3.0])
@pytest.mark.parametrize("torque", [0.0, 3.0, 6.4, 6.6, -7.0])
def test_a_brake_and_a_bearing_share_a_load(start: float, torque: float) -> None:
    """Together they hold 6.5 N m; what each carries is within its limit and both together carry the load."""
    s = tg.System("shaft")
    s.add(
        rotor=rot.Inertia(J=0.5, w=tg.variable(start=start, fixed=True)),
        bearing=rot.BearingFriction(tau_Coulomb=1.5),
        brake=rot.Brake(fn_max=10.0),
        on=blocks.Constant(k=1.0),
        motor=rot.ConstantTorque(tau_constant=torque),
    )
    s.connect(s.rotor.flange_a, s.bearing.flange_a)
    s.connect(s.rotor.flange_b, s.brake.flange_a, s.motor.flange)
    s.connect(s.on.y, s.brake.f_normalized)
    run = tg.simulate(s, 20.0)
    w, bearing, brake = run["rotor.w"][-1], run["bearing.tau"][-1], run["brake.tau"][-1]
    if abs(torque) < 6.5 and abs(start) / 0.5 < (6.5 - abs(torque)) * 20.0 * 2.0:
        assert abs(w) < 1e-9 or torque == 6.4
    if abs(w) < 1e-9:
        assert bearing + brake == pytest.approx(torque, abs=1e-9)
        assert abs(bearing) < 1.5 + 1e-9
        assert abs(brake) < 5.0 + 1e-9
    else:
        assert bearing + brake == pytest.approx(6.5 * np.sign(w))
