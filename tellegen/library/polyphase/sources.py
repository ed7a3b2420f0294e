"""Sources of m phases. Each phase lags the one before by 2 pi/m, so three make the usual rotating system.

    v[k] = V[k] sin(2 pi f t + phase[k] - 2 pi k/m)

`phase` is what comes on top of the symmetrical system, one number for all or one for each; V as well. So a source
with unequal amplitudes or phases is unbalanced. V is an amplitude: sqrt(2/3) times the rms voltage between lines.
"""

from __future__ import annotations

from typing import Any

import tellegen as tg
from tellegen.library.polyphase.interfaces import Phases, Statements, TwoPlug, lag


def rotating(source: Any, shape: Any = tg.sin) -> Any:
    """shape(2 pi f t + phase - 2 pi k/m), a vector over the phases k."""
    behind = [-angle for angle in lag(source.m)]
    return shape(2.0 * tg.pi * source.f * tg.time + source.phase + behind)


class ConstantVoltage(TwoPlug):
    """v = V in every phase."""

    V = tg.parameter(1.0, "V", "voltages", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v == self.V


class SignalVoltage(TwoPlug):
    """The voltages are input signals u, one for each phase; v are the voltages that every such part has."""

    u = tg.input("V", "voltages from plug_p to plug_n", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v == self.u


class SineVoltage(TwoPlug):
    """v[k] = V[k] sin(2 pi f t + phase[k] - 2 pi k/m)."""

    V = tg.parameter(1.0, "V", "amplitudes", shape=Phases.m)
    f = tg.parameter(50.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phases beyond those of the symmetrical system", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v == self.V * rotating(self)


class ConstantCurrent(TwoPlug):
    """i = I in every phase."""

    I = tg.parameter(1.0, "A", "currents from plug_p to plug_n", shape=Phases.m)  # noqa: E741

    def equations(self) -> Statements:
        yield self.i == self.I


class SignalCurrent(TwoPlug):
    """The currents are input signals u, one for each phase; i are the currents that every such part has."""

    u = tg.input("A", "currents from plug_p to plug_n", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.i == self.u


class SineCurrent(TwoPlug):
    """i[k] = I[k] sin(2 pi f t + phase[k] - 2 pi k/m)."""

    I = tg.parameter(1.0, "A", "amplitudes", shape=Phases.m)  # noqa: E741
    f = tg.parameter(50.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phases beyond those of the symmetrical system", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.i == self.I * rotating(self)


class CosineVoltage(TwoPlug):
    """v[k] = V[k] cos(2 pi f t + phase[k] - 2 pi k/m)."""

    V = tg.parameter(1.0, "V", "amplitudes", shape=Phases.m)
    f = tg.parameter(50.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phases beyond those of the symmetrical system", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.v == self.V * rotating(self, tg.cos)


class CosineCurrent(TwoPlug):
    """i[k] = I[k] cos(2 pi f t + phase[k] - 2 pi k/m), from plug_p to plug_n."""

    I = tg.parameter(1.0, "A", "amplitudes", shape=Phases.m)  # noqa: E741
    f = tg.parameter(50.0, "Hz", "frequency")
    phase = tg.parameter(0.0, "rad", "phases beyond those of the symmetrical system", shape=Phases.m)

    def equations(self) -> Statements:
        yield self.i == self.I * rotating(self, tg.cos)
