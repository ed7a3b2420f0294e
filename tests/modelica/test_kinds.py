"""From instances to kinds: sharing, where numbers go, connections; checked by closed solutions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tellegen as tg
from modelica_texts import views_of
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model
from tellegen.ir.model import Model

ELECTRICAL = """
connector Pin
  Real v;
  flow Real i;
end Pin;
partial model OnePort
  Pin p;
  Pin n;
  Real v;
  Real i;
equation
  v = p.v - n.v;
  0 = p.i + n.i;
  i = p.i;
end OnePort;
model Resistor
  extends OnePort;
  parameter Real R = 1 "Resistance";
equation
  v = R*i;
end Resistor;
model Capacitor
  extends OnePort(v(start=0, fixed=true));
  parameter Real C = 1;
equation
  C*der(v) = i;
end Capacitor;
model Source
  extends OnePort;
  parameter Real V = 1;
equation
  v = V;
end Source;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
"""


def model_of(text: str, name: str = "M") -> Model:
    """The Model of a class in a text that can use the components above."""
    return build_model(instantiate(views_of(ELECTRICAL + text).named(name)))


def values_of(text: str, *names: str, stop: float = 1.0, **run: Any) -> list[float]:
    """The last values of variables."""
    solution = tg.simulate(model_of(text), stop=stop, **run)
    return [float(np.asarray(solution[name])[-1]) for name in names]


# ---------------------------------------------------------------------------------------------------------- sharing


LADDER = """
model M
  parameter Integer n = 5;
  Resistor r[n](R={k for k in 1:n});
  Capacitor c[n](each C=0.1);
  Source source(V=2);
  Ground ground;
equation
  connect(source.n, ground.p);
  connect(source.p, r[1].p);
  for k in 1:n loop
    connect(r[k].n, c[k].p);
    connect(c[k].n, ground.p);
  end for;
  for k in 2:n loop
    connect(r[k-1].n, r[k].p);
  end for;
