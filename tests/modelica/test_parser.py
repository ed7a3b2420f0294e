"""Modelica text to its syntax tree: every construct of the grammar, mistakes with their place, limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.syntax.annotations import annotation_of, annotation_value, whole_annotation_of
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Component, Extends, Import
from tellegen.frontends.modelica.syntax.expressions import (
    Binary,
    Call,
    Comprehension,
    FieldAccess,
    IfExpression,
    Number,
    Range,
    Reference,
    Subscripted,
    Text,
    TupleExpression,
    Unary,
)
from tellegen.frontends.modelica.syntax.parser import parse, parse_expression, parse_text
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.frontends.modelica.syntax.statements import Assignment, MultipleAssignment, SimpleEquation
from waiting import costs_at_most


def only(text: str) -> ClassDefinition:
    """The one class of a text."""
    (definition,) = parse_text(text).classes
    return definition


def expression(text: str) -> object:
    return parse_expression(SourceFile("<expression>", text))


def component(text: str) -> Component:
    """The one component of `model M <text>; end M;`."""
    (found,) = only(f"model M {text}; end M;").elements
    assert isinstance(found, Component)
    return found


def shape(node: object) -> str:
    """An expression with parentheses around every operation."""
    if isinstance(node, Binary):
        return f"({shape(node.left)} {node.operator} {shape(node.right)})"
    if isinstance(node, Unary):
        return f"({node.operator} {shape(node.operand)})"
    if isinstance(node, Number):
        return str(node.value)
    assert isinstance(node, Reference)
    return str(node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-a*b + c", "((- (a * b)) + c)"),
        ("-a^2", "(- (a ^ 2))"),
        ("a - b - c", "((a - b) - c)"),
        ("a / b * c", "((a / b) * c)"),
        ("not a == b and c or d", "(((not (a == b)) and c) or d)"),
        ("a < b + 1", "(a < (b + 1))"),
        ("2*(a + .b.c)", "(2 * (a + .b.c))"),
        ("a .* b .^ c .+ d", "((a .* (b .^ c)) .+ d)"),
        ("2.*a", "(2.0 * a)"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert shape(expression(text)) == expected


@pytest.mark.parametrize(
    "text", ["a < b < c", "a^b^c", "a * -b", "a + -b", "f(x=1, y)", "{}", "[]", "f(function g(1))"]
)
def test_what_the_grammar_does_not_have(text: str) -> None:
    with pytest.raises(ModelicaError, match="E540"):
        expression(text)


def test_literals_and_brackets() -> None:
    assert expression("3") == Number(3)
    assert isinstance(expression("3"), Number)
    assert expression("1e3") == Number(1000.0)
    assert expression(".5") == Number(0.5)
    assert expression("5.") == Number(5.0)
    assert expression(r'"a\"b\n\\"') == Text('a"b\n\\')
    assert isinstance(expression("if a then 1 elseif b then 2 else 3"), IfExpression)
    found = expression("a[1:2:end, :].b")
    assert isinstance(found, Reference)
    assert isinstance(found.parts[0].subscripts[0], Range)
    tuple_ = expression("(a, , c)")
    assert isinstance(tuple_, TupleExpression)
    assert tuple_.items[1] is None
    assert isinstance(expression("(a)[1]"), Subscripted)
    assert isinstance(expression("f(x).y"), FieldAccess)


def test_comprehensions_and_reductions_differ() -> None:
    """sum({v for ...}) adds all elements, sum(v for ...) adds vectors."""
    braces, reduction = expression("sum({x for i in 1:3})"), expression("sum(x for i in 1:3, j)")
    assert isinstance(braces, Call)
    assert isinstance(reduction, Call)
    assert isinstance(braces.arguments[0], Comprehension)
    assert braces.arguments[0].braces
    assert isinstance(reduction.arguments[0], Comprehension)
    assert not reduction.arguments[0].braces
    assert reduction.arguments[0].iterators[1].range is None


def test_components() -> None:
    found = component('parameter Real[3] a[n](each start=1, final fixed=true) = b if c "words" + " more"')
    assert (found.name, str(found.type), found.prefixes) == ("a", "Real", ("parameter",))
    assert len(found.type_dimensions) == len(found.dimensions) == 1
    assert found.description == "words more"
    assert found.condition is not None
    assert found.modification is not None
    assert found.modification.value is not None
    assert [argument.each for argument in found.modification.arguments] == [True, False]  # type: ignore[union-attr]
    several = only("model M protected flow Real x, y = 2; end M;").elements
    assert [element.name for element in several] == ["x", "y"]  # type: ignore[union-attr]
    assert not any(element.public for element in several)
    outer = component("inner outer replaceable .A.B 'odd name' constrainedby C(x=1) annotation(Evaluate=true)")
    assert outer.inner
    assert outer.outer
    assert outer.replaceable
    assert outer.type.is_global
    assert outer.constraint is not None
    assert str(outer.constraint.type) == "C"
    assert annotation_value(annotation_of(outer), "Evaluate") is not None


def test_imports_and_bases() -> None:
    elements = only(
        "model M import A.B; import C = A.B; import A.*; import A.{D, E}; extends X(break y); end M;"
    ).elements
    imports = [(".".join(found.name), found.alias) for found in elements if isinstance(found, Import)]
    assert imports == [("A.B", "B"), ("A.B", "C"), ("A", ""), ("A.D", "D"), ("A.E", "E")]
    assert isinstance(elements[-1], Extends)
    assert str(elements[-1].type) == "X"


def test_kinds_of_classes() -> None:
    text = """
    within A.B;
    final encapsulated partial operator record R
      function f = der(g, x, y);
      type E = enumeration(a "first", b);
      type Open = enumeration(:);
      connector In = input Real[2](unit="m");
      redeclare replaceable model extends M(x=1) "words" end M;
      impure function g
        input Real x;
        external "C" y = h(x, 1) annotation(Library="m");
      end g;
    end R;
    """
    stored = parse_text(text)
    (found,) = stored.classes
    assert stored.within == ("A", "B")
    assert found.restriction == "operator record"
    assert found.final
    assert found.encapsulated
    assert found.partial
    derivative, enumeration, open_one, short, extends, function = found.elements
    assert isinstance(derivative, ClassDefinition)
    assert derivative.derivative_of is not None
    assert derivative.derivative_of.variables == ("x", "y")
    assert isinstance(enumeration, ClassDefinition)
    assert enumeration.enumeration is not None
    assert [literal.name for literal in enumeration.enumeration] == ["a", "b"]
    assert isinstance(open_one, ClassDefinition)
    assert open_one.open_enumeration
    assert isinstance(short, ClassDefinition)
    assert short.short is not None
    assert short.short.prefixes == ("input",)
    assert isinstance(extends, ClassDefinition)
    assert extends.extends_inherited
    assert extends.description == "words"
    assert isinstance(function, ClassDefinition)
    assert function.external is not None
    assert (function.external.function, len(function.external.arguments)) == ("h", 2)


def test_equations_and_algorithms() -> None:
    text = """
    model M
    initial equation
      x = 0;
    equation
      x + y = 2 "words" annotation(Icon());
      (a, , c) = f(x);
      connect(p, r[1].n) annotation(Line(points={{0, 0}, {1, 1}}));
      if c then x = 1; elseif d then else y = 2; end if;
      for i in 1:3, j loop when e then reinit(x, 0); elsewhen f then terminate("end"); end when; end for;
      assert(true, "words");
    algorithm
      x := 1;
      (x, , y[2]) := f(x);
      while x < 2 loop if y then break; end if; return; end while;
      for i loop print("x"); end for;
    end M;
    """
    initial, equations, statements = only(text).sections
    assert initial.initial
    assert len(equations.equations) == 6
    assert statements.is_algorithm
    assert isinstance(equations.equations[0], SimpleEquation)
    assert equations.equations[0].description == "words"
    names = [type(found).__name__ for found in equations.equations]
    assert names[2:] == ["ConnectEquation", "IfEquation", "ForEquation", "CallEquation"]
    first, second, *_ = statements.statements
    assert isinstance(first, Assignment)
    assert isinstance(second, MultipleAssignment)
    assert second.targets[1] is None


def test_annotations_are_parsed_when_asked_for() -> None:
    file = SourceFile("<text>", "model M annotation(Icon(graphics={Line()}), experiment(StopTime=2)); end M;")
    (found,) = parse(file).classes
    relevant, whole = annotation_of(found), whole_annotation_of(found, file)
    assert relevant is not None
    assert whole is not None
    assert (len(relevant.arguments), len(whole.arguments)) == (1, 2)
    assert annotation_value(relevant, "experiment", "StopTime") == Number(2)
    assert annotation_value(relevant, "experiment", "Tolerance") is None


def test_locations() -> None:
    file = SourceFile("<text>", "model M /* words\n   here */ Real x;\n  Real y;\nend M;")
    _, second = parse(file).classes[0].elements
    location = file.location(second.token, "M.y")
    assert (location.line, location.column, location.scope) == (3, 8, "M.y")


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("model M\n  Real x\n  Real y;\nend M;", 2, 9, "expected ';', found 'Real'"),
        ("model M\n  Real x;\nend N;", 3, 5, "expected 'M', the name of the class that ends here, found 'N'"),
        ("model M\nequation\n  x = ;\nend M;", 3, 7, "expected an expression, found ';'"),
        ("model M\n  Real if;\nend M;", 2, 8, "expected the name of a component, found 'if'"),
        ('model M "not closed;\nend M;', 1, 9, "the string that begins here is not closed"),
        ("model M /* not closed;\nend M;", 1, 9, "the comment that begins here is not closed"),
        ("model M\n  Real é;\nend M;", 2, 8, "the character 'é' is not part of Modelica"),
        ("model M\n  Real x = 3 $ 4;\nend M;", 2, 14, "the character '$' is not part of Modelica"),
        ("model M", 1, 8, "expected 'end', found the end of the file"),
        ("model M\nalgorithm\n  f(x) := 3;\nend M;", 3, 3, "expected a variable to assign to, found 'f'"),
    ],
)
def test_mistakes_have_their_place(text: str, line: int, column: int, message: str) -> None:
    with pytest.raises(ModelicaError) as caught:
        parse_text(text)
    location = caught.value.location
    assert location is not None
    assert message in caught.value.message
    assert (location.line, location.column) == (line, column)
    assert text.splitlines()[line - 1].strip() in str(caught.value)


def test_all_mistakes_are_reported_at_once() -> None:
    text = "model M\n  Real 1x;\n  Real y;\n  Real z = *;\nequation\n  y = = 2;\n  z = 3;\nend M;"
    with pytest.raises(ModelicaError) as caught:
        parse_text(text)
    assert caught.value.location is not None
    assert caught.value.location.line == 2
    assert len(caught.value.details) == 2
    assert ":4:12: expected an expression, found '*'" in caught.value.details[0]
    assert ":6:7:" in caught.value.details[1]


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "Latin.mo"
    file.write_bytes(b"model M\n  // \xe9\nend M;\n")
    with pytest.raises(ModelicaError, match=r"E541.*not UTF-8") as caught:
        parse(SourceFile(str(file)))
    assert caught.value.location is not None
    assert caught.value.location.line == 2


def test_byte_order_mark_and_line_ends(tmp_path: Path) -> None:
    file = tmp_path / "M.mo"
    file.write_bytes(b'\xef\xbb\xbfmodel M "a\r\nb"\r\nend M;\r\n')
    assert parse(SourceFile(str(file))).classes[0].description == "a\nb"


@pytest.mark.parametrize(
    "text",
    [
        "model M Real x = " + "(" * 30_000 + ";",
        "model M Real x = " + "-(" * 30_000 + "1",
        "model M Real x = 1" + " + 1" * 30_000 + "; end M;",
        "model M " * 10_000,
        "model M equation " + "if a then " * 10_000,
        "model M Real x" + "(x" * 10_000,
        "model M Real x = " + "{" * 10_000,
        "model M Real x = f(x)" + ".y[1]" * 10_000 + "; end M;",
        "model M annotation(" * 10_000,
        "/*" * 30_000,
        '"' * 30_001,
        "'" * 30_001,
        "model M Real x = " + "9" * 10_000 + "; end M;",
        "model M Real x = 1e999; end M;",
        "model M " + ";" * 30_000,
    ],
    ids=lambda text: text[:30],
)
def test_hostile_texts_end_soon_in_an_error(text: str) -> None:
    """A tenth of the text would take a hundredth of the time if the time were quadratic."""
    assert costs_at_most(40.0, lambda: refuse(text), lambda: refuse(text[: max(len(text) // 10, 40)]))


def refuse(text: str) -> None:
    with pytest.raises(ModelicaError):
        parse_text(text)
