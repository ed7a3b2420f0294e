"""Numbers: units, expressions, propagation, every way to override, and that nothing leaks to brothers or classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tellegen as tg
from golden_models.parts import Battery, Capacitor, Ground, Inertia, Pin, Resistor
from language.reading import column, names, statements, traced, values


class Leaf(tg.Component):
    k = tg.parameter(1.0, "N.m/A")
    twice = tg.parameter(2 * k, "N.m/A")
    x = tg.variable(start=0.5)

    def equations(self) -> Any:
        yield tg.der(self.x) == -self.x


class Middle(tg.Component):
    k = tg.parameter(10.0, "N.m/A")
    a = Leaf(k=k)
    b = Leaf(k=k + 1)
    c = Leaf()


class Top(tg.Component):
    k = tg.parameter(100.0, "N.m/A")
    m = Middle(k=2 * k)
    n = Middle()


def test_propagation_down_three_levels() -> None:
    found = values(Top())
    assert found["m.k"] == 200
    assert (found["m.a.k"], found["m.b.k"], found["m.c.k"]) == (200, 201, 1)
    assert (found["m.a.twice"], found["m.b.twice"], found["m.c.twice"]) == (400, 402, 2)
    assert (found["n.a.k"], found["n.b.k"], found["n.a.twice"]) == (10, 11, 20)
    assert values(Top(k=1.0))["m.b.twice"] == 6


def test_an_outer_value_wins_at_every_level() -> None:
    top = Top()
    top.m.k = 7.0
    assert values(top)["m.b.twice"] == 16
    top.m.b.k = 5.0
    found = values(top)
    assert (found["m.a.k"], found["m.b.k"], found["m.b.twice"]) == (7, 5, 10)
    top.m.b.twice = 3.0
    assert values(top)["m.b.twice"] == 3
    assert values(Top())["m.b.twice"] == 402, "the class is untouched"


class ByConstructor(tg.Component):
    m = Middle(a=Leaf(k=3.0), k=4.0)


class ByPath(tg.Component):
    m = Middle()
    m.a.k = 3.0
    m.k = 4.0


@pytest.mark.parametrize("cls", [ByConstructor, ByPath])
def test_ways_to_override_agree(cls: Any) -> None:
    found = values(cls())
    assert (found["m.a.k"], found["m.b.k"], found["m.c.k"], found["m.a.twice"]) == (3, 5, 1, 6)


def test_attribute_of_an_instance_agrees() -> None:
    class Plain(tg.Component):
        m = Middle()

    model = Plain()
    model.m.a.k = 3.0
    model.m.k = 4.0
    assert values(model) == values(ByPath())


def test_last_word_in_a_class_body_and_in_a_subclass() -> None:
    class Sub(ByPath):
        m = Middle(k=8.0)

    assert values(Sub())["m.a.k"] == 8
    assert values(ByPath())["m.a.k"] == 3


def test_a_parameter_declared_anew_in_a_subclass() -> None:
    class Strong(Leaf):
        k = tg.parameter(5.0, "N.m/A")

    class Both(tg.Component):
        weak = Leaf()
        strong = Strong()

    found = values(Both())
    assert (found["weak.k"], found["strong.k"], found["strong.twice"]) == (1, 5, 10)


def test_expressions_reach_through_replacements_and_arrays() -> None:
    class Bank(tg.Component):
        k = tg.parameter(3.0, "N.m/A")
        base = tg.parameter([1.0, 2.0, 3.0], "1")
        same = Leaf.array(3, k=2 * k)
        each = Leaf.array(3, k=base * k)
        numbers = Leaf.array(3, k=[7.0, 8.0, 9.0])
        m = Middle(c=Leaf(k=10 * k))

    found = values(Bank(k=2.0))
    assert [found[f"same[{j}].k"] for j in range(3)] == [4, 4, 4]
    assert [found[f"each[{j}].k"] for j in range(3)] == [2, 4, 6]
    assert [found[f"each[{j}].twice"] for j in range(3)] == [4, 8, 12]
    assert [found[f"numbers[{j}].k"] for j in range(3)] == [7, 8, 9]
    assert found["m.c.k"] == 20


class Module(tg.Component):
    """An inner array whose numbers come from a parameter of the module, from an element of one, and from a list."""

    J0 = tg.parameter(1.0, "kg.m2")
    pair = tg.parameter([3.0, 4.0], "kg.m2")
    cells = Inertia.array(2, J=J0)
    others = Inertia.array(2, J=2 * pair[1])
    listed = Inertia.array(2, J=[6.0, 7.0])
    by_pair = Inertia.array(2, J=pair)


@pytest.mark.parametrize("touched", [False, True])
def test_looking_into_arrays_of_arrays_changes_no_value(touched: bool) -> None:
    class Rack(tg.Component):
        modules = Module.array(2, J0=[1.0, 5.0])
        wide = Module.array(3, J0=[7.0, 8.0, 9.0])
        x = tg.variable()

        def equations(self) -> Any:
            parts = ("cells", "others", "listed", "by_pair")
            seen = [getattr(m, part).w for m in (self.modules, self.wide) for part in parts]
            yield self.x == (sum(tg.sum(w) for w in seen) if touched else 1)

    model = Rack()
    if touched:
        _ = model.modules.cells.w, model.wide[1].by_pair[0].w
        model.modules.others.w.start = 1.0
    found = values(model)
    for name, J0 in (("modules", [1, 5]), ("wide", [7, 8, 9])):
        for i, j0 in enumerate(J0):
            for j in range(2):
                where = f"{name}[{i}].{{}}[{j}].J".format
                got = [found[where(part)] for part in ("cells", "others", "listed", "by_pair")]
                assert got == [j0, 8, 6 + j, 3 + j], (name, i, j)


def test_elements_and_sums_of_array_parameters_in_a_class_body() -> None:
    class Body(tg.Component):
        n = tg.parameter(3, structural=True)
        a = tg.parameter([1.0, 2.0, 4.0])
        m = tg.parameter([[1.0, 2.0], [3.0, 5.0]])
        last = tg.parameter(a[-1] + m[1, 0])
        total = tg.parameter(tg.sum(a[1:]))
        many = tg.parameter(a[1], shape=n)
        x0 = tg.parameter(2.0, shape=n)
        x = tg.variable(shape=n, start=2 * x0)

        def equations(self) -> Any:
            yield tg.der(self.x) == 0

    found = values(Body())
    assert (found["last"], found["total"]) == (7, 6)
    assert [found[f"many[{k}]"] for k in range(3)] == [2, 2, 2]
    assert column(Body(), "start") == {f"x[{k}]": 4 for k in range(3)}
    assert column(Body(x0=[1.0, 2.0, 3.0]), "start") == {f"x[{k}]": 2 * (k + 1) for k in range(3)}
    assert values(Body(a=[1.0, 2.0, 9.0]))["last"] == 12


def test_a_class_body_may_compute_with_members_of_its_parts() -> None:
    class Train(tg.Component):
        a = Inertia(J=3.0)
        pack = Inertia.array(2, J=[1.0, 2.0])
        b = Inertia(J=2 * a.J + pack.J[1], w=tg.variable(start=a.w.start))
        deep = Middle()
        c = Leaf(k=deep.a.twice)

    class Other(Train):
        a = Inertia(J=7.0)

    class Two(tg.Component):
        x = Train()
        y = Other()
        z = Train(a=Inertia(J=10.0))

    assert values(Train())["b.J"] == 8
    assert values(Train())["c.k"] == 20
    train = Train()
    train.a.J = 5.0
    train.deep.k = 1.0
    assert (values(train)["b.J"], values(train)["c.k"]) == (12, 2)
    found = values(Two())
    assert (found["x.b.J"], found["y.b.J"], found["z.b.J"]) == (8, 16, 22)


def test_lists_of_expressions() -> None:
    class Block(tg.Component):
        s = tg.parameter(2.0)
        own = tg.parameter([s, 2 * s, 1.0])
        K = tg.parameter([[1.0, 2.0], [3.0, 4.0]])

    class Rig(tg.Component):
        s = tg.parameter(5.0)
        a = Block(K=[[s, 0.0], [0.0, 2 * s]])
        b = Block.array(2, K=[[[1.0, 0.0], [0.0, 1.0]], [[5.0, 6.0], [7.0, 8.0]]])
        c = Block.array(2, K=3.0, s=[s, s + 1])

    found = values(Rig())
    assert [found[f"a.K[{i},{j}]"] for i in range(2) for j in range(2)] == [5, 0, 0, 10]
    assert [found[f"a.own[{k}]"] for k in range(3)] == [2, 4, 1]
    assert (found["b[1].K[0,1]"], found["b[0].K[0,1]"], found["c[1].K[1,0]"]) == (6, 0, 3)
    assert (found["c[0].own[1]"], found["c[1].own[1]"]) == (10, 12)


@pytest.mark.parametrize("late", [lambda k: k * tg.time, tg.pre, lambda k: tg.where(tg.initial(), k, 0)])
def test_parameters_cannot_depend_on_what_happens_later(late: Any) -> None:
    class Late(tg.Component):
        k = tg.parameter(1.0)
        late_k = tg.parameter(late(k))

    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(Late())
    assert caught.value.code == "E152"


def test_a_plain_number_does_not_hide_a_parameter() -> None:
    with pytest.raises(tg.LanguageError) as caught:

        class Strong(Resistor):
            R = 5.0

    assert caught.value.code == "E106"


# -- units ------------------------------------------------------------------------------------------------------------
class Units(tg.Component):
    R = tg.parameter(1.0, "ohm")
    L = tg.parameter(4.8, "mH")
    T = tg.parameter(20.0, "degC")
    dT = tg.parameter(5.0, "K")
    n = tg.parameter(60.0, "rpm")
    J = tg.parameter(1.0, "kg.m2")
    p = tg.parameter("1 bar", "Pa")
    free = tg.parameter("3 km")
    ratio = tg.parameter("5 percent", "1")


def test_declared_units_and_texts() -> None:
    found = values(Units(R="2.2 kohm", J="3 g.m2"))
    expected = {"R": 2200, "L": 4.8e-3, "T": 293.15, "dT": 5, "n": 2 * np.pi, "J": 3e-3, "p": 1e5, "free": 3000}
    for name, value in {**expected, "ratio": 0.05}.items():
        assert found[name] == pytest.approx(value, rel=1e-12), name


def test_numbers_are_in_the_declared_unit_and_texts_in_their_own() -> None:
    found = values(Units(L=2.0, T="300 K", n="1 rad/s"))
    assert found["L"] == pytest.approx(2e-3)
    assert found["T"] == pytest.approx(300)
    assert found["n"] == pytest.approx(1)
    assert values(Units(L="2 uH", T=0.0, R="1e3 ohm"))["L"] == pytest.approx(2e-6)
    assert values(Units(T=0.0))["T"] == pytest.approx(273.15)


def test_units_of_arrays_and_expressions() -> None:
    class Cells(tg.Component):
        L = tg.parameter(1.0, "mH")
        u = Units.array(2, L=[1.0, 3.0], T=[0.0, 10.0])
        v = Units(L=2 * L)

    found = values(Cells())
    assert (found["u[0].L"], found["u[1].L"]) == (pytest.approx(1e-3), pytest.approx(3e-3))
    assert (found["u[0].T"], found["u[1].T"]) == (pytest.approx(273.15), pytest.approx(283.15))
    assert found["v.L"] == pytest.approx(2e-3), "expressions compute in SI"


@pytest.mark.parametrize("wrong", ["5 V", "5 s", "ohm", "five"])
def test_wrong_texts_are_refused(wrong: str) -> None:
    with pytest.raises(tg.LanguageError) as caught:
        tg.flatten(Units(R=wrong))
    assert caught.value.code == "E121"


# -- attributes of variables ------------------------------------------------------------------------------------------
class State(tg.Component):
    T = tg.variable("degC", start=20.0, nominal=300.0, min=-50.0)
    x0 = tg.parameter(2.0, "m")
    x = tg.variable("m", start=3 * x0, fixed=True)

    def equations(self) -> Any:
        yield tg.der(self.T) == 0
        yield tg.der(self.x) == 0


class Holder(tg.Component):
    q = tg.parameter(8.0, "m")
    plain = State()
    number = State(x=tg.variable(start=5.0), T=tg.variable(start=30.0, fixed=True))
    text = State(x=tg.variable(start="7 cm"), T=tg.variable(start="300 K"))
    expression = State(x=tg.variable(start=q / 2))
    unit = State(x=tg.variable("mm", start=9.0))


def test_start_values_by_number_text_expression_and_unit() -> None:
    starts = column(Holder(), "start")
    assert starts["plain.x"] == 6
    assert starts["number.x"] == 5
    assert starts["text.x"] == pytest.approx(0.07)
    assert starts["expression.x"] == 4
    assert starts["unit.x"] == pytest.approx(9e-3)
    assert starts["plain.T"] == pytest.approx(293.15)
    assert starts["number.T"] == pytest.approx(303.15)
    assert starts["text.T"] == pytest.approx(300)


def test_fixed_nominal_min() -> None:
    fixed = column(Holder(), "fixed")
    assert {name for name, flag in fixed.items() if flag == 1} == {
        *(f"{part}.x" for part in ("plain", "number", "text", "expression", "unit")),
        "number.T",
    }
    assert column(Holder(), "min")["plain.T"] == pytest.approx(223.15)
    assert column(Holder(), "nominal")["plain.T"] == pytest.approx(573.15)


def test_attributes_set_on_an_instance_win() -> None:
    model = Holder()
    model.expression.x.start = 11.0
    model.plain.x.start = "1 km"
    model.plain.x.fixed = False
    model.plain.T.nominal = 0.0
    starts = column(model, "start")
    assert (starts["expression.x"], starts["plain.x"]) == (11, 1000)
    assert column(model, "fixed")["plain.x"] == 0
    assert column(model, "nominal")["plain.T"] == pytest.approx(273.15)
    assert model.plain.x.start == "1 km"
    assert model.number.x.start == 5.0
    assert column(Holder(), "start")["plain.x"] == 6


def test_start_values_of_ports_and_arrays() -> None:
    class Net(tg.Component):
        r = Resistor.array(3, v=tg.variable(start=[1.0, 2.0, 3.0]))
        g = Ground()

        def connections(self) -> Any:
            yield self.r.p, self.g.p

    model = Net()
    model.g.p.i.start = 4.0
    starts = column(model, "start")
    assert [starts[f"r[{k}].v"] for k in range(3)] == [1, 2, 3]
    assert starts["g.p.i"] == 4


# -- no leaks ---------------------------------------------------------------------------------------------------------
class Cell(tg.Component):
    R = tg.parameter(2.0, "ohm")
    p = Pin()
    n = Pin()
    r = Resistor(R=R)
    c = Capacitor(C=3.0)

    def connections(self) -> Any:
        yield self.p, self.r.p
        yield self.r.n, self.c.p
        yield self.c.n, self.n


class Pack(tg.Component):
    a = Cell()
    b = Cell(R=5.0)
    c = Cell()
    d = Cell.array(2)
    g = Ground()

    def connections(self) -> Any:
        yield self.a.p, self.b.p, self.c.p, self.d.p, self.g.p


DEFAULT = {
    **{f"{x}.R": 2.0 for x in ("a", "c", "d[0]", "d[1]")},
    **{f"{x}.r.R": 2.0 for x in ("a", "c", "d[0]", "d[1]")},
    **{f"{x}.c.C": 3.0 for x in ("a", "b", "c", "d[0]", "d[1]")},
    **{"b.R": 5.0, "b.r.R": 5.0},
}


def test_default_pack() -> None:
    assert values(Pack()) == DEFAULT


def test_values_of_one_instance_stay_there() -> None:
    first, second, third = Pack(), Pack(), Pack(a=Cell(R=9.0), c=Cell(c=Capacitor()))
    first.a.R = 7.0
    first.d.R = [1.5, 2.5]
    first.b.c.C = 0.5
    _ = first.c.r.v, third.b.r  # touched, nothing given
    changed = {"a.R": 7.0, "a.r.R": 7.0, "b.c.C": 0.5}
    changed |= {"d[0].R": 1.5, "d[1].R": 2.5, "d[0].r.R": 1.5, "d[1].r.R": 2.5}
    for _ in range(2):  # flattening leaves no traces
        assert values(first) == {**DEFAULT, **changed}
        assert values(second) == DEFAULT
        assert values(third) == {**DEFAULT, "a.R": 9.0, "a.r.R": 9.0, "c.c.C": 1.0}
        assert values(Pack()) == DEFAULT
    assert traced(first) == traced(second) == traced(Pack())


def test_a_replacement_inherits_nothing_from_what_it_replaces() -> None:
    class Rig(tg.Component):
        J = tg.parameter(4.0, "kg.m2")
        a = Inertia(J=3.0)
        b = Inertia(J=2 * J)
        c = Inertia(J=5.0, w=tg.variable(start=6.0))

    model = Rig(a=Inertia(), b=Inertia(), c=Inertia(J=7.0))
    assert values(model) == {"J": 4, "a.J": 1, "b.J": 1, "c.J": 7}
    assert column(model, "start")["c.w"] == 0
    assert values(Rig()) == {"J": 4, "a.J": 3, "b.J": 8, "c.J": 5}

    class Plant(tg.Component):
        x = Rig(a=Inertia())
        y = Rig()
        y.b.J = 9.0
        z = Rig()

    expected = {f"{name}.{k}": v for name in "xyz" for k, v in values(Rig()).items()}
    assert values(Plant()) == {**expected, "x.a.J": 1.0, "y.b.J": 9.0}
    plant = Plant()
    plant.y.b = Inertia()
    assert values(plant) == {**expected, "x.a.J": 1.0, "y.b.J": 1.0}, "the 9 was given to another component"
    plant = Plant()
    plant.x.a = Inertia(J=2.5)
    assert values(plant)["x.a.J"] == 2.5


def test_a_touched_model_keeps_declared_expressions() -> None:
    class RC(tg.Component):
        R = tg.parameter(10.0, "ohm")
        s = Battery()
        r = Resistor(R=2 * R)
        g = Ground()

        def connections(self) -> Any:
            yield self.s.p, self.r.p
            yield self.s.n, self.r.n, self.g.p

    model = RC(R=3.0)
    model.r.v.start = 1.0
    assert values(model)["r.R"] == 6
    model.r.R = 1.0
    assert values(model)["r.R"] == 1

    class Nest(tg.Component):
        x = RC(R=4.0)

    nest = Nest()
    nest.x.r.v.start = 2.0
    assert values(nest)["x.r.R"] == 8
    nest.x.R = 5.0
    assert values(nest)["x.r.R"] == 10


def test_reshaping_one_instance_keeps_its_declared_values() -> None:
    """A structural change makes another shape; numbers and expressions of the declaration hold for it all the same."""

    class Rod(tg.Component):
        n = tg.parameter(2, structural=True)
        k = tg.parameter(1.0)
        T = tg.variable(shape=n, start=300.0)

        def equations(self) -> Any:
            yield tg.der(self.T) == self.k

    class Rig(tg.Component):
        q = tg.parameter(3.0)
        a = Rod(k=2 * q)
        b = Rod(k=5.0)

    rig = Rig()
    rig.a.n = 4
    rig.b.n = 3
    assert values(rig) == {"q": 3, "a.k": 6, "b.k": 5}
    assert len(names(rig)) == 7
    assert len(names(Rig())) == 4

    class Plant(tg.Component):
        p = tg.parameter(7.0)
        rig = Rig(q=p)
        rig.a.n = 3

    plant = Plant()
    plant.rig.b.n = 5
    assert values(plant) == {"p": 7, "rig.q": 7, "rig.a.k": 14, "rig.b.k": 5}
    assert len(names(plant)) == 8


def test_random_overrides_never_leak() -> None:
    """Many instances with random touched members, alone, in lists and nested, against a plain dictionary."""
    random = np.random.default_rng(5)
    for _ in range(15):
        system = tg.System("many")
        expected: dict[str, float] = {}
        for k in range(6):
            pack = Pack()
            want = dict(DEFAULT)
            for name in ("a", "b", "c"):
                cell = getattr(pack, name)
                choice = random.integers(6)
                value = float(random.integers(10, 99))
                if choice == 0:
                    cell.R = value
                    want |= {f"{name}.R": value, f"{name}.r.R": value}
                elif choice == 1:
                    cell.r.R = value
                    want[f"{name}.r.R"] = value
                elif choice == 2:
                    setattr(pack, name, Cell(c=Capacitor(C=value)))
                    want |= {f"{name}.R": 2.0, f"{name}.r.R": 2.0, f"{name}.c.C": value}
                elif choice == 3:
                    cell.c = Capacitor()
                    want[f"{name}.c.C"] = 1.0
                elif choice == 4:
                    _ = cell.r.v
            system.add(**{f"k{k}": pack})
            expected |= {f"k{k}.{name}": value for name, value in want.items()}
        assert values(system) == expected
        assert values(Pack()) == DEFAULT


def test_parameters_of_classes_are_not_shared_by_siblings_of_a_class_body() -> None:
    class Two(tg.Component):
        a = Pack()
        b = Pack()
        a.a.R = 1.0
        a.d.R = [3.0, 4.0]

    found = values(Two())
    assert (found["a.a.R"], found["b.a.R"], found["a.d[1].r.R"], found["b.d[1].r.R"]) == (1, 2, 4, 2)


def test_statements_use_the_values_of_their_own_instance() -> None:
    assert "b.r.v == b.r.R*b.r.i" in statements(Pack())


def test_a_modifier_may_prefer_a_state_and_fix_some_elements() -> None:
    class Part(tg.Component):
        x = tg.variable(shape=2, start=1.0)

        def equations(self) -> Any:
            yield tg.der(self.x) == -self.x

    class Top(tg.Component):
        a = Part(x=tg.variable(state="avoid", fixed=[True, False]))

    flat = tg.flatten(Top())
    assert flat.variables.column("state", 0.0).tolist() == [-5.0, -5.0]
    assert flat.variables.column("fixed").tolist() == [1.0, 0.0]


def test_a_path_configures_from_the_constructor() -> None:
    class Part(tg.Component):
        k = tg.parameter(1.0, "V")

    class Middle(tg.Component):
        part = Part()

    class Top(tg.Component):
        middle = Middle()

    assert values(Top(**{"middle.part.k": "7 mV"})) == {"middle.part.k": 0.007}
    with pytest.raises(tg.LanguageError, match="E100"):
        Top(**{"middle.prat.k": 1.0})


def test_the_sine_of_time_needs_no_ceremony() -> None:
    class Wave(tg.Component):
        x = tg.variable("m")
        y = tg.variable("m")

        def equations(self) -> Any:
            yield self.x == tg.sin(tg.time)
            yield self.y == tg.sin(self.x)

    with pytest.raises(tg.LanguageError, match=r"(?s)E160.*'x' has the dimension"):
        tg.flatten(Wave())


# -- values that build() gives to its own component -------------------------------------------------------------------
class Dropped(tg.Component):
    n = tg.parameter(3, structural=True)
    height = tg.parameter(1.0, "m")
    g = tg.parameter(1.0)
    h = tg.variable("m", fixed=True)
    n_started = tg.variable(fixed=True)

    def build(self) -> None:
        self.h.start = self.height
        self.n_started.start = float(self.n)
        self.g = 2.0 * self.n

    def equations(self) -> Any:
        yield tg.der(self.h) == -self.g
        yield tg.der(self.n_started) == 0


class Dropping(tg.Component):
    single = Dropped(height=2.0)
    several = Dropped.array(2, height=[3.0, 4.0])
    asked = Dropped(h=tg.variable(start=9.0), g=7.0, n=5)


def test_build_gives_start_values_and_parameters_wherever_the_component_stands() -> None:
    starts, g = column(Dropping(), "start"), tg.flatten(Dropping()).parameters.column("value")
    assert [starts[f"{part}.h"] for part in ("single", "several[0]", "several[1]", "asked")] == [2, 3, 4, 9]
    assert [starts[f"{part}.n_started"] for part in ("single", "several[1]", "asked")] == [3, 3, 5]
    names = list(tg.flatten(Dropping()).parameters.names())
    assert [g[names.index(f"{part}.g")] for part in ("single", "several[0]", "asked")] == [6, 6, 7]
    alone = Dropped(height=5.0)
    assert column(alone, "start") == {"h": 5, "n_started": 3}
    assert tg.simulate(alone, stop=1.0)["h"][-1] == pytest.approx(-1.0, abs=1e-9)


def test_what_the_user_gives_wins_over_what_build_gives() -> None:
    alone = Dropped(h=tg.variable(start=9.0))
    assert column(alone, "start")["h"] == 9
    alone.n_started.start = 11.0
    assert column(alone, "start")["n_started"] == 11
