"""Names, inheritance and redeclaration, each rule on a small text of its own (MLS chapters 5 and 7)."""

from __future__ import annotations

import pytest

from modelica_texts import views_of
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.element_view import ElementView, Literal
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.types import literals, simple_type
from tellegen.frontends.modelica.syntax.classes import Component
from tellegen.frontends.modelica.syntax.expressions import Number, Part, Reference


def reference(name: str) -> Reference:
    return Reference(tuple(Part(part) for part in name.lstrip(".").split(".")), 0, name.startswith("."))


def meaning(text: str, scope: str, name: str) -> str:
    """What a name means in the text of a class: a class by its path, a component as `path.name`, a predefined name."""
    found = views_of(text).named(scope).resolve(reference(name))
    if isinstance(found, ElementView):
        return f"{found.owner.path}.{found.name}"
    if isinstance(found, Literal):
        return f"{found.enumeration.path}.{found.name}={found.ordinal}"
    return found.path if isinstance(found, ClassView) else f"predefined {found.name}"


def type_path(text: str, scope: str, component: str) -> str:
    """The class of a component, by path."""
    found = views_of(text).named(scope).find(component)
    assert isinstance(found, ElementView)
    of = found.type()
    while isinstance(of, ClassView) and of.definition.short is not None and of.bases():
        of = of.bases()[0].view
    return of.path if isinstance(of, ClassView) else of.name


def refused(text: str, scope: str, name: str) -> ModelicaError:
    with pytest.raises(ModelicaError) as caught:
        views_of(text).named(scope).resolve(reference(name))
    return caught.value


NESTED = """
package P
  constant Real c = 1;
  model Base  T t; type T = Real; end Base;
  type T = Integer;
  model Derived  extends Base; type U = Boolean; end Derived;
  package Inner  model M  T x; end M; end Inner;
  encapsulated package Closed
    import P.Base;
    import Renamed = P.Inner;
    model M  Base b; end M;
  end Closed;
end P;
"""


@pytest.mark.parametrize(
    ("scope", "name", "expected"),
    [
        ("P.Inner.M", "T", "P.T"),
        ("P.Inner.M", "c", "P.c"),
        ("P.Derived", "T", "P.Base.T"),  # inherited before lexically enclosing
        ("P.Derived", "t", "P.Base.t"),
        ("P.Inner.M", "P.Base", "P.Base"),
        ("P.Inner.M", ".P.c", "P.c"),
        ("P.Closed.M", "Base", "P.Base"),
        ("P.Closed.M", "Renamed.M", "P.Inner.M"),
        ("P.Closed.M", "sin", "predefined sin"),
        ("P.Inner.M", "Connections.root", "predefined Connections.root"),
        ("P.Inner.M", "StateSelect.prefer", "StateSelect.prefer=4"),
        ("P.Inner.M", "time", "predefined time"),
    ],
)
def test_name_resolves(scope: str, name: str, expected: str) -> None:
    assert meaning(NESTED, scope, name) == expected


def test_encapsulated_class_hides_what_is_around() -> None:
    assert refused(NESTED, "P.Closed.M", "c").code == "E545"
    assert refused(NESTED, "P.Closed.M", "P.c").code == "E545"


def test_unknown_name_is_located_and_a_near_one_suggested() -> None:
    error = refused("package P\n  model Resistor\n  end Resistor;\n  model M\n  end M;\nend P;", "P.M", "Resistr")
    assert "'Resistr' is not declared" in error.message
    assert "Resistor" in error.advice
    error = refused("package P\n  model Resistor\n  end Resistor;\nend P;", "P", "P.Resitor")
    assert "in 'P'" in error.message
    assert "Resistor" in error.advice


IMPORTS = """
package A  constant Real a = 1; constant Real b = 2; constant Real shared = 3; end A;
package B  constant Real shared = 4; constant Real only = 5; end B;
model M  import A.{a, b}; import Q = B; import A.*; end M;
model Both  import A.*; import B.*; end Both;
model Inherits  extends M; end Inherits;
model Own  extends M; Real a; end Own;
"""


def test_imports() -> None:
    assert meaning(IMPORTS, "M", "a") == "A.a"
    assert meaning(IMPORTS, "M", "Q.only") == "B.only"
    assert meaning(IMPORTS, "M", "shared") == "A.shared"
    assert meaning(IMPORTS, "Own", "a") == "Own.a"
    assert meaning(IMPORTS, "Both", "only") == "B.only"
    assert refused(IMPORTS, "Both", "shared").code == "E547"
    assert refused(IMPORTS, "Inherits", "a").code == "E545"  # import clauses are not inherited


