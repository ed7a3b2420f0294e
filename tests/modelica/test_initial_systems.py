"""Initial equations that repeat each other, and parameters that a system of initial equations determines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from modelica_texts import views_of
from tellegen.errors import NumericError
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.kinds.build import build_model

TEXT = """
connector Pin  Real v; flow Real i; end Pin;
model Segment "inductor and capacitor"
  Pin p, n; Real v, i;
equation
  i = p.i; 0 = p.i + n.i - der(v); v = n.v; der(i) = p.v - n.v;
end Segment;
model Source  Pin p; equation p.v = time; end Source;
model Line "each segment says that it is at rest, and so does the line of its currents"
  Segment a, b; Source source;
initial equation
  a.v = 0; a.i = 0; b.v = 0; b.i = 0; b.p.i = 0; a.n.i + b.p.i = 0;
equation
  connect(source.p, a.p); connect(a.n, b.p);
end Line;
model Both "the last equation determines what two others, which say the same, leave open"
  Real x, y;
initial equation
  x + y = 1; 2*x + 2*y = 2; x = 0.25;
equation
  der(x) = -x; der(y) = -y;
end Both;
model Contradiction
  Real x(start = 1, fixed = true);
initial equation
  x = 1 + 1e-3;
equation
  der(x) = -x;
end Contradiction;
model Agreement
  Real x(start = 1, fixed = true), z(start = -1, fixed = true);
initial equation
  x^2 = 1;
equation
  der(x) = z; z = -x^3;
end Agreement;
model Currents "k follows from a system of initial equations, and x starts at it"
  parameter Real k[2](each fixed = false);
  Real x[2];
initial equation
  k[1] + 2*k[2] = 5; 3*k[1] - k[2] = 1; x = k;
equation
  der(x) = -x;
end Currents;
model Spring  parameter Real c = 1; input Real s; output Real f = c*s; end Spring;
model Rest "the stiffness for which a weight rests at s = 0.5"
  parameter Real c(fixed = false, start = 3);
  Spring spring(c = c, s = s);
  Real s(start = 0.5, fixed = true), v(start = 0, fixed = true), a(start = 0, fixed = true);
equation
  der(s) = v; der(v) = a; a = 10 - spring.f;
end Rest;
"""


@pytest.fixture(scope="module")
def runs() -> dict[str, tg.Solution]:
    views = views_of(TEXT)
    names = ("Line", "Both", "Agreement", "Currents", "Rest")
    return {name: tg.simulate(build_model(instantiate(views.named(name))), 1.0) for name in names}


def test_equations_that_repeat_others_are_accepted_and_counted(runs: dict[str, tg.Solution]) -> None:
    assert runs["Line"].stats["repeated_initial_conditions"] == 2
    assert runs["Agreement"].stats["repeated_initial_conditions"] == 2
    assert "repeated_initial_conditions" not in runs["Currents"].stats
    assert runs["Agreement"]["x"][-1] == pytest.approx(1.0 / np.sqrt(3.0), rel=1e-5)


def test_what_is_left_out_may_determine_what_is_kept_does_not(runs: dict[str, tg.Solution]) -> None:
    assert runs["Both"]["x"][0] == pytest.approx(0.25)
    assert runs["Both"]["y"][0] == pytest.approx(0.75)


def test_conditions_that_contradict_each_other_are_named() -> None:
    with pytest.raises(NumericError, match=r"E303: the initial conditions contradict each other") as caught:
        tg.simulate(build_model(instantiate(views_of(TEXT).named("Contradiction"))), 1.0)
    assert "x = 1" in str(caught.value)
    assert "x == 1.001" in str(caught.value)


def test_parameters_of_a_system_give_variables_their_values(runs: dict[str, tg.Solution]) -> None:
    assert [runs["Currents"][f"x[{k}]"][0] for k in (1, 2)] == pytest.approx([1.0, 2.0])
    assert [runs["Currents"][f"k[{k}]"][-1] for k in (1, 2)] == pytest.approx([1.0, 2.0])


def test_a_parameter_of_a_component_follows_the_one_that_is_solved_for(runs: dict[str, tg.Solution]) -> None:
    assert runs["Rest"]["spring.c"][-1] == pytest.approx(20.0)
    assert runs["Rest"]["s"] == pytest.approx(0.5)


@pytest.mark.parametrize("seed", range(8))
def test_conditions_drawn_at_random(seed: int) -> None:
    """States at random values: conditions are sums of them, some of which follow from others; one may be wrong."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 5))
    value = random.uniform(-2.0, 2.0, count)
    rows = np.vstack([np.eye(count), random.integers(-2, 3, (2, count))])
    rows = rows[random.permutation(len(rows))]
    rows = rows[np.abs(rows).any(axis=1)]
    right = rows @ value
    is_wrong = bool(seed % 2)
    if is_wrong:
        right[random.integers(len(right))] += 0.01
    sums = [" + ".join(f"({w:g})*x[{k + 1}]" for k, w in enumerate(row) if w) for row in rows]
    conditions = "".join(f"{s} = {float(r)!r}; " for s, r in zip(sums, right, strict=True))
    text = f"model M Real x[{count}]; initial equation {conditions} equation der(x) = -x; end M;"
    model = build_model(instantiate(views_of(text).named("M")))
    if is_wrong and np.linalg.matrix_rank(np.column_stack([rows, right])) > count:
        with pytest.raises(NumericError, match="E303"):
            tg.simulate(model, 0.1)
        return
    expected = np.linalg.lstsq(rows, right, rcond=None)[0]
    solution = tg.simulate(model, 0.1)
    assert [solution[f"x[{k + 1}]"][0] for k in range(count)] == pytest.approx(expected.tolist(), rel=1e-7, abs=1e-9)
    assert solution.stats.get("repeated_initial_conditions", 0) == len(rows) - count


def test_initial_equations_are_solved_while_initial_holds(tmp_path: Path) -> None:
    """Also where nothing else in the model asks for initial(): it was false there, and x began with 5."""
    path = tmp_path / "X.mo"
    for kind, sign in (("equation", "="), ("algorithm", ":=")):
        start = f"initial {kind} x {sign} if initial() then 2 else 5;"
        path.write_text(f"model X Real x; {start} equation der(x) = 1; end X;")
        solution = tg.simulate(tg.load_modelica(path)["X"].model, stop=1.0)
        assert float(solution.at(1.0)["x"]) == pytest.approx(3.0, abs=1e-9)