end M;
"""


def test_equal_components_share_a_kind_and_numbers_are_columns() -> None:
    model = model_of(LADDER)
    assert {kind.name for kind in model.kinds()} == {"M", "Resistor", "Capacitor", "Source", "Ground"}
    group = next(group for group in model.root.groups if group.kind.name == "Resistor")
    assert group.names == ("r[1]", "r[2]", "r[3]", "r[4]", "r[5]")
    setting = next(s for s in model.root.settings if len(s.values) == 5 and s.values[0] == 1.0)
    assert setting.values.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    larger = model_of(LADDER.replace("n = 5", "n = 50"))
    assert [len(kind.stamps) for kind in larger.kinds()] == [len(kind.stamps) for kind in model.kinds()]
    assert len(larger.root.connections) == len(model.root.connections)


def test_a_network_settles_where_it_has_to() -> None:
    assert values_of(LADDER, "c[5].v", "source.i", stop=200.0) == pytest.approx([2.0, 0.0], abs=1e-5)


def test_structural_parameters_are_named_in_the_kind() -> None:
    assert dict(model_of(LADDER).root.structure) == {"n": 5}


# ------------------------------------------------------------------------------------------------- values and starts


def test_values_by_expressions_follow_the_parameters_of_a_run() -> None:
    text = """
    model Part
      parameter Real a = 1;
      parameter Real b = 2*a;
      Real x(start=b, fixed=true);
    equation
      der(x) = 0;
    end Part;
    model M
      parameter Real k = 3;
      Part p(a=k + 1);
      Part q;
    end M;
    """
    assert values_of(text, "p.x", "q.x") == [8.0, 2.0]
    assert values_of(text, "p.x", "q.x", parameters={"k": 0.0, "q.a": 5.0}) == [2.0, 10.0]


def test_start_values_are_those_of_the_outermost_text() -> None:
    text = """
    model Part
      Real x[2](start={1, 2}, each fixed=true);
    equation
      der(x) = zeros(2);
    end Part;
    model M
      Part p;
      Part q(x(start={3, 4}));
      Part r[2](x(start=[5, 6; 7, 8]));
    end M;
    """
    assert values_of(text, "p.x[2]", "q.x[1]", "r[1].x[2]", "r[2].x[1]") == [2.0, 3.0, 6.0, 7.0]


def test_a_parameter_does_not_vary() -> None:
    with pytest.raises(ModelicaError, match="E588"):
        model_of("model M Real x = time; parameter Real p = 2*x; end M;")


def test_units_are_documentation() -> None:
    text = """model M Real T(unit="degC") = 20; Real L(unit="m") = T; end M;"""
    assert values_of(text, "T", "L") == [20.0, 20.0]


def test_a_structural_real_parameter_is_a_number_in_all_equations() -> None:
    text = """
    model M
      parameter Real p = 2;
      Real x = p*time if p > 1;
      Real y = p + 1;
    end M;
    """
    model = model_of(text)
    assert dict(model.root.structure) == {"p": 2.0}
    assert not model.root.parameters


# --------------------------------------------------------------------------------------------------------- connections


def test_connectors_are_seen_from_both_sides() -> None:
    text = """
    model Pair
      Pin p;
      Pin n;
      Resistor a(R=2);
      Resistor b(R=3);
    equation
      connect(p, a.p);
      connect(a.n, b.p);
      connect(b.n, n);
      connect(n, b.n);
    end Pair;
    model M
      Pair pair;
      Source source(V=10);
      Ground ground;
    equation
      connect(source.p, pair.p);
      connect(source.n, pair.n);
      connect(ground.p, source.n);
    end M;
    """
    assert values_of(text, "pair.p.i", "pair.a.i", "pair.n.i") == pytest.approx([2.0, 2.0, -2.0])


def test_flows_nobody_connects_are_zero_also_of_the_model_itself() -> None:
    text = """
    model M
      Pin open;
      Resistor r(R=2);
      Ground ground;
    equation
      connect(r.n, ground.p);
      connect(open, r.p);
    end M;
    """
    assert values_of(text, "open.i", "r.i", "r.p.v") == pytest.approx([0.0, 0.0, 0.0])


def test_flow_holds_for_the_fields_of_a_record() -> None:
    text = """
    record Pair
      Real re;
      Real im;
    end Pair;
    connector Plug
      Pair v;
      flow Pair i;
    end Plug;
    model Load
      Plug plug;
    equation
      plug.v.re = 2*plug.i.re;
      plug.v.im = 4*plug.i.im;
    end Load;
    model Feed
      Plug plug[2];
    equation
      plug.v.re = {4, 4};
      plug.v.im = {8, 8};
    end Feed;
    model M
      Feed feed;
      Load load[2];
      Load alone;
    equation
      connect(feed.plug, load.plug);
      connect(feed.plug[2], load[2].plug);
    end M;
    """
    found = values_of(text, "load[1].plug.i.re", "feed.plug[2].i.im", "alone.plug.v.re")
    assert found == pytest.approx([2.0, -2.0, 0.0])


def test_signals_of_vectors_and_protected_connectors() -> None:
    text = """
    connector Input = input Real;
    connector Output = output Real;
    block Gains
      Input u[2];
      Output y[2];
      parameter Boolean internal = true;
    protected
      Input k;
    public
      Constant one if internal;
    equation
      connect(one.y, k);
      y = k*u;
    end Gains;
    block Constant
      Output y = 3;
    end Constant;
    model M
      Gains a;
      Gains b;
    equation
      a.u = {1, 2};
      connect(a.y[1], b.u[2]);
      connect(a.y[2], b.u[1]);
    end M;
    """
    assert values_of(text, "b.y[1]", "b.y[2]") == pytest.approx([18.0, 9.0])


def test_an_input_of_the_model_comes_from_outside() -> None:
    text = """
    connector Input = input Real;
    model M
      Input u;
      Real x(start=0, fixed=true);
    equation
      der(x) = u;
    end M;
    """
    solution = tg.simulate(model_of(text), stop=2.0, parameters={"u": 3.0})
    assert float(solution["x"][-1]) == pytest.approx(6.0)


def test_connectors_of_different_structure_are_refused() -> None:
    with pytest.raises(ModelicaError, match="E585"):
        model_of("connector S Real v; Real i; end S; model M S s; Resistor r; equation connect(s, r.p); end M;")


def test_parameters_in_connectors_have_to_agree() -> None:
    text = """
    connector Plug
      parameter Integer m = 3;
      Real v;
      flow Real i;
    end Plug;
    model Part
      Plug plug(m=m);
      parameter Integer m = 3;
    end Part;
    model M
      Part a;
      Part b(m=2);
    equation
      connect(a.plug, b.plug);
    end M;
    """
    with pytest.raises(ModelicaError, match="E586"):
        model_of(text)


OVERCONSTRAINED = """
type Angle = Real;
record Phase
  Real c[2];
  function equalityConstraint
    input Phase a;
    input Phase b;
    output Real residue[1];
  algorithm
    residue := {a.c[1]*b.c[2] - a.c[2]*b.c[1]};
  end equalityConstraint;
end Phase;
connector Port
  Phase phase;
  Real p;
  flow Real f;
end Port;
model Turn
  Port a;
  Port b;
  parameter Real angle = 0.5;
equation
  Connections.branch(a.phase, b.phase);
  if Connections.rooted(a.phase) then
    b.phase.c = [cos(angle), -sin(angle); sin(angle), cos(angle)]*a.phase.c;
  else
    a.phase.c = [cos(angle), sin(angle); -sin(angle), cos(angle)]*b.phase.c;
  end if;
  a.f + b.f = 0;
  a.p = b.p;
