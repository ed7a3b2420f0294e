"""A class as one use of it sees it: its definition with the redeclarations in force (MLS 5.3, 5.6, 7).

    Tank t(redeclare package Medium = Water);      ->      the view of Tank in which Medium means Water

Views are interned, so identical uses share one, and comparing two is comparing identities. A base class is a view of
its own: names in its text resolve in it and in the classes around it, never in the class that inherits it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.lookup.base_class import Base, InForce, Parent, PredefinedBase
from tellegen.frontends.modelica.lookup.changes import (
    Change,
    Redeclaration,
    Written,
    change_of,
    inner_modification,
    kept_modifications,
)
from tellegen.frontends.modelica.lookup.contents import ClassContents
from tellegen.frontends.modelica.lookup.element_view import ElementView, Literal
from tellegen.frontends.modelica.lookup.names import meaning_of, resolve
from tellegen.frontends.modelica.lookup.predefined import Builtin
from tellegen.frontends.modelica.lookup.rules import check_base, check_clause, check_redeclaration, check_same
from tellegen.frontends.modelica.syntax.classes import (
    ClassDefinition,
    Component,
    ElementModification,
    ElementRedeclaration,
    Extends,
    Modification,
    Removal,
)
from tellegen.frontends.modelica.syntax.expressions import Reference
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.source_location import SourceLocation

if TYPE_CHECKING:
    from tellegen.frontends.modelica.evaluation.declarations import Declared
    from tellegen.frontends.modelica.evaluation.functions import Signature
    from tellegen.frontends.modelica.evaluation.native.call import Compiled
    from tellegen.frontends.modelica.instances.layout import Layout
    from tellegen.frontends.modelica.lookup.types import SimpleType
    from tellegen.frontends.modelica.lookup.views import Views


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
        self.reachable: set[str] = set()  # constants that were found to be public
        self.simple_type: SimpleType | None = None  # once somebody asked for it, see types.py
        self.declared: dict[str, Declared] | None = None  # likewise, see evaluation/declarations.py
        self.signature: Signature | None = None  # of a function, see evaluation/functions.py
        self.compiled: dict[object, Compiled | None] = {}  # of a function, see evaluation/native/call.py
        self.layout: Layout | None = None  # of its instances, see instances/layout.py
        self._found: dict[str, ClassView | ElementView | Literal | None] = {}
        self._parents: tuple[Parent, ...] | None = None
        self._outer_classes: tuple[ClassDefinition, ...] | None = None
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

    @property
    def is_encapsulated(self) -> bool:
        """Whether its text sees nothing of the classes around, so that it can be used by itself."""
        return self.definition.encapsulated

    def is_package_like(self) -> bool:
        """Whether its elements can be named through the class: it holds classes and constants only."""
        if self.restriction in ("package", "operator"):
            return True
        elements = self._ordered().values()
        return all(isinstance(element, ClassDefinition) or "constant" in element.prefixes for element in elements)

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
        check_redeclaration(change.redeclarations, own)
        kept = kept_modifications(change, Redeclaration(own, self))
        if isinstance(element, Component) and isinstance(own, Component):
            original = own if change.redeclarations else None
            return ElementView(element, scope, self, original, change.above, kept)
        if isinstance(element, Component) or isinstance(own, Component):
            found, given = ("component", "class") if isinstance(own, Component) else ("class", "component")
            raise ModelicaError(
                "E548",
                f"the {found} '{own.name}' of {self.path} is redeclared as a {given}",
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
                for name, inherited in base.view._ordered().items():
                    if base.view.find(name) is not None:
                        check_same(names.setdefault(name, inherited), inherited, self)
            elif element is not self.definition and isinstance(element, Component | ClassDefinition):
                check_same(names.setdefault(element.name, element), element, self)
        return names

    def is_public(self, name: str) -> bool:
        """Whether an element, own or inherited, may be named from outside; a redeclaration does not change that."""
        own = self._own(name)
        if own is None or own.redeclare:
            for parent in self.parents():
                if isinstance(parent.base, Base) and parent.base.view.find(name) is not None:
                    return parent.is_public and parent.base.view.is_public(name)
        return own is None or own.public

    def is_inner(self, name: str) -> bool:
        """Whether a class by this name, own or inherited, is declared `inner`; a redeclaration does not change that."""
        declared = self._ordered().get(name)
        return isinstance(declared, ClassDefinition) and declared.inner

    @property
    def outer_classes(self) -> tuple[ClassDefinition, ...]:
        """The classes, own and inherited, that are declared `outer`."""
        if self._outer_classes is None:
            found = [element for element in self._ordered().values() if isinstance(element, ClassDefinition)]
            self._outer_classes = tuple(element for element in found if element.outer)
        return self._outer_classes

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
            parents.append(
                self._parent(definition, target, self._written(modification), Base(self, modification, self))
            )
        for clause in self.contents.extends:
            target = self.resolve(clause.type)
            base = Base(self, clause.modification, self)
            parents.append(self._parent(clause, target, self._written(clause.modification), base))
        return parents

    def _written(self, modification: Modification | None) -> tuple[Written, ...]:
        """What the class says about a base: its `redeclare` elements, then the modification of the clause."""
        found = (self.contents.redeclarations, modification)
        return tuple(Written(item, self) for item in found if item is not None)

    def _parent(
        self, clause: Extends | ClassDefinition, target: object, written: tuple[Written, ...], base: Base
    ) -> Parent:
        token = clause.token
        if isinstance(target, ClassView):
            check_base(self, target.restriction, target.path, token)
            if isinstance(clause, Extends):
                check_clause(self, target, token)
            return Parent(clause, base._replace(view=target.under(self.changes + written)))
        if isinstance(target, Builtin) and target.kind == "type":
            if target.name != "ExternalObject":
                check_base(self, "type", target.name, token)
            return Parent(clause, PredefinedBase(target, base.modification, base.scope))
        raise ModelicaError(
            "E548",
            f"{self.path} is derived from something that is not a class",
            location=self.location(token),
        )

    def inherited_class(self, definition: ClassDefinition) -> ClassView:
        """The class that `redeclare model extends X` in this class extends: X of the nearest base class, as it is
        without this redeclaration and those further out (MLS 7.3.1)."""
        for base in self.bases():
            found = base.view.original(definition.name, definition)
            if isinstance(found, ClassView):
                check_redeclaration((Redeclaration(definition, self),), found.definition)
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
        return self.views.view(self.contents, self.enclosing, InForce(counting + self.changes, self.applied, self.kept))

    def modified(self, modification: Modification | None, scope: ClassView) -> ClassView:
        """The class under a modification that is written in `scope`."""
        return self if modification is None else self.under((Written(modification, scope),))

    def _counts(self, modification: Modification) -> bool:
        return any(self.is_redeclared_by(argument) for argument in modification.arguments)

    def is_redeclared_by(self, argument: ElementModification | ElementRedeclaration | Removal) -> bool:
        """Whether a modifier decides about names in this class: those that give values to constants do, too, since
        classes inside name them."""
        if isinstance(argument, Removal):
            return True
        if isinstance(argument, ElementRedeclaration):
            return self.find(argument.element.name) is not None
        if self.restriction == "package":
            return self.find(argument.name[0]) is not None
        inner = inner_modification(argument)
        if inner is None:
            return False
        found = self.find(argument.name[0])
        if isinstance(found, ElementView):
            return found.is_constant if inner.value is not None else found.is_redeclared_in(inner)
        return isinstance(found, ClassView) and bool(inner.arguments)

    # ---- names ----

    def lookup(self, name: str) -> ClassView | ElementView | Literal | Builtin | None:
        """What a simple name means in the text of this class; None where nothing declares it."""
        return meaning_of(name, self)

    def resolve(self, reference: Reference) -> ClassView | ElementView | Literal | Builtin:
        """What a name, simple or composed, means in the text of this class; subscripts do not matter."""
        return resolve(reference, self)


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