def test_base_is_looked_up_without_inherited_names() -> None:
    text = """
    package P
      package B  model X  Real inherited; end X; model Y  Real y; end Y; end B;
      model X  Real outer_x; end X;
      package D  extends B; model M  extends X; end M; end D;
      package E  extends B; model X2 = X; end E;
    end P;
    model Q  model X  Real q; end X; extends P.B.Y; extends X; end Q;
    """
    assert meaning(text, "P.D.M", "inherited") == "P.B.X.inherited"
    assert meaning(text, "P.E.X2", "inherited") == "P.B.X.inherited"
    assert meaning(text, "Q", "q") == "Q.X.q"


def test_names_of_a_base_resolve_in_its_own_scope() -> None:
    text = """
    package P  type T = Integer; model B  T t; end B; end P;
    package Q  type T = Boolean; model D  extends P.B; T own; end D; end Q;
    """
    assert type_path(text, "Q.D", "t") == "P.T"
    assert type_path(text, "Q.D", "own") == "Q.T"


MEDIA = """
package Interfaces
  partial package Medium
    constant Integer nX = 0;
    type Pressure = Real(start=1);
    replaceable model Properties  Pressure p; Real X[nX]; Real h = enthalpy(1); end Properties;
    replaceable function enthalpy  input Real T; output Real h; end enthalpy;
  end Medium;
end Interfaces;
package Pure
  extends Interfaces.Medium(nX=1, Pressure(start=5));
  redeclare replaceable model extends Properties(p(min=0))  Real of_pure; end Properties;
end Pure;
package Water
  extends Pure(nX=2);
  redeclare model extends Properties  Real water; end Properties;
  redeclare function extends enthalpy  algorithm h := 2*T; end enthalpy;
end Water;
model Tank
  replaceable package Medium = Pure constrainedby Interfaces.Medium(nX=7);
  Medium.Properties properties;
end Tank;
model Plant
  package Medium = Water;
  Tank tank(redeclare package Medium = Medium);
  Tank other(redeclare package Medium = Water(nX=9));
end Plant;
"""


def test_class_extends_takes_the_nearest_inherited_class() -> None:
    views = views_of(MEDIA)
    properties = views.named("Water").find("Properties")
    assert isinstance(properties, ClassView)
    assert properties.component_names() == ("p", "X", "h", "of_pure", "water")
    assert [base.view.path for base in properties.bases()] == ["Pure.Properties"]
    (base,) = properties.bases()[0].view.bases()
    assert base.view.path == "Interfaces.Medium.Properties"
    enthalpy = base.view.lookup("enthalpy")  # named in the innermost base, redeclared in the outermost package
    assert isinstance(enthalpy, ClassView)
    assert enthalpy.path == "Water.enthalpy"


def constant(view: ClassView, name: str) -> object:
    """The number a package constant is given, by the outermost modification."""
    found = view.find(name)
    assert isinstance(found, ElementView)
    values = [modification.value for modification, _ in found.applied if modification.value is not None]
    own = found.component.modification
    values += [own.value] if own is not None else []
    values += [modification.value for modification, _ in found.kept]
    assert isinstance(values[0], Number)
    return values[0].value


def test_package_constants_change_by_modification_and_redeclaration() -> None:
    views = views_of(MEDIA)
    assert constant(views.named("Interfaces.Medium"), "nX") == 0
    assert constant(views.named("Pure"), "nX") == 1
    assert constant(views.named("Water"), "nX") == 2
    tank = views.named("Plant").find("tank")
    other = views.named("Plant").find("other")
    assert isinstance(tank, ElementView)
    assert isinstance(other, ElementView)
    for element, expected in ((tank, 7), (other, 9)):  # the constraint counts below the redeclaration's own
        of = element.type()
        assert isinstance(of, ClassView)
        medium = of.find("Medium")
        assert isinstance(medium, ClassView)
        assert constant(medium, "nX") == expected
        properties = of.resolve(reference("Medium.Properties"))
        assert isinstance(properties, ClassView)
        assert properties.path == "Water.Properties"
        assert constant(properties.enclosing or properties, "nX") == expected


