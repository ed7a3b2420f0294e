"""Global names of operators, outer classes, Strings that equations define, sources of signals, sizes of connectors."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

import tellegen as tg
from tellegen.frontends.modelica.library import ModelicaClass


def loaded(tmp_path: Path, text: str, name: str = "M") -> ModelicaClass:
    """A class of a text."""
    file = tmp_path / f"{name}.mo"
    file.write_text(text)
    return tg.load_modelica(file)[name]


def test_an_assert_by_its_global_name_counts(tmp_path: Path) -> None:
    model = loaded(tmp_path, 'model M Real x = time; equation .assert(x < 0.5, "too large"); end M;')
    with pytest.raises(tg.TellegenError, match="too large"):
        tg.simulate(model, stop=1.0)


def test_reinit_and_terminate_by_their_global_names(tmp_path: Path) -> None:
    model = loaded(
        tmp_path,
        """model M Real x(start = 0, fixed = true); equation der(x) = 1;
        when time > 0.5 then .reinit(x, 10); end when;
        when time > 0.8 then .terminate("enough"); end when; end M;""",
    )
    found = tg.simulate(model, stop=1.0)
    assert found.time[-1] == pytest.approx(0.8)
    assert found["x"][-1] == pytest.approx(10.3)


ANGLES = """
model M
  type Angle
    extends Real;
    function equalityConstraint
      input Angle a;
      input Angle b;
      output Real residue[0];
    algorithm
    end equalityConstraint;
  end Angle;
  connector C
    Angle theta;
    Real v;
    flow Real i;
  end C;
  model Part
    C a;
    C b;
  equation
    .Connections.branch(a.theta, b.theta);
    a.theta = b.theta;
    a.v - b.v = a.i;
    a.i + b.i = 0.1*a.v;
  end Part;
  Part p;
  Part q;
  Real root = if .Connections.isRoot(p.a.theta) then 1 else 0;
equation
  .Connections.root(p.a.theta);
  p.a.theta = 3*time;
  connect(p.b, q.a);
  connect(q.b, p.a);
end M;
"""


def test_types_of_numbers_can_be_overconstrained(tmp_path: Path) -> None:
    """A ring of two parts: the connection that closes it is cut, so the angle is determined once."""
    found = tg.simulate(loaded(tmp_path, ANGLES), stop=1.0)
    assert found["q.b.theta"][-1] == pytest.approx(3.0)
    assert found["root"][-1] == 1.0


@pytest.mark.parametrize("place", ["algorithm", "equation when time > 1 then"])
def test_roots_stand_among_equations(tmp_path: Path, place: str) -> None:
    end = "end when;" if "when" in place else ""
    text = ANGLES.replace(
        "equation\n  .Connections.root(p.a.theta);", f"{place} Connections.root(p.a.theta); {end}\nequation"
    )
    with pytest.raises(tg.ModelicaError, match="E583"):
        _ = loaded(tmp_path, text).model


def test_outer_functions_are_those_of_the_model_around(tmp_path: Path) -> None:
    model = loaded(
        tmp_path,
        """model M
        partial function Base input Real u; output Real y; end Base;
        function Once extends Base; algorithm y := u; end Once;
        function Twice extends Base; algorithm y := 2*u; end Twice;
        model User outer function f = Base; Real y = f(3); end User;
        model A inner function f = Once; User user; end A;
        model B inner function f = Twice; User user; end B;
        A a; B b; end M;""",
    )
    found = tg.simulate(model, stop=1.0)
    assert (found["a.user.y"][-1], found["b.user.y"][-1]) == (3.0, 6.0)


def test_strings_by_equations(tmp_path: Path) -> None:
    text = """model M String s; String t; Integer n = if t == "a1" then 1 else 2;
    equation s = "a"; t = s + String(1); end M;"""
    assert tg.simulate(loaded(tmp_path, text), stop=1.0)["n"][-1] == 1
    with pytest.raises(tg.ModelicaError, match="not equal"):
        _ = loaded(tmp_path, 'model N String s; equation s = "a"; s = "b"; end N;', "N").model


SOURCES = """
model M
  connector In = input Real;
  connector Out = output Real;
  model Source Out y = 1; end Source;
  model Sink In u; end Sink;
  Source a;
  Source b;
  Sink sink;
equation
  connect(a.y, sink.u);
  {more}
end M;
"""


def test_two_sources_of_a_signal(tmp_path: Path) -> None:
    assert tg.simulate(loaded(tmp_path, SOURCES.format(more="")), stop=1.0)["sink.u"][-1] == 1.0
    again = SOURCES.format(more="connect(sink.u, a.y);")
    assert tg.simulate(loaded(tmp_path, again), stop=1.0)["sink.u"][-1] == 1.0, "the same connection twice"
    with pytest.raises(tg.ModelicaError, match=r"E585.*b\.y and a\.y both determine"):
        _ = loaded(tmp_path, SOURCES.format(more="connect(b.y, sink.u);")).model


def test_parameters_and_constants_of_connectors(tmp_path: Path) -> None:
    text = """model M
    connector A constant Real k = 1; Real e; flow Real f; end A;
    connector B parameter Real k = 1; Real e; flow Real f; end B;
    model P A a; B b; end P;
    P p; equation connect(p.a, p.b); p.a.e = 1; p.a.f = 2; end M;"""
    with pytest.raises(tg.ModelicaError, match="E586"):
        _ = loaded(tmp_path, text).model


def test_connectors_around_connectors_need_flows(tmp_path: Path) -> None:
    text = """model M
    connector Pin Real v; flow Real i; end Pin;
    connector Plug Pin p[3]; Real x; end Plug;
    Plug p(p.v = {1, 2, 3}, x = 4); end M;"""
    with pytest.raises(tg.ModelicaError, match="connectors with flows inside"):
        _ = loaded(tmp_path, text).model


def test_a_discrete_real_changes_in_a_when(tmp_path: Path) -> None:
    with pytest.raises(tg.ModelicaError, match="E562"):
        _ = loaded(tmp_path, "model M discrete Real x = 1; end M;").model


def test_protected_packages(tmp_path: Path) -> None:
    text = "model M package P protected package Q constant Real x = 1; end Q; end P; Real y = P.Q.x; end M;"
    with pytest.raises(tg.ModelicaError, match="E552"):
        _ = loaded(tmp_path, text).model


def test_libraries_leave_memory_when_nobody_uses_them(tmp_path: Path) -> None:
    """What is computed for classes stands beside them; it kept all of them for ever."""
    text = """package M constant Real k = 2;
    function f input Real x; output Real y; algorithm y := k*x; end f;
    model A parameter Real p = f(1); Real z = f(time); end A; end M;"""
    gc.freeze()  # what other tests made is not looked through
    found = loaded(tmp_path, text, "M.A".partition(".")[0])
    library = tg.load_modelica(tmp_path / "M.mo")
    model = library["M.A"]
    tg.flatten(model)
    watched = weakref.ref(model.view)
    del found, library, model
    gc.collect()
    assert watched() is None
