"""Phasors of m phases as signals: symmetrical components, space phasors and effective values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import tellegen as tg
from tellegen.library.polyphase.interfaces import lag
from tellegen.library.quasi_static.interfaces import Statements
from tellegen.library.quasi_static.phasors import TINY


class Signals(tg.Component):
    """Base: three phases unless m says otherwise."""

    m = tg.parameter(3, structural=True, description="number of phases", min=1)


def fortescue(m: int) -> np.ndarray[Any, Any]:
    """The matrix of symmetrical components: row j has the phases turned back by j times 2 pi/m each.

    Whole turns are left out before they are rounded, so a row of equal phases is real. Its inverse is m times its
    conjugate transpose: no linear algebra, whose roundings differ from one processor to another.
    """
    turns = np.outer(np.arange(m), np.arange(m)) % m
    return np.exp(2j * np.pi * np.roll(turns, -1, axis=0) / m) / m


class Matrix(Signals):
    """Base of what multiplies m phasors by a complex matrix."""

    u_re = tg.input(description="real parts of the phasors", shape=Signals.m)
    u_im = tg.input(description="imaginary parts of the phasors", shape=Signals.m)
    y_re = tg.output(description="real parts of the result", shape=Signals.m)
    y_im = tg.output(description="imaginary parts of the result", shape=Signals.m)

    def matrix(self) -> np.ndarray[Any, Any]:
        raise NotImplementedError

    def equations(self) -> Statements:
        a = self.matrix()
        yield self.y_re == a.real @ self.u_re - a.imag @ self.u_im
        yield self.y_im == a.real @ self.u_im + a.imag @ self.u_re


class SymmetricalComponents(Matrix):
    """y[n] = sum of u[k] e^(j 2 pi (n + 1) k/m)/m: the positive system, ..., and as the last one the zero system.

    All phases are one base system; of six phases in two systems of three, take one block for each.
    """

    def matrix(self) -> np.ndarray[Any, Any]:
        return fortescue(self.m)


class FromSymmetricalComponents(Matrix):
    """The phasors u of components, the inverse of SymmetricalComponents."""

    def matrix(self) -> np.ndarray[Any, Any]:
        return self.m * fortescue(self.m).conj().T


class ToSpacePhasor(Signals):
    """y = sqrt(2)/m times the sum of u[k] e^(j 2 pi k/m): amplitudes from effective values."""

    u_re = tg.input(description="real parts of the phasors", shape=Signals.m)
    u_im = tg.input(description="imaginary parts of the phasors", shape=Signals.m)
    y = tg.output(description="real and imaginary part of the space phasor", shape=2)

    def equations(self) -> Statements:
        turn = np.exp(1j * np.array(lag(self.m))) * math.sqrt(2.0) / self.m
        yield self.y[0] == tg.dot(turn.real, self.u_re) - tg.dot(turn.imag, self.u_im)
        yield self.y[1] == tg.dot(turn.real, self.u_im) + tg.dot(turn.imag, self.u_re)


class FromSpacePhasor(Signals):
    """y[k] = u e^(-j 2 pi k/m)/sqrt(2): the symmetrical phases of a space phasor."""

    u = tg.input(description="real and imaginary part of the space phasor", shape=2)
    y_re = tg.output(description="real parts of the phasors", shape=Signals.m)
    y_im = tg.output(description="imaginary parts of the phasors", shape=Signals.m)

    def equations(self) -> Statements:
        back = np.exp(-1j * np.array(lag(self.m))) / math.sqrt(2.0)
        for k in range(self.m):
            yield self.y_re[k] == back[k].real * self.u[0] - back[k].imag * self.u[1]
            yield self.y_im[k] == back[k].real * self.u[1] + back[k].imag * self.u[0]


class SingleToPolyphase(Signals):
    """y[k] = u e^(-j 2 pi k/m): the symmetrical system whose first phase is u."""

    u_re = tg.input(description="real part")
    u_im = tg.input(description="imaginary part")
    y_re = tg.output(description="real parts of the phasors", shape=Signals.m)
    y_im = tg.output(description="imaginary parts of the phasors", shape=Signals.m)

    def equations(self) -> Statements:
        back = np.exp(-1j * np.array(lag(self.m)))
        for k in range(self.m):
            yield self.y_re[k] == back[k].real * self.u_re - back[k].imag * self.u_im
            yield self.y_im[k] == back[k].real * self.u_im + back[k].imag * self.u_re


class QuasiRMS(Signals):
    """y^2 = mean of |u|^2 over the phases."""

    u_re = tg.input(description="real parts of the phasors", shape=Signals.m)
    u_im = tg.input(description="imaginary parts of the phasors", shape=Signals.m)
    y = tg.output(description="effective value")

    def equations(self) -> Statements:
        square = tg.dot(self.u_re, self.u_re) + tg.dot(self.u_im, self.u_im)
        yield self.y == tg.sqrt(square / self.m + TINY)