def test_type_modification_in_a_package_counts_in_that_package_only() -> None:
    views = views_of(MEDIA)
    for package, starts in (("Interfaces.Medium", [1]), ("Pure", [5, 1]), ("Water", [5, 1])):
        pressure = views.named(package).find("Pressure")
        assert isinstance(pressure, ClassView)
        found = simple_type(pressure)
        assert found is not None
        written = [argument for modification, _ in found.modifications for argument in modification.arguments]
        assert [argument.modification.value.value for argument in written] == starts  # type: ignore[union-attr]


def test_redeclared_package_of_the_same_name_is_looked_up_where_it_is_written() -> None:
    text = """
    package One  replaceable model X  Real one; end X; end One;
    package Two  extends One; redeclare model X  Real two; end X; end Two;
    package Base  replaceable package M = One; end Base;
    model Inner  replaceable package M = One; M.X x; end Inner;
    model Middle  replaceable package M = One; Inner inner_part(redeclare package M = M); end Middle;
    model Outer  package M = Two; Middle middle(redeclare package M = M); end Outer;
    """
    outer = views_of(text).named("Outer")
    part = outer.resolve(reference("middle.inner_part.x"))
    assert isinstance(part, ElementView)
    of = part.type()
    assert isinstance(of, ClassView)
    assert of.path == "Two.X"


def test_redeclared_component_keeps_what_the_original_says() -> None:
    text = """
    model A  parameter Real x; end A;
    model B  parameter Real x = 3; parameter Real y; end B;
    model C  replaceable A a[3](x=1) if true; replaceable A b constrainedby A(x=4); end C;
    model D  extends C(redeclare B a(y=2), redeclare B b); end D;
    model E  extends C; redeclare B a(y=5); end E;
    """
    for name in ("D", "E"):
        found = views_of(text).named(name).find("a")
        assert isinstance(found, ElementView)
        assert isinstance(found.original, Component)
        assert found.scope.path == name
        assert found.owner.path == "C"
        assert len(found.dimensions[0]) == 1
        assert found.condition[0] is not None
        assert [argument.name for argument in found.kept[0].modification.arguments] == [("x",)]  # type: ignore[union-attr]
        of = found.type()
        assert isinstance(of, ClassView)
        assert of.path == "B"
    other = views_of(text).named("D").find("b")
    assert isinstance(other, ElementView)
    assert other.kept[0].scope.path == "C"


def test_constraint_of_the_original_survives_a_redeclaration_between() -> None:
    """A redeclaration without constraining clause keeps the constraint of the original declaration only."""
    text = """
    model R  parameter Real R; end R;
    model T  extends R; parameter Real T0; end T;
    model C1  replaceable model X = R(R=100); X x; end C1;
    model C2  extends C1(redeclare replaceable model X = T(T0=300)); end C2;
    model C3  extends C2(redeclare replaceable model X = R(R=200)); end C3;
    """
    views = views_of(text)
    for name, names in (("C2", ["T0", "R"]), ("C3", ["R", "R"])):
        found = views.named(name).find("X")
        assert isinstance(found, ClassView)
        (base,) = found.bases()
        assert base.modification is not None
        modifications = (base.modification, *(item.modification for item in base.kept))
        assert [argument.name[0] for item in modifications for argument in item.arguments] == names  # type: ignore[union-attr]


def test_short_classes_carry_prefixes_dimensions_and_modifications() -> None:
    text = """
    type Length = Real(unit="m");
    type Vector = Length[3](each min=0);
    connector In = input Vector;
    type Level = enumeration(low, high);
    type Sub = Level;
    connector Pin  Real v; flow Real i; end Pin;
    type Long  extends Length(max=1); end Long;
    """
    views = views_of(text)
    found = simple_type(views.named("In"))
    assert found is not None
    assert (found.base, found.prefixes, found.is_connector, len(found.dimensions)) == ("Real", ("input",), True, 1)
    names = [argument.name[0] for item, _ in found.modifications for argument in item.arguments]  # type: ignore[union-attr]
    assert names == ["min", "unit"]
    assert literals(views.named("Sub")) == ("low", "high")
    assert meaning(text, "Pin", "Sub.high") == "Level.high=2"
    assert simple_type(views.named("Pin")) is None
    assert simple_type(views.named("Long")) is not None
    assert simple_type(Builtin("Integer", "type")) is not None


