"""Arrays on expandable connectors: sizes follow from what is connected to them and to their elements (MLS 9.1.3)."""

from __future__ import annotations

import pytest

import tellegen as tg

TEXT = """package B
  connector RealOutput = output Real;
  connector RealInput = input Real;
  expandable connector Bus end Bus;
  expandable connector Open Real x[:]; end Open;
  model Source parameter Real k = 1; RealOutput y = k*time; end Source;
  model Sink RealInput u; Real v = 2*u; end Sink;
  model Inside Bus bus; Source s(k = 3); equation connect(s.y, bus.ro[2]); end Inside;
  model Elements
    Bus bus; Source a; Inside inside; Sink t; Sink w;
  equation
    connect(a.y, bus.ro[1]);
    connect(bus, inside.bus);
    connect(bus.ro[2], t.u);
    connect(bus.ro[1], w.u);
  end Elements;
  model Loop
    Bus bus; Source a[3](k = {1, 2, 3}); Sink t[3];
  equation
    for i in 1:3 loop
      connect(a[i].y, bus.ro[i]);
      connect(bus.ro[i], t[i].u);
    end for;
  end Loop;
  model LeftOpen
    Open bus; RealOutput o[3] = {time, 2*time, 3*time}; Sink t;
  equation
    connect(o, bus.x);
    connect(bus.x[2], t.u);
  end LeftOpen;
  model Whole
    Bus bus; RealOutput o[3] = {time, 2*time, 3*time}; Sink t;
  equation
    connect(o, bus.q);
    connect(bus.q[2], t.u);
  end Whole;
  model Gap Bus bus; Source a; equation connect(a.y, bus.ro[2]); end Gap;
  model Matrix Bus bus; Source a; equation connect(a.y, bus.ro[1, 1]); end Matrix;
end B;
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("buses") / "B.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("Elements", {"t.v": 6.0, "w.v": 2.0, "bus.ro[2]": 3.0, "inside.bus.ro[1]": 1.0}),
        ("Loop", {"t[1].v": 2.0, "t[3].v": 6.0}),
        ("LeftOpen", {"t.v": 4.0, "bus.x[3]": 3.0}),
        ("Whole", {"t.v": 4.0}),
    ],
)
def test_elements_carry_signals(library: tg.ModelicaLibrary, model: str, expected: dict[str, float]) -> None:
    solution = tg.simulate(library[f"B.{model}"], stop=1.0)
    assert {path: solution[path][-1] for path in expected} == pytest.approx(expected)


@pytest.mark.parametrize(("model", "said"), [("Gap", "but not element 1"), ("Matrix", "2 subscripts")])
def test_what_cannot_be_is_said(library: tg.ModelicaLibrary, model: str, said: str) -> None:
    with pytest.raises(tg.TellegenError, match=said):
        _ = library[f"B.{model}"].model
