"""When-statements of both languages in one model: each acts at the start, or not, by the rule of its own language."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg

TEXT = """
model Counts "counts at the start only what says so"
  Integer n(start = 0, fixed = true);
  Integer initially(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
  parameter Real from = -1;
equation
  der(x) = 1;
  when x > from then
    n = pre(n) + 1;
  end when;
  when {initial(), x > 0.5} then
    initially = pre(initially) + 1;
  end when;
end Counts;
"""


class Counts(tg.Component):
    """The same conditions, in Python."""

    n = tg.integer(start=0)
    after = tg.integer(start=0)
    initially = tg.integer(start=0)
    second = tg.integer(start=0)
    x = tg.variable(start=0.0, fixed=True)
    level = tg.parameter(-1.0)

    def equations(self):
        yield tg.der(self.x) == 1
        yield tg.when(self.x > self.level, self.n == tg.pre(self.n) + 1)
        yield tg.when((self.x > self.level) & ~tg.initial(), self.after == tg.pre(self.after) + 1)
        yield tg.when(tg.initial(), self.initially == tg.pre(self.initially) + 1)
        yield tg.when(self.x > 10, self.second == 1).elsewhen(self.x > -2, self.second == 2)


@pytest.fixture(scope="module")
def modelica(tmp_path_factory: pytest.TempPathFactory) -> tg.ModelicaClass:
    """The class in Modelica."""
    file = tmp_path_factory.mktemp("counts") / "Counts.mo"
    file.write_text(TEXT)
    return tg.load_modelica(file)["Counts"]


def both(first: tg.Component, second: tg.Component) -> tg.Component:
    system = tg.System("both")
    system.add(ours=first, theirs=second)
    return system


@pytest.mark.parametrize("solver", ["rk45", "rodas", "cvode", "ida"])
def test_python_alone_and_beside_modelica(modelica: tg.ModelicaClass, solver: str) -> None:
    alone = tg.simulate(Counts(), stop=1.0, solver=solver)
    mixed = tg.simulate(both(Counts(), modelica()), stop=1.0, solver=solver)
    for name in ("n", "after", "initially", "second"):
        assert mixed[f"ours.{name}"][-1] == alone[name][-1], name
    assert (alone["n"][-1], alone["after"][-1], alone["second"][-1]) == (1, 0, 2)


@pytest.mark.parametrize("level", [-1.0, 0.25])
def test_modelica_alone_and_beside_python(modelica: tg.ModelicaClass, level: float) -> None:
    alone = tg.simulate(modelica.modified(**{"from": level}), stop=1.0)
    mixed = tg.simulate(both(Counts(level=level), modelica(**{"from": level})), stop=1.0)
    for name in ("n", "initially"):
        assert mixed[f"theirs.{name}"][-1] == alone[name][-1], name
    assert alone["n"][-1] == (0 if level < 0 else 1)
    assert alone["initially"][-1] == 2
    assert mixed["ours.n"][-1] == 1, "at the start, or when the level is crossed"


def test_documents_keep_the_rule_of_each_part(modelica: tg.ModelicaClass) -> None:
    system = both(Counts(), modelica())
    read = tg.simulate(tg.read_markup(text=tg.write_markup(system)), stop=1.0)
    assert read["ours.n"][-1] == 1
    assert read["theirs.n"][-1] == 0


def test_a_thermostat_of_python_switches_on_at_the_start(tmp_path: Path) -> None:
    """It did not where a part of the model was written in Modelica."""
    file = tmp_path / "Room.mo"
    file.write_text("""
model Room
  connector In = input Real;
  connector Out = output Real;
  In heat;
  Out T(start = 10, fixed = true);
equation
  der(T) = heat - 0.1*(T - 10);
end Room;
""")
    Room = tg.load_modelica(file)["Room"]

    class Thermostat(tg.Component):
        T = tg.input()
        heat = tg.output()
        on = tg.boolean(start=False)

        def equations(self):
            switched = tg.when(self.T < 19, self.on == True)  # noqa: E712 - an equation
            yield switched.elsewhen(self.T > 21, self.on == False)  # noqa: E712
            yield self.heat == tg.where(self.on, 2.0, 0.0)

    class House(tg.Component):
        room = Room()
        control = Thermostat()

        def connections(self):
            yield self.room.T, self.control.T
            yield self.control.heat, self.room.heat

    solution = tg.simulate(House(), stop=30.0)
    assert solution["control.on"][1]
    assert 18.9 < solution["room.T"][-1] < 21.1