def test_functions_are_found_through_components() -> None:
    text = """
    model World
      parameter Real g = 9.81;
      replaceable function gravity = constantGravity(g=g);
      function constantGravity  input Real r; input Real g; output Real a; end constantGravity;
    end World;
    model Body  World world; end Body;
    """
    body = views_of(text).named("Body")
    world = body.find("world")
    assert isinstance(world, ElementView)
    kind = world.type()
    assert isinstance(kind, ClassView)
    function = kind.find("gravity")
    assert isinstance(function, ClassView)
    with pytest.raises(ModelicaError, match="E552"):  # calls only, MLS 5.3.2
        body.resolve(reference("world.gravity"))
    assert function.component_names() == ("r", "g", "a")
    (base,) = function.bases()
    assert base.scope.path == "World"


def test_break_in_an_extends_clause_leaves_components_out() -> None:
    text = "model A  Real a; Real b; end A; model B  extends A(break a); Real c; end B;"
    view = views_of(text).named("B")
    assert view.component_names() == ("b", "c")
    assert view.find("a") is None


def test_order_of_components_follows_the_extends_clauses() -> None:
    text = """
    function A  input Real a; input Real b; end A;
    function B  extends A; input Real a; input Real c; end B;
    function C  input Real first; extends B; end C;
    """
    assert views_of(text).named("C").component_names() == ("first", "a", "b", "c")


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("model A  extends B; end A; model B  extends A; end B;", "A", "E546"),
        ("model A = B; model B = A;", "A", "E546"),
        ("model A  extends A; end A;", "A", "E546"),
        ("package P  redeclare model extends X end X; end P;", "P.X", "E549"),
        ("model A  Real x; extends x; end A;", "A", "E548"),
    ],
)
def test_refused(text: str, name: str, code: str) -> None:
    view = views_of(text).named(name)
    with pytest.raises(ModelicaError) as caught:
        view.find("anything")
    assert caught.value.code == code


FORBIDDEN = {
    "a model as a package": ("model A  Real x; end A; model M  A.x y; end M;", "M", "y", "E552"),
    "protected": ("package P  protected model A  end A; end P; model M  P.A a; end M;", "M", "a", "E552"),
    "inherited as protected": (
        "package P  model A  end A; end P; package Q  protected extends P; end Q; model M  Q.A a; end M;",
        "M",
        "a",
        "E552",
    ),
    "redeclared although protected": (
        """model A  protected replaceable model X  end X; end A;
        model B  end B; model M  A a(redeclare model X = B); end M;""",
        "M",
        "a",
        "E552",
    ),
    "final": (
        "model A  final replaceable Real x; end A; model M  extends A(redeclare Real x); end M;",
        "M",
        "x",
        "E551",
    ),
    "constant": ("model A  constant Real x = 1; end A; model M  extends A(redeclare Real x); end M;", "M", "x", "E551"),
    "not replaceable": (
        "model A  model X  end X; end A; model M  extends A; redeclare model X  end X; end M;",
        "M",
        "X",
        "E551",
    ),
    "kind of base class": ("function F  end F; model M  extends F; end M;", "M", "x", "E550"),
    "model from a type": ("model M  extends Real; end M;", "M", "x", "E550"),
}


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden(name: str) -> None:
    text, scope, element, code = FORBIDDEN[name]
    view = views_of(text).named(scope)
    with pytest.raises(ModelicaError) as caught:
        type_or_class(view, element)
    assert caught.value.code == code
    assert caught.value.location is not None


def type_or_class(view: ClassView, name: str) -> object:
    found = view.find(name)
    return found.type() if isinstance(found, ElementView) else found


def test_elements_of_one_name_are_the_same() -> None:
    text = "model A  Real x(min=0); end A; model M  Real x; extends A; end M; model N  Integer x; extends A; end N;"
    assert views_of(text).named("M").component_names() == ("x",)
    with pytest.raises(ModelicaError) as caught:
        views_of(text).named("N").component_names()
    assert caught.value.code == "E553"


def test_identical_uses_share_a_view() -> None:
    text = """
    package M  constant Integer n = 1; end M;
    package N  extends M(n=2); end N;
    model Part  replaceable package Medium = M; parameter Real p; end Part;
    model Whole  Part a(p=1); Part b(p=2); Part c(p=1, redeclare package Medium = N); end Whole;
    """
    whole = views_of(text).named("Whole")
    a, b, c = (element.type() for element in map(whole.find, "abc") if isinstance(element, ElementView))
    assert a is b
    assert a is not c
