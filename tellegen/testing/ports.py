"""Ports by kind of connector: the power that goes through one, and something lively to connect it to.

    PORT_KINDS[electrical.Pin] = PortKind(power=lambda pin: pin.v * pin.i, drive=VoltageDrive)

The drives are stiff enough to move a component and soft enough to be moved by it: a source with an internal impedance.
Each has one port, `port`, and another frequency and phase for each port of a component, so that nothing cancels by
symmetry. Whoever writes a new domain registers its connector here; a user does it in a test file with `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import tellegen as tg
from tellegen.library import (
    electrical,
    fluid,
    hydraulic,
    magnetic,
    media,
    multibody,
    planar,
    pneumatic,
    quasi_static,
    rotational,
    thermal,
    translational,
)

Statements = Iterator[Any]
TWO_PI = 6.283185307179586


class Drive(tg.Component):
    """Base of drives: a sine of frequency f and phase."""

    f = tg.parameter(1.0, "Hz", "frequency")
    phase = tg.parameter(0.5, "rad", "phase")

    def sine(self) -> Any:
        """The signal of the drive, between -1 and 1."""
        return tg.sin(TWO_PI * self.f * tg.time + self.phase)


class VoltageDrive(Drive):
    """A source of offset + V sin(2 pi f t + phase) against ground, with a resistor R in series."""

    port = electrical.Pin()
    V = tg.parameter(10.0, "V", "amplitude")
    offset = tg.parameter(0.0, "V", "mean")
    R = tg.parameter(1.0, "ohm", "resistance")

    def equations(self) -> Statements:
        yield self.port.v == self.offset + self.V * self.sine() + self.R * self.port.i


class PhasorDrive(Drive):
    """A phasor of V sin(2 pi f t + phase) + j V cos(2.7 2 pi f t + phase) against ground, with R in series."""

    port = quasi_static.PhasorPin()
    V = tg.parameter(10.0, "V", "amplitude of both parts")
    R = tg.parameter(1.0, "ohm", "resistance")

    def equations(self) -> Statements:
        second = tg.cos(2.7 * TWO_PI * self.f * tg.time + self.phase)
        yield self.port.v_re == self.V * self.sine() + self.R * self.port.i_re
        yield self.port.v_im == self.V * second + self.R * self.port.i_im


class TorqueDrive(Drive):
    """A torque offset + tau sin(2 pi f t + phase) on an inertia J with damping d, whose flange is the port."""

    port = rotational.Flange()
    tau = tg.parameter(2.0, "N.m", "amplitude")
    offset = tg.parameter(0.0, "N.m", "mean")
    J = tg.parameter(0.1, "kg.m2", "moment of inertia")
    d = tg.parameter(0.05, "N.m.s/rad", "damping against the ground")
    phi = tg.variable("rad", start=0.0)
    w = tg.variable("rad/s", start=0.0)

    def equations(self) -> Statements:
        yield self.phi == self.port.phi
        yield self.w == tg.der(self.phi)
        yield self.J * tg.der(self.w) + self.d * self.w == self.offset + self.tau * self.sine() + self.port.tau


class ForceDrive(Drive):
    """A force offset + F sin(2 pi f t + phase) on a mass m with damping d, whose flange is the port."""

    port = translational.Flange()
    F = tg.parameter(2.0, "N", "amplitude")
    offset = tg.parameter(0.0, "N", "mean")
    m = tg.parameter(0.1, "kg", "mass")
    d = tg.parameter(0.05, "N.s/m", "damping against the ground")
    s = tg.variable("m", start=0.0)
    v = tg.variable("m/s", start=0.0)

    def equations(self) -> Statements:
        yield self.s == self.port.s
        yield self.v == tg.der(self.s)
        yield self.m * tg.der(self.v) + self.d * self.v == self.offset + self.F * self.sine() + self.port.f


class FrameDrive(Drive):
    """Forces and a torque on a body (m, I) with damping, whose frame is the port; it starts at x0, y0."""

    port = planar.Frame()
    F = tg.parameter(2.0, "N", "amplitude of the forces")
    tau = tg.parameter(2.0, "N.m", "amplitude of the torque")
    m = tg.parameter(0.1, "kg", "mass")
    I = tg.parameter(0.1, "kg.m2", "moment of inertia")  # noqa: E741
    d = tg.parameter(0.2, "N.s/m", "damping against the ground")
    d_phi = tg.parameter(0.2, "N.m.s/rad", "damping against the ground")
    offset_y = tg.parameter(0.0, "N", "mean force upwards")
    x0 = tg.parameter(0.0, "m", "position at the start, to the right")
    y0 = tg.parameter(0.0, "m", "position at the start, upwards")
    x = tg.variable("m", start=x0)
    y = tg.variable("m", start=y0)
    phi = tg.variable("rad", start=0.3)
    v_x = tg.variable("m/s", start=0.0)
    v_y = tg.variable("m/s", start=0.0)
    w = tg.variable("rad/s", start=0.0)

    def equations(self) -> Statements:
        second = tg.cos(2.7 * TWO_PI * self.f * tg.time + self.phase)
        both = self.sine() + 0.4 * second
        yield self.x == self.port.x
        yield self.y == self.port.y
        yield self.phi == self.port.phi
        yield self.v_x == tg.der(self.x)
        yield self.v_y == tg.der(self.y)
        yield self.w == tg.der(self.phi)
        yield self.m * tg.der(self.v_x) + self.d * self.v_x == self.F * self.sine() + self.port.fx
        yield self.m * tg.der(self.v_y) + self.d * self.v_y == self.offset_y + self.F * second + self.port.fy
        yield self.I * tg.der(self.w) + self.d_phi * self.w == self.tau * both + self.port.t


class SpatialDrive(Drive):
    """Forces and torques on a free body in space, whose frame is the port; it starts at r_start, turned by angles.

    It needs a multibody.World around it.
    """

    port = multibody.Frame()
    F = tg.parameter(2.0, "N", "amplitude of the forces")
    tau = tg.parameter(0.5, "N.m", "amplitude of the torques")
    r_start = tg.parameter([0.0, 0.0, 0.0], "m", "position at the start")
    v_start = tg.parameter([0.0, 0.0, 0.0], "m/s", "velocity at the start")
    angles_start = tg.parameter([0.3, -0.2, 0.4], "rad", "orientation at the start")
    body = multibody.Body(
        m=0.5, I_11=0.1, I_22=0.12, I_33=0.15, r_0_start=r_start, v_0_start=v_start, angles_start=angles_start
    )
    load = multibody.WorldForceAndTorque()

    def connections(self) -> Statements:
        yield self.port, self.body.frame_a, self.load.frame_b

    def equations(self) -> Statements:
        signals = [self.sine(), tg.cos(2.7 * TWO_PI * self.f * tg.time + self.phase), 0.6 * self.sine()]
        for k, signal in enumerate(signals):
            yield self.load.force[k] == self.F * signal
            yield self.load.torque[2 - k] == self.tau * signal


class HeatDrive(Drive):
    """Environment at temperature T + dT sin(2 pi f t + phase), with a thermal conductance G."""

    port = thermal.HeatPort()
    T = tg.parameter(300.0, "K", "mean")
    dT = tg.parameter(20.0, "K", "amplitude")
    G = tg.parameter(2.0, "W/K", "thermal conductance")

    def equations(self) -> Statements:
        yield self.port.Q_flow == self.G * (self.port.T - self.T - self.dT * self.sine())


class OilDrive(Drive):
    """Oil of the pressure p + dp sin(2 pi f t + phase), absolute, with a conductance G for mass flow."""

    port = hydraulic.Port()
    p = tg.parameter(60e5, "Pa", "mean")
    dp = tg.parameter(40e5, "Pa", "amplitude")
    G = tg.parameter(1e-7, "kg/(s.Pa)", "conductance")

    def equations(self) -> Statements:
        yield self.port.m_flow == self.G * (self.port.p - self.p - self.dp * self.sine())


class FluidDrive(Drive):
    """A reservoir of pressure p + dp sin(2 pi f t + phase) and temperature T + dT cos(...), with a conductance k."""

    medium = tg.parameter(media.Water(), structural=True)
    port = fluid.FluidPort().of(medium)
    p = tg.parameter(1.5e5, "Pa", "mean pressure")
    dp = tg.parameter(4e4, "Pa", "amplitude")
    T = tg.parameter(lambda self: self.medium.T_default + 20.0, "K", "mean temperature")
    dT = tg.parameter(10.0, "K", "amplitude")
    X = tg.parameter(lambda self: self.medium.X_default, "1", "mass fractions", shape=lambda self: self.medium.n_X)
    k = tg.parameter(1e-5, "kg/(s.Pa)", "conductance")

    def equations(self) -> Statements:
        second = tg.cos(2.7 * TWO_PI * self.f * tg.time + self.phase)
        fractions = [self.X[j] for j in range(self.medium.n_X)]
        yield self.port.m_flow == self.k * (self.port.p - self.p - self.dp * self.sine())
        yield self.port.h_outflow == self.medium.enthalpy(self.p, self.T + self.dT * second, fractions)
        yield self.port.Xi_outflow == self.X


class AirDrive(Drive):
    """Gas of the pressure p + dp sin(2 pi f t + phase), absolute, and the temperature T, with a conductance G."""

    port = pneumatic.Port()
    p = tg.parameter(4e5, "Pa", "mean")
    dp = tg.parameter(2.5e5, "Pa", "amplitude")
    T = tg.parameter(320.0, "K", "temperature")
    G = tg.parameter(2e-7, "kg/(s.Pa)", "conductance")

    def equations(self) -> Statements:
        yield self.port.m_flow == self.G * (self.port.p - self.p - self.dp * self.sine())
        yield self.port.T == self.T + 20.0 * self.sine()


class MagneticDrive(Drive):
    """A magnetic potential offset + V sin(2 pi f t + phase) with eddy currents G dPhi/dt around the flux."""

    port = magnetic.MagneticPort()
    V = tg.parameter(100.0, "A", "amplitude")
    offset = tg.parameter(0.0, "A", "mean")
    G = tg.parameter(1e5, "S", "conductance of the eddy currents' path")
    Phi = tg.variable("Wb", start=0.0)

    def equations(self) -> Statements:
        yield self.Phi == self.port.Phi
        yield self.port.V_m == self.offset + self.V * self.sine() + self.G * tg.der(self.Phi)


@dataclass(frozen=True)
class PortKind:
    """What one kind of connector has to do with power: an expression of a port, and the class of its drive."""

    power: Callable[[Any], Any]
    drive: Callable[..., tg.Component]


PORT_KINDS: dict[type[tg.Connector], PortKind] = {
    electrical.Pin: PortKind(lambda pin: pin.v * pin.i, VoltageDrive),
    quasi_static.PhasorPin: PortKind(lambda pin: pin.v_re * pin.i_re + pin.v_im * pin.i_im, PhasorDrive),
    rotational.Flange: PortKind(lambda flange: flange.tau * tg.der(flange.phi), TorqueDrive),
    translational.Flange: PortKind(lambda flange: flange.f * tg.der(flange.s), ForceDrive),
    planar.Frame: PortKind(
        lambda frame: frame.fx * tg.der(frame.x) + frame.fy * tg.der(frame.y) + frame.t * tg.der(frame.phi), FrameDrive
    ),
    multibody.Frame: PortKind(lambda frame: frame.f @ (frame.R @ frame.v_0) + frame.t @ frame.w, SpatialDrive),
    thermal.HeatPort: PortKind(lambda port: port.Q_flow, HeatDrive),
    hydraulic.Port: PortKind(lambda port: port.m_flow * port._component.oil.h(port.p), OilDrive),
    fluid.FluidPort: PortKind(fluid.enthalpy_flow, FluidDrive),
    pneumatic.Port: PortKind(lambda port: port._component.enthalpy_in(port), AirDrive),
    magnetic.MagneticPort: PortKind(lambda port: port.V_m * tg.der(port.Phi), MagneticDrive),
}


def register(connector: type[tg.Connector], power: Callable[[Any], Any], drive: Callable[..., tg.Component]) -> None:
    """Make a connector class known: power(port) is what flows into the component, drive(f=..., phase=...) a drive."""
    PORT_KINDS[connector] = PortKind(power, drive)


def kind_of(port: tg.Connector) -> PortKind:
    """The kind of a port; a connector class may also inherit it."""
    for cls in type(port).__mro__:
        if cls in PORT_KINDS:
            return PORT_KINDS[cls]
    known = ", ".join(f"{cls.__module__}.{cls.__name__}" for cls in PORT_KINDS)
    raise TypeError(
        f"what is the power of a {type(port).__name__} (port '{port}')? Known are {known}.\n"
        f"Register it: tellegen.testing.register({type(port).__name__}, power=lambda port: ..., drive=...)"
    )


def default_drive(port: tg.Connector, number: int) -> tg.Component:
    """A drive for port `number` of a component, out of tune with those of the other ports."""
    carried = {} if port._of is None else {"medium": port._of}
    return kind_of(port).drive(f=1.0 + 0.37 * number, phase=0.5 + 1.1 * number, **carried)


def is_physical(connector: type[tg.Connector]) -> bool:
    """Whether a connector class has something to do with power: potentials and flows, also further inside."""
    info = connector._info
    return any(variable.role == "through" for variable in info.variables.values()) or any(
        is_physical(type(inner)) for inner in info.ports.values()
    )


def physical_ports(component: Any) -> dict[str, tg.Connector]:
    """Every port that exists and carries power, by the text a user writes for it: `p`, `ports[2]`, `plug.a`."""
    component._materialize()
    found: dict[str, tg.Connector] = {}
    for name in [*component._info.ports, *(component._dynamic_ports or ())]:
        found |= _inside(name, getattr(component, name))
    return found


def _inside(name: str, port: Any) -> dict[str, tg.Connector]:
    if not isinstance(port, tg.Connector) or not is_physical(type(port)):  # one that is absent is not a Connector
        return {}
    if port._count is not None and (port._index is None or port._index.ndim):
        return {key: value for k in range(len(port)) for key, value in _inside(f"{name}[{k}]", port[k]).items()}
    inner = {
        key: value
        for child in type(port)._info.ports
        for key, value in _inside(f"{name}.{child}", getattr(port, child)).items()
    }
    own = any(variable.role == "through" for variable in type(port)._info.variables.values())
    return {name: port, **inner} if own else inner
