"""Strings that statements of algorithms assign: known while translating, rejected where they would change."""

from __future__ import annotations

import pytest

import tellegen as tg

TEXT = """package S
  model Joined
    String word[3];
    String all(start = "from ");
    Real x;
  algorithm
    for s in {"one", "two", "three"} loop
      if s == "one" then
        word[1] := s;
      elseif s == "two" then
        word[2] := s;
      else
        word[3] := s;
      end if;
      all := all + s;
    end for;
    x := if all == "from onetwothree" then time else -1;
    assert(word[2] == "two", "wrong: " + all);
  end Joined;
  model Around "which reads the String of a component"
    Joined joined;
    Real y = if joined.all == "from onetwothree" then 2 else 1;
  end Around;
  model Varies
    String s;
  algorithm
    s := if time > 1 then "a" else "b";
  end Varies;
  model Later
    String s;
  algorithm
    when time > 1 then
      s := "a";
    end when;
  end Later;
  model Open
    String s;
  end Open;
end S;
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaLibrary:
    file = tmp_path_factory.mktemp("texts") / "S.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)


def test_statements_give_strings_their_values(library: tg.ModelicaLibrary) -> None:
    solution = tg.simulate(library["S.Around"], stop=1.0)
    assert solution["y"][-1] == 2.0
    assert solution["joined.x"][-1] == 1.0


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("Varies", "depends on a condition that varies"),
        ("Later", "the String 's', which changes during a run, is not supported"),
        ("Open", "s has no value"),
    ],
)
def test_what_is_not_known_is_rejected(library: tg.ModelicaLibrary, model: str, said: str) -> None:
    with pytest.raises(tg.ModelicaError, match=said):
        _ = library[f"S.{model}"].model