end Turn;
model Fixed
  Port b;
equation
  Connections.root(b.phase);
  b.phase.c = {1, 0};
  b.p = 0;
end Fixed;
model Free
  Port b;
  Boolean isRoot = Connections.isRoot(b.phase);
equation
  Connections.potentialRoot(b.phase);
  if Connections.isRoot(b.phase) then
    b.phase.c = {0, 1};
  end if;
  b.f = 0;
end Free;
"""


def test_overconstrained_connections_are_rooted() -> None:
    text = (
        OVERCONSTRAINED
        + """
    model M
      Fixed fixed;
      Turn one;
      Turn two(angle=0.25);
      Free free;
    equation
      connect(fixed.b, one.a);
      connect(one.b, two.b);
      connect(two.a, free.b);
    end M;
    """
    )
    found = values_of(text, "free.b.phase.c[1]", "free.b.phase.c[2]", "free.isRoot")
    assert found == pytest.approx([math.cos(0.25), math.sin(0.25), 0.0])


def test_a_circle_of_connections_is_cut_once() -> None:
    text = (
        OVERCONSTRAINED
        + """
    model Closing
      Port a;
      Port b;
      Real angle(start=0.2);
    equation
      Connections.branch(a.phase, b.phase);
      b.phase.c = [cos(angle), -sin(angle); sin(angle), cos(angle)]*a.phase.c;
      a.f = 0;
      b.f = 0;
    end Closing;
    model M
      Fixed fixed;
      Turn one(angle=0.5);
      Turn two(angle=0.25);
      Closing three;
    equation
      connect(fixed.b, one.a);
      connect(one.b, two.b);
      connect(two.a, three.b);
      connect(three.a, fixed.b);
    end M;
    """
    )
    (angle,) = values_of(text, "three.angle")
    assert math.tan(angle) == pytest.approx(math.tan(0.25))  # the residual is zero at opposite phases too


def test_cardinality_counts_connect_statements() -> None:
    text = """
    model Counting
      Pin p;
      Integer count = cardinality(p);
    equation
      if cardinality(p) == 0 then
        p.v = 1;
      else
        p.v = 2*p.i;
      end if;
    end Counting;
    model M
      Counting a;
      Counting b;
      Counting c;
    equation
      connect(a.p, b.p);
    end M;
    """
    assert values_of(text, "a.count", "c.count") == [1.0, 0.0]


def test_a_conditional_end_takes_its_connection_with_it() -> None:
    text = """
    model M
      parameter Boolean loaded = false;
      Resistor load(R=2) if loaded;
      Resistor r(R=3);
      Source source(V=6);
      Ground ground;
    equation
      connect(source.p, r.p);
      connect(r.n, ground.p);
      connect(source.n, ground.p);
      connect(load.p, source.p);
      connect(load.n, ground.p);
    end M;
    """
    assert values_of(text, "source.i") == pytest.approx([-2.0])
    assert values_of(text.replace("loaded = false", "loaded = true"), "source.i") == pytest.approx([-5.0])


STREAMS = """
connector FluidPort
  Real p;
  flow Real m_flow;
  stream Real h;
end FluidPort;
model Supply
  FluidPort port;
  parameter Real m = 1;
  parameter Real h = 10;
equation
  port.m_flow = -m;
  port.h = h;
end Supply;
model Drain
  FluidPort port;
  Real h = actualStream(port.h);
equation
  port.p = 1;
  port.h = 0;
