"""Clarke's and Park's transformations: three phases as one rotating pointer and a zero sequence.

    alpha = k (a - b/2 - c/2)       beta = k sqrt(3)/2 (b - c)       zero = k0 (a + b + c)
    d = alpha cos(phi) + beta sin(phi)       q = beta cos(phi) - alpha sin(phi)

The axis alpha is that of phase a. Phases that follow each other as a, b, c turn the pointer counter-clockwise, and the
axis d stands at the angle phi from alpha, q ninety degrees ahead of it. By default the amplitudes stay: k = 2/3 and
k0 = 1/3, so the pointer of cosines with amplitude A has the length A, and the power is
3/2 (v_d i_d + v_q i_q) + 3 v_0 i_0. With `power_invariant` the matrix is orthogonal, k = sqrt(2/3) and k0 = sqrt(1/3),
and the power is v_d i_d + v_q i_q + v_0 i_0.

The functions work with numbers and in equations; the blocks are the same with signals. In a component:

    from tellegen.library.polyphase.transforms import park
"""

from __future__ import annotations

import math
from typing import Any

import tellegen as tg
from tellegen.library.polyphase.interfaces import Statements

Three = list[Any]
HALF_ROOT = math.sqrt(3.0) / 2.0


def factors(power_invariant: bool = False) -> tuple[float, float]:
    """k of the pointer and k0 of the zero sequence."""
    return (math.sqrt(2.0 / 3.0), math.sqrt(1.0 / 3.0)) if power_invariant else (2.0 / 3.0, 1.0 / 3.0)


def clarke(abc: Any, power_invariant: bool = False) -> Three:
    """alpha, beta and zero of three phases."""
    a = abc[0]
    b = abc[1]
    c = abc[2]
    k, k0 = factors(power_invariant)
    return [k * (a - 0.5 * (b + c)), k * HALF_ROOT * (b - c), k0 * (a + b + c)]


def inverse_clarke(
    alpha: tg.Expression, beta: tg.Expression, zero: tg.Expression = 0.0, power_invariant: bool = False
) -> Three:
    """Three phases from alpha, beta and zero."""
    k, k0 = factors(power_invariant)
    x = alpha / (1.5 * k)
    y = HALF_ROOT * beta / (1.5 * k)
    z = zero / (3.0 * k0)
    return [x + z, y - 0.5 * x + z, -y - 0.5 * x + z]


def turned(x: tg.Expression, y: tg.Expression, phi: tg.Expression) -> tuple[Any, Any]:
    """The pointer (x, y) seen from axes that stand at the angle phi; with -phi, back."""
    return x * tg.cos(phi) + y * tg.sin(phi), y * tg.cos(phi) - x * tg.sin(phi)


def park(abc: tg.Expression, phi: tg.Expression, power_invariant: bool = False) -> Three:
    """d, q and zero of three phases, with the axis d at the angle phi from phase a."""
    alpha, beta, zero = clarke(abc, power_invariant)
    return [*turned(alpha, beta, phi), zero]


def inverse_park(
    d: tg.Expression, q: tg.Expression, phi: tg.Expression, zero: tg.Expression = 0.0, power_invariant: bool = False
) -> Three:
    """Three phases from d, q and zero."""
    return inverse_clarke(*turned(d, q, -phi), zero, power_invariant)


class Transformation(tg.Component):
    """Base of the transformations: whether amplitudes or the power stay as they are."""

    power_invariant = tg.parameter(False, structural=True, description="orthogonal: keeps the power, not amplitudes")


class Clarke(Transformation):
    """Three phases to alpha, beta and zero: y = (alpha, beta, zero) of u = (a, b, c)."""

    u = tg.input(description="phases a, b, c", shape=3)
    y = tg.output(description="alpha, beta, zero", shape=3)

    def equations(self) -> Statements:
        yield self.y == clarke(self.u, self.power_invariant)


class InverseClarke(Transformation):
    """Alpha, beta and zero to three phases: y = (a, b, c) of u = (alpha, beta, zero)."""

    u = tg.input(description="alpha, beta, zero", shape=3)
    y = tg.output(description="phases a, b, c", shape=3)

    def equations(self) -> Statements:
        yield self.y == inverse_clarke(self.u[0], self.u[1], self.u[2], self.power_invariant)


class Park(Transformation):
    """Three phases to axes that turn: y = (d, q, zero) of u = (a, b, c), with d at the angle phi."""

    u = tg.input(description="phases a, b, c", shape=3)
    phi = tg.input("rad", "angle of the axis d from that of phase a")
    y = tg.output(description="d, q, zero", shape=3)

    def equations(self) -> Statements:
        yield self.y == park(self.u, self.phi, self.power_invariant)


class InversePark(Transformation):
    """From axes that turn to three phases: y = (a, b, c) of u = (d, q, zero), with d at the angle phi."""

    u = tg.input(description="d, q, zero", shape=3)
    phi = tg.input("rad", "angle of the axis d from that of phase a")
    y = tg.output(description="phases a, b, c", shape=3)

    def equations(self) -> Statements:
        yield self.y == inverse_park(self.u[0], self.u[1], self.phi, self.u[2], self.power_invariant)


class Rotator(tg.Component):
    """Turns the axes: y is the pointer u as seen from axes at the angle phi; alpha, beta to d, q, with -phi back."""

    u = tg.input(description="pointer, two components", shape=2)
    phi = tg.input("rad", "angle of the new axes")
    y = tg.output(description="the pointer seen from the new axes", shape=2)

    def equations(self) -> Statements:
        yield self.y == list(turned(self.u[0], self.u[1], self.phi))


class SpacePhasor(Transformation):
    """The pointer of three phases: its length, its angle from phase a (between -pi and pi), and the zero sequence."""

    u = tg.input(description="phases a, b, c", shape=3)
    length = tg.output(description="length of the pointer")
    angle = tg.output("rad", "angle of the pointer; undetermined while its length is zero")
    zero = tg.output(description="zero sequence")

    def equations(self) -> Statements:
        alpha, beta, zero = clarke(self.u, self.power_invariant)
        yield self.length == tg.sqrt(alpha**2 + beta**2)
        yield self.angle == tg.atan2(beta, alpha)
        yield self.zero == zero
