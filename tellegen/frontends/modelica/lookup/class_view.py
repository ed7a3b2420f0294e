"""A class as one use of it sees it: its definition with the redeclarations in force (MLS 5.3, 5.6, 7).

    Tank t(redeclare package Medium = Water);      ->      the view of Tank in which Medium means Water

Views are interned, so identical uses share one, and comparing two is comparing identities. A base class is a view of its
own: names in its text resolve in it and in the classes around it, never in the class that inherits it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tellegen.errors import ModelicaError, nearest
from tellegen.frontends.modelica.lookup.changes import (
    Change,
    Redeclaration,
    Written,
    change_of,
    inner_modification,
    kept_modifications,
    redeclares,
)
from tellegen.frontends.modelica.lookup.contents import ClassContents
from tellegen.frontends.modelica.lookup.predefined import MEMBERS, NAMES, Builtin
from tellegen.frontends.modelica.syntax.classes import (
    ClassDefinition,
    Component,
    ElementModification,
    ElementRedeclaration,
    Import,
    Modification,
    Removal,
)
from tellegen.frontends.modelica.syntax.expressions import Expression, Reference
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.source_location import SourceLocation

if TYPE_CHECKING:
    from tellegen.frontends.modelica.lookup.types import SimpleType
    from tellegen.frontends.modelica.lookup.views import Views


@dataclass(frozen=True, slots=True)
class Literal:
    """One value of an enumeration; ordinals count from 1."""

    enumeration: ClassView
    name: str
    ordinal: int


class Base(NamedTuple):
    """A base class: its view, the modification of the extends clause with the class it is written in, and modifiers
    that a redeclaration keeps, which count below that modification and above everything in `view`."""

    view: ClassView
    modification: Modification | None
    scope: ClassView
    kept: tuple[Written, ...] = ()


@dataclass(eq=False)
class ElementView:
    """A component of a class, as redeclared. `scope` is the class in whose text `component` stands, `owner` the one
    that declares the element, `original` the declaration that was replaced.

    What modifies it, outermost first: `applied` (from outside of the class, for packages), the modification of
    `component` in `scope`, `kept` (of a constraining clause or the original declaration)."""

    component: Component
    scope: ClassView
    owner: ClassView
    original: Component | None = None
    applied: tuple[Written, ...] = ()
    kept: tuple[Written, ...] = ()
    _type: ClassView | Builtin | None = None

    @property
    def name(self) -> str:
        """Its name."""
        return self.component.name

    @property
    def dimensions(self) -> tuple[tuple[Expression, ...], ClassView]:
        """Its array dimensions, those of the original where a redeclaration gives none, and where they are written."""
        own = self.component.dimensions + self.component.type_dimensions
        if self.original is None or own:
            return own, self.scope
        return self.original.dimensions + self.original.type_dimensions, self.owner

    @property
    def condition(self) -> tuple[Expression | None, ClassView]:
        """The condition it exists under, which a redeclaration keeps, and where it is written."""
        if self.original is not None:
            return self.original.condition, self.owner
        return self.component.condition, self.scope

    @property
    def prefixes(self) -> tuple[str, ...]:
        """flow, parameter, input ...: those of the original stay where the new declaration has none of their group."""
        prefixes = self.component.prefixes
        for group in (("flow", "stream"), ("discrete", "parameter", "constant"), ("input", "output")):
            if self.original is not None and not any(prefix in group for prefix in prefixes):
                prefixes += tuple(prefix for prefix in self.original.prefixes if prefix in group)
        return prefixes

    @property
    def is_public(self) -> bool:
        """Whether it may be named from outside of its class."""
        return (self.original or self.component).public

    def type(self) -> ClassView | Builtin:
        """Its class, with the redeclarations in force for this component."""
        if self._type is None:
            found = self.scope.resolve(self.component.type)
            if isinstance(found, ClassView):
                own = self.component.modification
                written = (Written(own, self.scope),) if own is not None else ()
                found = found.under(self.applied + written + self.kept)
            elif not (isinstance(found, Builtin) and found.kind == "type"):
                raise ModelicaError(
                    "E548",
                    f"'{self.component.type}' is not a class, so '{self.name}' cannot be of this type",
                    location=self.scope.location(self.component.type.token),
                )
            self._type = found
        return self._type


class ClassView:
    """A class with what is in force for it; made by Views only. `changes` are the modifications that redeclare
    something inside (for packages also those that give values), `applied` those of them that stand on the class itself,
    from outside of its text (`extends P(M(x=1))` for M), both outermost first."""

    def __init__(self, views: Views, contents: ClassContents, enclosing: ClassView | None, force: InForce) -> None:
        self.views = views
        self.contents = contents
        self.enclosing = enclosing
        self.changes = force.changes
        self.applied = force.applied
        self.kept = force.kept
        self.simple_type: SimpleType | None = None  # once somebody asked for it, see types.py
        self._found: dict[str, ClassView | ElementView | Literal | None] = {}
        self._parents: tuple[Parent, ...] | None = None
        self._is_resolving = False
        self._is_checked = False

    def __repr__(self) -> str:
        return f"<{self.restriction} {self.path}>"

    @property
    def definition(self) -> ClassDefinition:
        """What the text says."""
        return self.contents.definition

    @property
    def file(self) -> SourceFile:
        """The file the definition stands in."""
        return self.contents.file

    @property
    def path(self) -> str:
        """Its full name, by where it is written."""
        return self.contents.path

    @property
    def restriction(self) -> str:
        """model, package, type ..."""
        return self.definition.restriction

    def location(self, token: int) -> SourceLocation:
        """Where a token of its text stands."""
        return self.file.location(token, self.path)

    # ---- elements ----

    def find(self, name: str) -> ClassView | ElementView | Literal | None:
        """Its own or inherited element of this name, with redeclarations applied."""
        if name in self._found:
            return self._found[name]
        found = self._search(name)
        if found is not None or self._is_checked:
            self._found[name] = found
        return found

    def _search(self, name: str) -> ClassView | ElementView | Literal | None:
        if name in self.contents.literals:
            return Literal(self, name, self.contents.literals[name])
        own = self._own(name)
        if own is None or own.redeclare:
            for base in self.bases():
                if (found := base.view.find(name)) is not None:
                    return found
        change = change_of(name, self.changes)
        return None if own is None or change.is_removed else self._element(own, change)

    def _own(self, name: str) -> Component | ClassDefinition | None:
        """What its own text, or a file in its folder, declares by this name."""
        own = self.contents.elements.get(name)
        if own is None and (name in self.contents.files or self.enclosing is None):
            stored = self.views.stored(self.path, name)
            return stored.definition if stored is not None else None
        return own

    def _element(self, own: Component | ClassDefinition, change: Change) -> ClassView | ElementView:
        """The view of an element that is declared here."""
        element, scope = change.redeclarations[0] if change.redeclarations else Redeclaration(own, self)
        kept = kept_modifications(change, Redeclaration(own, self))
        if isinstance(element, Component) and isinstance(own, Component):
            original = own if change.redeclarations else None
            return ElementView(element, scope, self, original, change.above, kept)
        if isinstance(element, Component) or isinstance(own, Component):
            raise ModelicaError(
                "E548",
                f"'{own.name}' of {self.path} is redeclared as a {'component' if isinstance(own, ClassDefinition) else 'class'}",
                location=scope.location(element.token),
                advice="a component can be redeclared as a component only, a class as a class",
            )
        contents = self.views.contents(element, scope)
        if element.short is not None:
            return self.views.view(contents, scope, InForce(change.above, change.above, kept))
        return self.views.view(contents, scope, InForce(change.above + kept, change.above + kept, ()))

    def component_names(self) -> tuple[str, ...]:
        """Its components, inherited ones at the place of their extends clause, each once."""
        return tuple(name for name, element in self._ordered().items() if isinstance(element, Component))

    def class_names(self) -> tuple[str, ...]:
        """The classes inside of it, inherited ones too."""
        stored = dict.fromkeys(self.contents.files)
        return tuple(name for name, element in self._ordered().items() if isinstance(element, ClassDefinition)) + tuple(
            name for name in stored if name not in self.contents.elements
        )

    def _ordered(self) -> dict[str, Component | ClassDefinition]:
        """All elements as first declared, in order."""
        names: dict[str, Component | ClassDefinition] = {}
        bases = {id(parent.clause): parent.base for parent in self.parents() if isinstance(parent.base, Base)}
        for element in (self.definition, *self.definition.elements):
            if id(element) in bases:
                base = bases[id(element)]
                for name, inherited in base.view._ordered().items():  # noqa: SLF001, the same class
                    if base.view.find(name) is not None:
                        names.setdefault(name, inherited)
            elif element is not self.definition and isinstance(element, Component | ClassDefinition):
                names.setdefault(element.name, element)
        return names

    # ---- inheritance ----

    def bases(self) -> tuple[Base, ...]:
        """Its base classes in order: of a short class the one it stands for, of `model extends X` the inherited X."""
        return tuple(parent.base for parent in self.parents() if isinstance(parent.base, Base))

    def parents(self) -> tuple[Parent, ...]:
        """Its base classes with the clauses that name them, predefined types too. While these names are looked up the
        class has no inherited names (MLS 5.6.1.4)."""
        if self._parents is None:
            if self._is_resolving:
                return ()
            self._is_resolving = True
            try:
                self._parents = tuple(self._resolve_parents())
                _check_acyclic(self, ())
            finally:
                self._is_resolving = False
            self._is_checked = True
            self._found = {name: found for name, found in self._found.items() if found is not None}
        return self._parents

    def _resolve_parents(self) -> list[Parent]:
        definition = self.definition
        parents: list[Parent] = []
        around = self.enclosing or self
        if definition.short is not None:
            short = definition.short
            written = (Written(short.modification, around),) if short.modification is not None else ()
            target = around.resolve(short.type)
            kept = written + self.kept
            parents.append(self._parent(definition, target, kept, Base(self, short.modification, around, self.kept)))
        if definition.extends_inherited:
            modification = definition.extends_modification
            target = around.inherited_class(definition)
            parents.append(self._parent(definition, target, self._written(modification), Base(self, modification, self)))
        for clause in self.contents.extends:
            target = self.resolve(clause.type)
            base = Base(self, clause.modification, self)
            parents.append(self._parent(clause, target, self._written(clause.modification), base))
        return parents

    def _written(self, modification: Modification | None) -> tuple[Written, ...]:
        """What the class says about a base: its `redeclare` elements, then the modification of the clause."""
        found = (self.contents.redeclarations, modification)
        return tuple(Written(item, self) for item in found if item is not None)

    def _parent(self, clause: object, target: object, written: tuple[Written, ...], base: Base) -> Parent:
        if isinstance(target, ClassView):
            return Parent(clause, base._replace(view=target.under(self.changes + written)))
        if isinstance(target, Builtin) and target.kind == "type":
            return Parent(clause, PredefinedBase(target, base.modification, base.scope))
        raise ModelicaError(
            "E548",
            f"{self.path} is derived from something that is not a class",
            location=self.location(getattr(clause, "token", self.definition.token)),
        )

    def inherited_class(self, definition: ClassDefinition) -> ClassView:
        """The class that `redeclare model extends X` in this class extends: X of the nearest base class, as it is
        without this redeclaration and those further out (MLS 7.3.1)."""
        for base in self.bases():
            found = base.view.original(definition.name, definition)
            if isinstance(found, ClassView):
                return found
        raise ModelicaError(
            "E549",
            f"{self.path} has no inherited class '{definition.name}' to extend",
            location=self.location(definition.token),
            advice=f"'{definition.restriction} extends {definition.name}' needs a base class that declares it",
        )

    def original(self, name: str, redeclared: ClassDefinition) -> ClassView | ElementView | Literal | None:
        """An element without the redeclaration by `redeclared` and those further out."""
        own = self._own(name)
        if own is None:
            for base in self.bases():
                if (found := base.view.original(name, redeclared)) is not None:
                    return found
            return None
        change = change_of(name, self.changes)
        elements = [redeclaration.element for redeclaration in change.redeclarations]
        positions = [position for position, element in enumerate(elements) if element is redeclared]
        inner = change.redeclarations[positions[-1] + 1 :] if positions else ()
        return self._element(own, Change(inner, change.below if change.redeclarations else change.above))

    def under(self, written: tuple[Written, ...]) -> ClassView:
        """The class under further modifications, outermost first: those count that redeclare something in it."""
        counting = tuple(item for item in written if self._counts(item.modification))
        if not counting:
            return self
        return self.views.view(
            self.contents, self.enclosing, InForce(counting + self.changes, self.applied, self.kept)
        )

    def modified(self, modification: Modification | None, scope: ClassView) -> ClassView:
        """The class under a modification that is written in `scope`."""
        return self if modification is None else self.under((Written(modification, scope),))

    def _counts(self, modification: Modification) -> bool:
        return any(self._argument_counts(argument) for argument in modification.arguments)

    def _argument_counts(self, argument: ElementModification | ElementRedeclaration | Removal) -> bool:
        """Whether a modifier decides about names: in packages those that give values do, too."""
        if isinstance(argument, Removal):
            return True
        if isinstance(argument, ElementRedeclaration):
            return self.find(argument.element.name) is not None
        if self.restriction == "package":
            return self.find(argument.name[0]) is not None
        inner = inner_modification(argument)
        if inner is None or not inner.arguments:
            return False
        found = self.find(argument.name[0])
        return isinstance(found, ClassView) or (found is not None and redeclares(inner))

    # ---- names ----

    def lookup(self, name: str) -> ClassView | ElementView | Literal | Builtin | None:
        """What a simple name means in the text of this class."""
        view: ClassView | None = self
        while view is not None:
            found = view.find(name)
            if found is None:
                found = view.imported(name)
            if found is not None:
                return found
            view = None if view.definition.encapsulated else view.enclosing
        return self.views.predefined(name)

    def imported(self, name: str) -> ClassView | ElementView | Literal | None:
        """What an import clause of this class makes visible by this name; those of base classes do not count."""
        for clause in self.contents.imports:
            if clause.alias == name:
                return self._import(clause)
        found = []
        for clause in self.contents.imports:
            if not clause.alias:
                package = self._import(clause)
                member = package.find(name) if isinstance(package, ClassView) else None
                if member is not None and member not in found:
                    found.append(member)
        if len(found) > 1:
            raise ModelicaError(
                "E547",
                f"'{name}' is imported from several packages",
                location=self.location(self.definition.token),
                advice=f"import the one that is meant by its name, `import A.B.{name}`",
            )
        return found[0] if found else None

    def _import(self, clause: Import) -> ClassView | ElementView | Literal | None:
        found: ClassView | ElementView | Literal | None = self.views.root
        for position, part in enumerate(clause.name):
            found = found.find(part) if isinstance(found, ClassView) else None
            if found is None:
                raise self._unknown(part, ".".join(clause.name), clause.name[:position], clause.token)
        return found

    def resolve(self, reference: Reference) -> ClassView | ElementView | Literal | Builtin:
        """What a name, simple or composed, means in the text of this class; subscripts do not matter."""
        first = reference.parts[0].name
        found = self.views.top(first) if reference.is_global else self.lookup(first)
        if found is None:
            raise self._unknown(first, str(reference), (), reference.token)
        for position, part in enumerate(reference.parts[1:], start=1):
            inside = found.type() if isinstance(found, ElementView) else found
            found = None
            if isinstance(inside, ClassView):
                found = inside.find(part.name)
            elif isinstance(inside, Builtin):
                found = MEMBERS.get(inside.name, {}).get(part.name)
            if found is None:
                prefix = tuple(item.name for item in reference.parts[:position])
                raise self._unknown(part.name, str(reference), prefix, reference.token, inside)
        return found

    def _unknown(
        self, part: str, whole: str, prefix: tuple[str, ...], token: int, inside: object = None
    ) -> ModelicaError:
        if inside is None and not prefix:
            where = "here or in the classes around"
            names = list(NAMES)
            view: ClassView | None = self
            while view is not None:
                names = [*view.component_names(), *view.class_names(), *names]
                view = view.enclosing
        else:
            where = f"in '{'.'.join(prefix)}'"
            names = [*inside.component_names(), *inside.class_names()] if isinstance(inside, ClassView) else []
        message = f"'{part}' is not declared {where}"
        message += f" (of '{whole}')" if whole != part else ""
        return ModelicaError("E545", message, location=self.location(token), advice=nearest(part, names))


class InForce(NamedTuple):
    """What makes a view differ from the bare class: see ClassView and, for `kept`, Base."""

    changes: tuple[Written, ...] = ()
    applied: tuple[Written, ...] = ()
    kept: tuple[Written, ...] = ()


class PredefinedBase(NamedTuple):
    """A predefined type as a base class, and the modification of its attributes."""

    type: Builtin
    modification: Modification | None
    scope: ClassView


class Parent(NamedTuple):
    """A base class and the clause that names it: an Extends, or the definition itself."""

    clause: object
    base: Base | PredefinedBase


def _check_acyclic(view: ClassView, derived: tuple[ClassView, ...]) -> None:
    """No class is derived from itself, however indirectly."""
    if view in derived:
        circle = [item.path for item in derived[derived.index(view) :]] + [view.path]
        raise ModelicaError(
            "E546",
            f"{view.path} is derived from itself",
            location=view.location(view.definition.token),
            details=[" -> ".join(circle)],
        )
    for base in view.bases():
        _check_acyclic(base.view, (*derived, view))
