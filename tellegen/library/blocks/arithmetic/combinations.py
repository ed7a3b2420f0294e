"""Several signals made one, and one angle, vector or amount made others."""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.blocks.interfaces import MISO, SI2SO, SISO, Statements, signal, sizes_from


class MultiSum(MISO):
    """y = k[0] u[0] + k[1] u[1] + ..."""

    k = tg.parameter(1.0, shape=MISO.nu, description="gains")

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        sizes_from(given, nu=("k", 0, 0))
        super().__init__(*unnamed, **given)

    def equations(self) -> Statements:
        yield self.y == tg.sum(self.k * self.u)


class MultiProduct(MISO):
    """y = u[0] u[1] ..."""

    def equations(self) -> Statements:
        y = self.u[0]
        for k in range(1, self.nu):
            y = y * self.u[k]
        yield self.y == y


class MinMax(tg.Component):
    """The smallest and the largest of all inputs."""

    nu = tg.parameter(2, structural=True, description="number of inputs", min=1)
    u = tg.input(shape=nu, description="inputs")
    y_min = tg.output(description="smallest input")
    y_max = tg.output(description="largest input")

    def equations(self) -> Statements:
        least = self.u[0]
        most = self.u[0]
        for k in range(1, self.nu):
            least = tg.minimum(least, self.u[k])
            most = tg.maximum(most, self.u[k])
        yield self.y_min == least
        yield self.y_max == most


class LinearDependency(SI2SO):
    """y = y0 + k1 u1 + k2 u2."""

    y0 = tg.parameter(0.0, description="value where both inputs are zero")
    k1 = tg.parameter(0.0, description="gain of u1")
    k2 = tg.parameter(0.0, description="gain of u2")

    def equations(self) -> Statements:
        yield self.y == self.y0 + self.k1 * self.u1 + self.k2 * self.u2


class Pythagoras(SI2SO):
    """The hypotenuse of u1 and u2, or with u1_is_hypotenuse the other leg, sqrt(u1^2 - u2^2); zero where not valid."""

    u1_is_hypotenuse = tg.parameter(False, structural=True, description="u1 is the hypotenuse, y a leg")
    valid = tg.output("1", "1 where the root is one of a positive number")

    def equations(self) -> Statements:
        square = self.u1**2 - self.u2**2 if self.u1_is_hypotenuse else self.u1**2 + self.u2**2
        right = square >= 0.0
        yield self.valid == signal(right)
        yield self.y == tg.where(right, tg.sqrt(tg.maximum(square, 0.0)), 0.0)


class RectangularToPolar(tg.Component):
    """The absolute value and the angle of a vector."""

    u_re = tg.input(description="real part")
    u_im = tg.input(description="imaginary part")
    y_abs = tg.output(description="absolute value")
    y_arg = tg.output("rad", "angle, -pi to pi")

    def equations(self) -> Statements:
        yield self.y_abs == tg.sqrt(self.u_re**2 + self.u_im**2)
        yield self.y_arg == tg.atan2(self.u_im, self.u_re)


class PolarToRectangular(tg.Component):
    """The real and the imaginary part of a vector given by absolute value and angle."""

    u_abs = tg.input(description="absolute value")
    u_arg = tg.input("rad", "angle")
    y_re = tg.output(description="real part")
    y_im = tg.output(description="imaginary part")

    def equations(self) -> Statements:
        yield self.y_re == self.u_abs * tg.cos(self.u_arg)
        yield self.y_im == self.u_abs * tg.sin(self.u_arg)


class WrapAngle(SISO):
    """The angle between -pi and pi, or with positive_range between 0 and 2 pi, that u is but for whole turns."""

    u = tg.input("rad", "angle")
    y = tg.output("rad", "angle of one turn")
    positive_range = tg.parameter(False, structural=True, description="from 0 to 2 pi")

    def equations(self) -> Statements:
        turn = 2.0 * tg.pi
        if self.positive_range:
            yield self.y == self.u % turn
        else:
            yield self.y == tg.pi - (tg.pi - self.u) % turn


class InverseBlockConstraints(tg.Component):
    """Turns a block round: u1 = u2 and y1 = y2, so that its input is found from its output.

    Connect the output of the block with u2 and its input with y2: u1 is then what the block gives, and y1 the input
    that makes it do so. The block has to be invertible; a block with states needs an input u1 that is smooth enough.
    """

    u1 = tg.input(description="wanted output of the block between y2 and u2")
    u2 = tg.input(description="its output")
    y1 = tg.output(description="its input, found")
    y2 = tg.output(description="its input")

    def equations(self) -> Statements:
        yield self.u1 == self.u2
        yield self.y1 == self.y2
