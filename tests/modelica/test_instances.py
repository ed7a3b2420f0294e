"""Classes to trees of instances: modifications, arrays of components, records, inner and outer, conditions, sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from modelica_texts import views_of
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.instantiate import instantiate
from tellegen.frontends.modelica.instances.removed import Removed
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.values.value import EnumerationValue, is_known


def tree(text: str, name: str) -> Instance:
    """The instances of class `name` of a text."""
    return instantiate(views_of(text).named(name))


def variables(root: Instance) -> dict[str, VariableInstance]:
    return {variable.path: variable for variable in root.all_variables()}


def plain(value: Any) -> Any:
    """A value as nested lists, enumerations by their literal."""
    if isinstance(value, np.ndarray):
        return [plain(element) for element in value]
    return value.name if isinstance(value, EnumerationValue) else value


def numbers(text: str, name: str = "M") -> dict[str, Any]:
    """The values of all parameters and constants of a model."""
    found = variables(tree(text, name))
    return {
        path: plain(variable.known_value("a test"))
        for path, variable in found.items()
        if variable.variability in ("parameter", "constant")
    }


def attributes(text: str, path: str, name: str = "M") -> dict[str, Any]:
    """The attributes of a variable that were written."""
    variable = variables(tree(text, name))[path]
    return {attribute: plain(variable.attribute(attribute)) for attribute in variable.attributes()}


def refusal(text: str, name: str = "M") -> str:
    """The error that a model ends with."""
    with pytest.raises(ModelicaError) as caught:
        read_all(text, name)
    return str(caught.value)


def read_all(text: str, name: str) -> None:
    """Make all instances and read all their values."""
    for variable in tree(text, name).all_variables():
        if variable.variability in ("parameter", "constant"):
            variable.known_value("a test")


# ---------------------------------------------------------------------- modifications


def test_outer_modifiers_win_attribute_by_attribute() -> None:
    text = """
    model A Real x(start=2, fixed=true); end A;
    model M A a(x(start=1)); end M;
    """
    assert attributes(text, "a.x") == {"start": 1, "fixed": True}


def test_modifiers_of_the_specification() -> None:
    text = """
    model C1 parameter Real a = 1; end C1;
    model C2 parameter Real b = 2; parameter Real c = 3; end C2;
    model C3
      parameter Real x1 = 11; parameter Real x2 = 12;
      C1 x3; C2 x4(b = 4);
      C1 x5(a = x3.a);
      extends C1;
      extends C2(b = 6, c = 77);
    end C3;
    model M extends C3(x2 = 22, x3(a = 33), x4(c = 44), a = 55, b = 66); end M;
    """
    expected = {"x1": 11, "x2": 22, "x3.a": 33, "x4.b": 4, "x4.c": 44, "x5.a": 33, "a": 55, "b": 66, "c": 77}
    assert numbers(text) == expected


def test_a_modifier_is_evaluated_where_it_was_written() -> None:
    text = """
    model Resistor parameter Real R = 1; end Resistor;
    model Pair parameter Real R = 5; Resistor r(R = R); end Pair;
    model M parameter Real R = 7; Pair p(R = 2*R); Pair q; end M;
    """
    assert numbers(text) == {"R": 7, "p.R": 14, "p.r.R": 14, "q.R": 5, "q.r.R": 5}


def test_dotted_names_are_nested_modifications() -> None:
    text = """
    model A parameter Real x(unit="1") = 0; parameter Real y = 0; end A;
    model B A a; end B;
    model M B b(a.x = 3, a.x.displayUnit = "mm", a(y = 4)); end M;
    """
    assert numbers(text) == {"b.a.x": 3, "b.a.y": 4}
    assert attributes(text, "b.a.x") == {"unit": "1", "displayUnit": "mm"}


def test_one_element_is_not_modified_twice() -> None:
    text = "model A parameter Real x = 0; end A; model M A a(x = 1, x = 2); end M;"
    assert "E557: x is modified twice" in refusal(text)


def test_unknown_elements_and_attributes_are_refused_with_the_nearest_name() -> None:
    text = "model A parameter Real length = 0; end A; model M A a(lenght = 1); end M;"
    assert "E555: a has no element 'lenght' to modify" in refusal(text)
    assert "length" in refusal(text)
    assert "has no element 'begin'" in refusal("model M Real x(begin = 1); end M;")


def test_final_elements_cannot_be_modified() -> None:
    inner = "model A final parameter Real x = 1; parameter Real y = 0; end A;"
    assert "E556: a.x is final" in refusal(f"{inner} model M A a(x = 2); end M;")
    middle = "model A parameter Real x = 1; end A; model B A a(final x = 3); end B;"
    assert "E556: b.a.x is final" in refusal(f"{middle} model M B b(a(x = 2)); end M;")
    assert numbers(f"{middle} model M B b; end M;") == {"b.a.x": 3}
    of_type = 'type T = Real(final unit = "m"); model M T x(unit = "s"); end M;'
    assert "is final" in refusal(of_type)


def test_protected_elements_are_modified_by_inheritance_only() -> None:
    inner = "model A protected parameter Real x = 1; end A;"
    assert "E556: a.x is protected" in refusal(f"{inner} model M A a(x = 2); end M;")
    assert numbers(f"{inner} model M extends A(x = 2); end M;") == {"x": 2}


def test_break_takes_a_value_away() -> None:
    text = "model A parameter Real x(start = 4) = 1; end A; model M A a(x = break); end M;"
    root = tree(text, "M")
    assert numbers(text) == {"a.x": 4}
    assert any("a.x has no value; its start value is taken" in str(warning) for warning in root.translation.warnings)


def test_parameters_without_value_take_their_start_with_a_warning() -> None:
    root = tree("model M parameter Real R(start = 50); parameter Real C; parameter Integer n; end M;", "M")
    found = variables(root)
    assert found["R"].known_value("a test") == 50
    assert found["C"].known_value("a test") == 0
    told = [warning.message for warning in root.translation.warnings]
    assert told == [
        "the parameter R has no value; its start value is taken",
        "the parameter n has no value; the default of its type is taken",
    ]


# ---------------------------------------------------------------------- redeclaration


def test_a_redeclared_component_keeps_modifiers_of_its_constraint_or_else_of_the_original() -> None:
    text = """
    model R1 parameter Real R = 1; parameter Real T = 0; end R1;
    model R2 extends R1; parameter Real a = 8; end R2;
    model A replaceable R1 r(R = 2) constrainedby R1(R = 3, T = 9); replaceable parameter Real x = 5; end A;
    model M A a(redeclare R2 r(a = 4), redeclare parameter Real x(start = 6)); end M;
    """
    assert numbers(text) == {"a.r.R": 3, "a.r.T": 9, "a.r.a": 4, "a.x": 5}


def test_a_redeclaration_wins_over_modifiers_further_in() -> None:
    text = """
    model R1 parameter Real R = 1; end R1;
    model A replaceable R1 r; end A;
    model B extends A(r(R = 2)); end B;
    model C B b(redeclare R1 r(R = 3)); end C;
    model M C c; C d(b(r(R = 4))); end M;
    """
    assert numbers(text) == {"c.b.r.R": 3, "d.b.r.R": 4}


def test_a_redeclaration_in_the_middle_leaves_nothing_behind() -> None:
    text = """
    model S end S;
    model R1 extends S; parameter Real k = 1; end R1;
    model R2 extends S; parameter Real a = 8; end R2;
    model R3 extends S; parameter Real k = 5; end R3;
    model A replaceable S r; end A;
    model B extends A(redeclare replaceable R1 r(k = 2)); end B;
    model C extends B(redeclare replaceable R2 r(a = 3)); end C;
    model D C c(redeclare R3 r); end D;
    model E replaceable B b constrainedby A; end E;
    model F B one; C two; D three; E four(b(redeclare R3 r)); end F;
    """
    found = numbers(text.replace("model F", "model M").replace("end F", "end M"))
    assert found == {"one.r.k": 2, "two.r.a": 3, "three.c.r.k": 5, "four.b.r.k": 5}


def test_redeclared_elements_of_a_derived_class() -> None:
    text = """
    model R1 parameter Real R = 1; end R1;
    model R2 extends R1(R = 2); parameter Real k = 0; end R2;
    model A replaceable R1 r[2]; end A;
    model M extends A(r(each R = 7)); redeclare R2 r(each k = p); parameter Real p = 5; end M;
    """
    assert numbers(text) == {"r[1].R": 7, "r[1].k": 5, "r[2].R": 7, "r[2].k": 5, "p": 5}


def test_a_redeclared_class_carries_its_modifiers() -> None:
    text = """
    model R1 parameter Real R = 1; end R1;
    model A replaceable model Res = R1; Res r; end A;
    model M A a(redeclare model Res = R1(R = q)); A b; parameter Real q = 6; end M;
    """
    assert numbers(text) == {"a.r.R": 6, "b.r.R": 1, "q": 6}


# ---------------------------------------------------------------------- arrays of components


def test_modifiers_of_arrays_of_components_are_split_at_every_level() -> None:
    text = """
    model C parameter Real a[3] = {0, 0, 0}; parameter Real d = 0; end C;
    model B C c[2](each a = {1, 2, 3}, d = {1, 2}); parameter Real p = 0; end B;
    model M
      B b[2](each c(each a = {4, 5, 6}, d = {7, 8}), p = {1, 2});
      B e[2](c(each a = {1, 1, 1}, d = fill({3, 4}, 2)));
      B f(each c.a = {9, 9, 9});
    end M;
    """
    found = numbers(text)
    for k in (1, 2):
        assert found[f"b[{k}].p"] == k
        for i in (1, 2):
            assert found[f"b[{k}].c[{i}].a"] == [4, 5, 6]
            assert found[f"b[{k}].c[{i}].d"] == 6 + i
            assert found[f"e[{k}].c[{i}].d"] == 2 + i
            assert found[f"f.c[{i}].a"] == [9, 9, 9]
            assert found[f"f.c[{i}].d"] == i


def test_a_forgotten_each_is_accepted_with_a_warning() -> None:
    text = """
    model C parameter Real a[2] = {0, 0}; parameter Real d = 0; end C;
    model M C c[3](d = 4, a = {1, 2}); end M;
    """
    assert numbers(text)["c[3].d"] == 4
    assert numbers(text)["c[2].a"] == [1, 2]
    warnings = tree(text, "M").translation.warnings
    assert warnings == [] or all("without `each`" in str(warning) for warning in warnings)


def test_too_few_values_for_an_array_of_components_are_refused() -> None:
    text = "model C parameter Real d = 0; end C; model M C c[3](d = {1, 2}); end M;"
    assert "E561" in refusal(text)


def test_two_dimensions_and_starts_of_arrays() -> None:
    text = """
    model C Real x[2](start = {1, 2}); parameter Real d = 0; end C;
    model M C c[2,2](d = [1, 2; 3, 4], x(start = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})); end M;
    """
    assert numbers(text) == {"c[1,1].d": 1, "c[1,2].d": 2, "c[2,1].d": 3, "c[2,2].d": 4}
    assert attributes(text, "c[2,1].x") == {"start": [5, 6]}


# ---------------------------------------------------------------------- sizes


def test_sizes_follow_from_values_parameters_and_types() -> None:
    text = """
    model M
      type Direction = enumeration(left, right, up);
      parameter Integer n = size(table, 1) - 1;
      Real x[n];
      parameter Real table[:, 2] = [0, 1; 2, 3; 4, 5];
      Real y[Boolean, Direction];
      parameter Real none[:] = zeros(0);
      parameter Real also_none[0, 2] = fill(0.0, 0, 2);
    end M;
    """
    shapes = {path: variable.shape for path, variable in variables(tree(text, "M")).items()}
    assert shapes == {"n": (), "x": (2,), "table": (3, 2), "y": (2, 3), "none": (0,), "also_none": (0, 2)}


def test_short_classes_with_dimensions() -> None:
    text = """
    type Vector = Real[3](each unit = "m");
    model M Vector v[2]; Vector[4] w; end M;
    """
    found = variables(tree(text, "M"))
    assert found["v"].shape == (2, 3)
    assert found["w"].shape == (4, 3)
    assert plain(found["w"].attribute("unit"))[0] == ["m", "m", "m"]


def test_wrong_sizes_and_types_are_refused() -> None:
    assert "E563" in refusal("model M parameter Real x[2] = {1, 2, 3}; constant Real y = x[1]; end M;")
    assert "E563: Integer n cannot take the number 1.5" in refusal("model M parameter Integer n = 1.5; end M;")
    assert 'E563: Boolean b cannot take the String "a"' in refusal('model M parameter Boolean b = "a"; end M;')
    assert "E561: the size of x is left open" in refusal("model M parameter Real x[:]; end M;")
    assert "E561: the size of x is" in refusal("model M Real x[-1]; end M;")


def test_what_depends_on_itself_is_named() -> None:
    assert "E558" in refusal("model M parameter Integer n = m; parameter Integer m = n + 1; end M;")
    assert "x -> y -> x" in refusal("model M Real x[size(y, 1)]; Real y[size(x, 1)]; end M;")


# ---------------------------------------------------------------------- records


RECORDS = """
record Data parameter Real R = 1; parameter Real L = 2; parameter Real k[2] = {1, 2}; end Data;
record Special extends Data(R = 10, L = 20); end Special;
model Use parameter Data data; end Use;
"""


def test_the_value_of_a_record_spreads_over_its_fields() -> None:
    text = RECORDS + "model M parameter Data own(R = 5); Use u(data = own); Use v(data = Data(L = 7)); end M;"
    found = numbers(text)
    assert {path: found[path] for path in ("u.data.R", "u.data.L", "u.data.k")} == {
        "u.data.R": 5,
        "u.data.L": 2,
        "u.data.k": [1, 2],
    }
    assert (found["v.data.R"], found["v.data.L"]) == (1, 7)


def test_a_modifier_of_a_field_wins_only_if_it_is_further_out() -> None:
    text = (
        RECORDS
        + """
    model Inner Use u(data(R = 3)); end Inner;
    model Whole Use u(data = Special()); end Whole;
    model M Inner i(u(data = Special())); Whole w(u(data(R = 4))); end M;
    """
    )
    found = numbers(text)
    assert (found["i.u.data.R"], found["i.u.data.L"]) == (10, 20)
    assert (found["w.u.data.R"], found["w.u.data.L"]) == (4, 20)


def test_arrays_of_records() -> None:
    text = (
        RECORDS
        + """
    model M
      parameter Data all[2] = {Data(R = 3), Data(R = 4)};
      Use u[2](data = all);
      Use each_same[2](each data = all[2]);
      parameter Data open[:] = all;
      parameter Real sum_of_R = sum(all.R);
    end M;
    """
    )
    found = numbers(text)
    assert [found["u[1].data.R"], found["u[2].data.R"]] == [3, 4]
    assert [found["each_same[1].data.R"], found["each_same[2].data.R"]] == [4, 4]
    assert found["open[2].R"] == 4
    assert found["sum_of_R"] == 7


def test_prefixes_of_a_record_hold_for_its_fields() -> None:
    text = """
    record Pair Real re; Real im; end Pair;
    connector Pin Pair v; flow Pair i; end Pin;
    connector PairInput = input Pair;
    model M Pin p; parameter Pair c(re = 1, im = 2); PairInput u; constant Pair k(re = 3, im = 4); end M;
    """
    found = variables(tree(text, "M"))
    assert found["p.i.re"].prefixes == ("flow",)
    assert found["p.v.re"].prefixes == ()
    assert found["u.im"].prefixes == ("input",)
    assert found["c.re"].variability == "parameter"
    assert found["k.im"].variability == "constant"


def test_final_fields_of_a_record_follow_from_the_others() -> None:
    text = """
    record Data parameter Real a = 1; final parameter Real b = 2*a; end Data;
    model M parameter Data x(a = 5); parameter Data y = x; end M;
    """
    assert numbers(text) == {"x.a": 5, "x.b": 10, "y.a": 5, "y.b": 10}


# ---------------------------------------------------------------------- conditions, inner and outer


def test_a_component_whose_condition_is_false_vanishes() -> None:
    text = """
    model A parameter Real k = 1; end A;
    model M parameter Boolean use = false; A a if use; A b if not use; end M;
    """
    root = tree(text, "M")
    assert sorted(variables(root)) == ["b.k", "use"]
    assert isinstance(root.element("a"), Removed)


def test_the_use_of_a_removed_component_is_an_error() -> None:
    text = """
    model A parameter Real k = 1; end A;
    model M A a if false; parameter Real k = a.k; end M;
    """
    with pytest.raises(ModelicaError, match=r"E559: a.k is used, but the condition of this component"):
        variables(tree(text, "M"))["k"].known_value("a test")


WORLD = """
model World parameter Real g = 9.81; end World;
model Body outer World world; parameter Real weight = world.g; end Body;
model Arm Body body; end Arm;
"""


def test_outer_finds_the_nearest_inner() -> None:
    text = (
        WORLD
        + """
    model Moon inner World world(g = 1.6); Arm arm; end Moon;
    model M inner World world(g = 9.8); Arm arm; Moon moon; end M;
    """
    )
    found = numbers(text)
    assert found["arm.body.weight"] == 9.8
    assert found["moon.arm.body.weight"] == 1.6
    assert "arm.body.world.g" not in found


def test_a_missing_inner_is_added_with_a_warning() -> None:
    root = tree(WORLD + "model M Arm arm; Arm other; end M;", "M")
    found = variables(root)
    assert found["arm.body.weight"].known_value("a test") == 9.81
    assert "world.g" in found
    assert ["no inner element 'world' is declared" in str(warning) for warning in root.translation.warnings] == [True]


def test_inner_outer_refers_outwards_and_serves_inwards() -> None:
    text = """
    model Leaf outer parameter Real x; parameter Real seen = x; end Leaf;
    model Middle inner outer parameter Real x = 10 + x; Leaf leaf; parameter Real own = x; end Middle;
    model M inner parameter Real x = 1; Middle m; end M;
    """
    found = numbers(text)
    assert (found["x"], found["m.x"], found["m.leaf.seen"], found["m.own"]) == (1, 11, 11, 1)


def test_an_outer_element_cannot_be_modified() -> None:
    text = WORLD + "model M inner World world; Body b(world(g = 3)); end M;"
    assert "E556: b.world is an outer element" in refusal(text)


# ---------------------------------------------------------------------- values


def test_real_parameters_are_symbols_and_others_plain_values() -> None:
    text = """
    model M
      type E = enumeration(a, b);
      parameter Real x = 2; parameter Integer n = 3; parameter Boolean b = n > 2; parameter String s = "a" + "b";
      parameter E e = E.b; parameter Real y = 2*x annotation(Evaluate = true); constant Real c = 3*2;
      parameter Real z(fixed = false); parameter Integer m = integer(x + 0.5);
    end M;
    """
    root = tree(text, "M")
    found = variables(root)
    assert [plain(found[name].value()) for name in ("n", "b", "s", "e", "y", "c", "m")] == [3, True, "ab", "b", 4, 6, 2]
    assert not is_known(found["x"].value())
    assert found["z"].variability == "initial_parameter"
    reasons = {root.translation.variable_of(number)[0].path for number in root.translation.structural}
    assert {"x", "n", "b", "e", "y", "m"} <= reasons


def test_what_follows_from_an_unknown_of_the_initialization_is_one() -> None:
    text = """
    model M
      parameter Integer seed(fixed = false); parameter Integer n = 2*k; parameter Integer k = seed + 1;
      parameter Boolean b = x > 0; parameter Real x = y; parameter Real y(fixed = false); parameter Integer m = 3;
    end M;
    """
    found = variables(tree(text, "M"))
    free = [name for name, variable in found.items() if variable.variability == "initial_parameter"]
    assert free == ["seed", "n", "k", "b", "y"]
    assert found["x"].is_free()
    assert found["m"].value() == 3


def test_a_function_found_in_a_component_uses_the_parameters_of_that_component() -> None:
    text = """
    function scaled input Real u; input Real k; output Real y; algorithm y := k*u; end scaled;
    model World parameter Real k = 1; function pull = scaled(k = k); end World;
    model Body outer World world; parameter Integer n = integer(world.pull(2.0) + 0.5); end Body;
    model M inner World world(k = 5); Body b; end M;
    """
    assert numbers(text)["b.n"] == 10


def test_parameters_are_not_named_through_a_class() -> None:
    text = "model A parameter Real k = 1; end A; model M parameter Real x = A.k; end M;"
    assert "E576: A.k is not a constant" in refusal(text)


def test_levels_of_start_values() -> None:
    text = """
    type T = Real(start = 5);
    model A Real x(start = 1); T y; Real z(start = 3); end A;
    model B A a(x(start = 2)); end B;
    model M B b(a(z(start = 4))); end M;
    """
    found = variables(tree(text, "M"))
    levels = {name: found[f"b.a.{name}"].attributes()["start"].level for name in "xyz"}
    assert levels["z"] == 0
    assert levels["x"] == 1
    assert levels["y"] > 1000


def test_partial_classes_are_not_instantiated() -> None:
    assert "E562: a is of the partial class A" in refusal("partial model A end A; model M A a; end M;")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("model M Real Real; end M;", "'Real' is the name of a predefined type"),
        ("record R Real x; equation x = 1; end R; model M R r; end M;", "has equations or algorithms"),
        ("record R flow Real x; end R; model M R r; end M;", "'x' of a record is declared flow"),
        ("record R protected Real x; end R; model M R r; end M;", "'x' of a record is protected"),
        ("connector C outer Real x; end C; model M C c; end M;", "'x' of a connector is inner or outer"),
        ("model A Real x; end A; model M parameter A a; end M;", "'a' is declared parameter, but is a model"),
        ("connector I = input Real; model M output I i; end M;", "'i' is declared output and input"),
        (
            "connector C flow Real f; end C; model M flow C c; end M;",
            "'f' is declared flow in a component that is flow",
        ),
        ("model M flow Integer n; end M;", "'n' is declared flow or stream and is not Real"),
        (
            "model S Real u; end S; model T end T; model A replaceable S s; end A; model M A a(redeclare T s); end M;",
            "'s' cannot be declared as T: it lacks 'u' of S",
        ),
    ],
)
def test_what_declarations_may_not_say(text: str, reason: str) -> None:
    found = refusal(text)
    assert found.startswith("E562: ")
    assert reason in found


def test_an_inner_element_of_another_type_is_refused() -> None:
    text = "model A outer Integer n; end A; model M inner Real n; A a; end M;"
    assert "E560: a.n is outer, and the inner element 'n' has another type" in refusal(text)


def test_protected_elements_are_not_named_from_outside() -> None:
    text = "model A protected parameter Real k = 1; end A; model M A a; parameter Real x = a.k; end M;"
    assert "E556: a.k is protected and cannot be named from outside" in refusal(text)


def test_parameters_that_depend_on_each_other_are_refused() -> None:
    assert "E558" in refusal("model M parameter Real p = 2*q; parameter Real q = p; end M;")


def test_ten_thousand_elements_share_the_value_of_their_modifier() -> None:
    text = """
    model C parameter Real d = 0; Real x; end C;
    model M C c[2000](d = {sqrt(i) for i in 1:2000}); end M;
    """
    found = numbers(text)
    assert found["c[1600].d"] == pytest.approx(40.0, rel=1e-15)
