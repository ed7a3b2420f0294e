"""The same DC motor written in Python and in Modelica: the same flat equations and the same curve."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import tellegen as tg
from modelica_texts import views_of
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model

MODELICA = """
connector Pin
  Real v(unit="V");
  flow Real i(unit="A");
end Pin;
connector Flange
  Real w(unit="rad/s");
  flow Real tau(unit="N.m");
end Flange;
model Source
  Pin p;
  Pin n;
  parameter Real V = 12;
equation
  p.v - n.v = V;
  p.i + n.i = 0;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Motor
  Pin p;
  Pin n;
  Flange flange;
  parameter Real R = 1;
  parameter Real L = 0.01;
  parameter Real k = 0.1;
  Real i(unit="A", start=0, fixed=true);
equation
  i = p.i;
  p.i + n.i = 0;
  p.v - n.v = R*i + L*der(i) + k*flange.w;
  flange.tau = -k*i;
end Motor;
model Inertia
  Flange flange;
  parameter Real J = 0.002;
  Real w(unit="rad/s", start=0, fixed=true);
equation
  w = flange.w;
  J*der(w) = flange.tau - 1e-4*w;
end Inertia;
model Drive
  Source source(V=24);
  Ground ground;
  Motor motor(R=2);
  Inertia load;
equation
  connect(source.p, motor.p);
  connect(source.n, motor.n);
  connect(ground.p, source.n);
  connect(motor.flange, load.flange);
end Drive;
"""


class Pin(tg.Connector):
    v = tg.across("V")
    i = tg.through("A")


class Flange(tg.Connector):
    w = tg.across("rad/s")
    tau = tg.through("N*m")


class Source(tg.Component):
    p = Pin()
    n = Pin()
    V = tg.parameter(12.0)

    def equations(self) -> Any:
        yield self.p.v - self.n.v == self.V
        yield self.p.i + self.n.i == 0.0


class Ground(tg.Component):
    p = Pin()

    def equations(self) -> Any:
        yield self.p.v == 0.0


class Motor(tg.Component):
    p = Pin()
    n = Pin()
    flange = Flange()
    R = tg.parameter(1.0)
    L = tg.parameter(0.01)
    k = tg.parameter(0.1)
    i = tg.variable("A", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.i == self.p.i
        yield self.p.i + self.n.i == 0.0
        yield self.p.v - self.n.v == self.R * self.i + self.L * tg.der(self.i) + self.k * self.flange.w
        yield self.flange.tau == -(self.k * self.i)


class Inertia(tg.Component):
    flange = Flange()
    J = tg.parameter(0.002)
    w = tg.variable("rad/s", start=0.0, fixed=True)

    def equations(self) -> Any:
        yield self.w == self.flange.w
        yield self.J * tg.der(self.w) == self.flange.tau - 1e-4 * self.w


class Drive(tg.Component):
    source = Source(V=24.0)
    ground = Ground()
    motor = Motor(R=2.0)
    load = Inertia()

    def connections(self) -> Any:
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n
        yield self.ground.p, self.source.n
        yield self.motor.flange, self.load.flange


def _lines(model: Any) -> list[str]:
    """The flat text without where it was written, Modelica's way to write units apart, in an order of its own."""
    text = str(tg.flatten(model)).replace("N.m", "N*m")
    lines = [re.sub(r"\s*#.*|\s*\[[^\]]*\]", "", line) for line in text.splitlines()]
    return sorted(line for line in lines if line.strip())


def test_the_flat_text_is_the_same() -> None:
    modelica = build_model(instantiate(views_of(MODELICA).named("Drive")))
    assert _lines(modelica) == _lines(Drive())


def test_the_curves_are_the_same() -> None:
    modelica = tg.simulate(build_model(instantiate(views_of(MODELICA).named("Drive"))), stop=1.0)
    python = tg.simulate(Drive(), stop=1.0)
    for name in ("motor.i", "load.w"):
        assert np.array_equal(modelica[name], python[name])