end Drain;
"""


def test_streams_mix() -> None:
    text = (
        STREAMS
        + """
    model Joined
      FluidPort outlet;
      Supply a(m=1, h=10);
      Supply b(m=3, h=30);
    equation
      connect(a.port, outlet);
      connect(b.port, outlet);
    end Joined;
    model M
      Joined joined;
      Drain drain;
    equation
      connect(joined.outlet, drain.port);
    end M;
    """
    )
    assert values_of(text, "drain.h", "drain.port.m_flow") == pytest.approx([25.0, 4.0])


# ------------------------------------------------------------------------------------------------------ inner and outer


def test_outer_components_are_read_and_connected() -> None:
    text = """
    model World
      parameter Real g = 10;
      Pin pin;
    equation
      pin.v = 5;
    end World;
    model Body
      outer World world;
      Resistor r(R=world.g);
      Real w = 2*world.g;
      Ground ground;
    equation
      connect(world.pin, r.p);
      connect(r.n, ground.p);
    end Body;
    model Nest
      Body body;
    end Nest;
    model M
      inner World world(g=4);
      Nest nest[3];
    end M;
    """
    assert values_of(text, "nest[3].body.w", "nest[2].body.r.i", "world.pin.i") == pytest.approx([8.0, 1.25, -3.75])
    changed = values_of(text, "nest[1].body.w", parameters={"world.g": 5.0})
    assert changed == pytest.approx([10.0])


def test_when_clauses_make_variables_discrete() -> None:
    text = """
    model M
      Real x(start=1, fixed=true);
      Real y(start=0, fixed=true);
      Integer n(start=0, fixed=true);
    equation
      der(x) = -1;
      when x < 0.5 then
        n = pre(n) + 1;
      elsewhen {time > 0.8, time > 0.9} then
        n = pre(n) + 10;
      end when;
      when time > 0.25 then
        y = x;
      end when;
      when time > 0.95 then
        reinit(x, 3);
      end when;
    end M;
    """
    assert values_of(text, "n", "y", "x") == pytest.approx([21.0, 0.75, 2.95], abs=1e-6)


def test_what_nobody_can_change_is_a_number() -> None:
    text = """
    record Data
      parameter Real a = 2;
      parameter Real b = 0;
    end Data;
    model M
      final parameter Data final_data(a=3);
      parameter Data evaluated annotation(Evaluate=true);
      parameter Data free;
      final parameter Real sum = free.a + final_data.a;
      Real x = final_data.a + evaluated.a + free.a;
    end M;
    """
    model = model_of(text)
    assert dict(model.root.structure) == {"final_data.a": 3.0, "evaluated.a": 2.0}
    assert {"free.a", "free.b", "sum"} <= {parameter.name for parameter in model.root.parameters}
    assert values_of(text, "x", parameters={"free.a": 10.0}) == [15.0]


def test_a_when_that_never_acts_still_determines_its_variables() -> None:
    text = "model M discrete Real t(start=3, fixed=true); equation when false then t = pre(t); end when; end M;"
    assert values_of(text, "t") == [3.0]


def test_a_bus_carries_what_is_connected_and_nothing_else() -> None:
    text = """
    connector Input = input Real;
    connector Output = output Real;
    expandable connector SubBus
      Real level;
      Real nobody;
    end SubBus;
    expandable connector Bus
      Real speed[2];
      Boolean on;
      Real unused;
      SubBus sub;
    end Bus;
    block Sender
      Bus bus;
      Output y[2] = {time, 2*time};
      Output level = 7;
    equation
      connect(y, bus.speed);
      connect(level, bus.sub.level);
    end Sender;
    block Receiver
      Bus bus;
      Input u;
      Input v;
      Real sum = u + v;
    equation
      connect(bus.speed[2], u);
      connect(bus.sub.level, v);
    end Receiver;
    model M
      Sender sender;
      Receiver receiver;
      Bus bus;
    equation
      connect(sender.bus, bus);
      connect(bus, receiver.bus);
    end M;
    """
    assert values_of(text, "receiver.sum", "bus.speed[1]") == pytest.approx([9.0, 1.0])
    names = {variable.name for kind in model_of(text).kinds() for variable in kind.variables}
    assert "bus.speed" in names
    assert not names & {"bus.on", "bus.unused", "bus.sub.nobody"}


def test_relations_passed_to_a_function_keep_their_events() -> None:
    text = """
    function oneTrue
      input Boolean b[:];
      output Boolean result;
    protected
      Integer count = 0;
    algorithm
      for k in 1:size(b, 1) loop
        count := if b[k] then count + 1 else count;
      end for;
      result := count == 1;
    end oneTrue;
    model M
      Boolean on = oneTrue({time >= 0.25, time >= 0.5});
      discrete Real t(start=0, fixed=true);
    equation
      when not on then
        t = time;
      end when;
    end M;
    """
    assert values_of(text, "t", "on") == pytest.approx([0.5, 0.0], abs=1e-9)


UNDECLARED = """
connector Input = input Real;
connector Output = output Real;
expandable connector Bus
end Bus;
block Sender
  Bus bus;
  Output y[2] = {time, 2*time};
  Output level = 7;
equation
  connect(y, bus.speed);
  connect(level, bus.level);
end Sender;
block Receiver
  Bus bus;
  Input u;
  Input v[2];
  Real sum = u + v[2];
equation
  connect(bus.speed, v);
  connect(bus.level, u);
end Receiver;
model M
  Sender sender;
  Receiver receiver;
  Bus bus;
equation
  connect(sender.bus, bus);
  connect(bus, receiver.bus);
end M;
"""


def test_connections_declare_what_is_on_a_bus() -> None:
    assert values_of(UNDECLARED, "receiver.sum", "bus.speed[1]") == pytest.approx([9.0, 1.0])


def test_something_has_to_say_what_is_on_a_bus() -> None:
    with pytest.raises(ModelicaError, match=r"E585.*nothing says what a\.x is"):
        model_of("expandable connector Bus end Bus; model M Bus a; Bus b; equation connect(a.x, b.y); end M;")
