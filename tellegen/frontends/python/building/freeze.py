"""Freezing: from component objects to a Model of shared kinds.

Each shape is traced once, on a blank instance of the class that carries only what decides the structure, so that
numbers given to one instance can never leak into its siblings.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tellegen.errors import LanguageError, UndeclaredQuantityError
from tellegen.frontends.python.building.array_elements import Division, divided, divisions_of
from tellegen.frontends.python.building.connections import MOST_PAIRS, Joints
from tellegen.frontends.python.building.freed_variables import without_freed
from tellegen.frontends.python.building.frozen_system import FrozenSystem, Refreezing, remembered
from tellegen.frontends.python.building.mechanics import trace_mechanics
from tellegen.frontends.python.building.members import Members, plain
from tellegen.frontends.python.building.trace_statements import trace_statements, written
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.components.surroundings import Disabled
from tellegen.frontends.python.components.system import Connected
from tellegen.frontends.python.declarations.class_info import check_still_declared, class_location
from tellegen.frontends.python.declarations.structural import decided, known_count, known_value, refuse_nameless
from tellegen.frontends.python.expressions.refusal import check_depth
from tellegen.frontends.python.expressions.symbol import Symbol
from tellegen.frontends.python.interfaces.bind import bound_parts, concrete, model_of
from tellegen.frontends.python.interfaces.interface import implementation_name
from tellegen.frontends.python.tracing.settings import Settings, trace_expressions
from tellegen.frontends.python.tracing.trace import Naming
from tellegen.ir.model import PYTHON_RULES, ChildGroup, Kind, Model
from tellegen.ir.source_location import here


def freeze(component: Component) -> Model:
    """The Model of a component as it is configured now."""
    if not isinstance(component, Component):
        raise _not_a_component(component)
    freezer = Freezer()
    try:
        return _frozen(freezer, concrete(component))
    finally:
        freezer.restore()


def _not_a_component(given: Any) -> LanguageError:
    kind = given if isinstance(given, type) else type(given)
    what = f"the class {kind.__name__}" if isinstance(given, type) else repr(given)
    advice = "pass a component"
    if isinstance(given, type) and issubclass(given, Component):
        advice = f"create an instance: {kind.__name__}()"
    elif any(hasattr(kind, method) for method in ("equations", "connections")):
        advice = f"derive the class from tg.Component: class {kind.__name__}(tg.Component):"
    return LanguageError("E151", f"a component is needed, not {what}", location=here(), advice=advice)


def _frozen(freezer: Freezer, component: Component) -> Model:
    kind = freezer.kind(component)
    settings = Settings(Naming(component, list(kind.variables), list(kind.parameters)), freezer.differs)
    if not component._open:  # the kind of a System is its own and holds its numbers already
        _fill_children(settings.naming, kind)
        settings.collect(component, level=0)
    wrong = next((given for given in settings.expressions if given.own), None)
    if wrong is not None:
        member = wrong.member
        value = wrong.value
        refuse_nameless(value)
        raise UndeclaredQuantityError(
            "E119",
            f"'{member}' of the model is given the expression '{value}', but no "
            "enclosing component declares its parameters",
            location=component._location,
            advice="give numbers here, or wrap the model in a component that declares the parameters",
        )
    if settings.expressions:
        stamps = (*kind.stamps, *settings.stamps())
        whole = replace(kind, stamps=stamps, parameters=tuple(settings.naming.parameters))
        if id(kind) in freezer.divisions:
            freezer.divisions[id(whole)] = freezer.divisions[id(kind)]
        kind = whole
    name = getattr(component, "_title", type(component).__name__)
    numbers = tuple(settings.numeric(kind))
    model = Model(
        name,
        kind,
        numbers,
        freezer.traced,
        component._experiment,
        parts=dict(bound_parts(component)),
        rules=freezer.rules,
    )
    return divided(model, freezer.divisions) if freezer.divisions else model


def _fill_children(naming: Naming, kind: Kind) -> None:
    naming.child_index = dict(kind.child_index)
    naming.group_sizes = [group.size for group in kind.groups]
    naming.group_kinds = [group.kind for group in kind.groups]


_HIDDEN_KINDS: dict[Any, Kind] = {}


def _hidden_kind(part: Any) -> Kind:
    """The kind of a part of the sweeps over a mechanism: the same in all models, so it is traced once for good."""
    freezer = Freezer()
    key = freezer.key(part)
    if key not in _HIDDEN_KINDS:
        _HIDDEN_KINDS[key] = freezer.kind(part)
    return _HIDDEN_KINDS[key]


class Freezer:
    """Makes kinds and remembers them by shape while one model is frozen."""

    def __init__(self) -> None:
        self.known: dict[Any, list[tuple[dict[str, Any], Kind]]] = {}
        self.by_class: dict[type, Kind] = {}  # of instances that have no other shape than that of their class
        self.outer_names: dict[int, dict[str, Any]] = {}  # by id(kind): outers used in it or below
        self.moved: list[tuple[Any, Any]] = []  # Systems that stand in a blank for a while, and their parents
        self.divisions: dict[int, list[Division]] = {}  # by id(kind): arrays with elements that are bound alone
        self.traced = 0
        self.rules = PYTHON_RULES

    # -- shapes -------------------------------------------------------------------------------------------------
    def key(self, instance: Any) -> Any:
        """What decides the structure of an instance."""
        if instance._open:
            return id(instance)
        cls = model_of(instance)
        if not cls._info.structural and not instance._children and not instance._elements:
            return (cls, (), ())
        instance = concrete(instance)
        values = tuple(plain(known_value(instance, decl)) for decl in cls._info.structural.values())
        has_parts = instance._children or instance._elements
        return (cls, values, self._differences(instance) if has_parts else ())

    def _differences(self, instance: Any) -> tuple[Any, ...]:
        """Children that were replaced or reshaped after the class declared (or built) them, elements of arrays, too."""
        found: list[Any] = [(name, id(element)) for name, element in instance._elements.items()]
        for name, child in instance._children.items():
            if self.differs(instance, name, child):
                count = None if child._count is None else known_count(instance, child)
                found.append((name, count, self.key(child)))
        return tuple(found)

    def differs(self, instance: Any, name: str, child: Any) -> bool:
        """Whether a child has another shape than its parent's class gives it."""
        if child._elements:
            return True
        declared = instance._info.children.get(name)
        if declared is None or (child._count is not None and not child._replaced):  # built, or an array
            reshaped = any(key in child._info.structural for key in child._values)
            return child._replaced or reshaped or bool(child._children and self._differences(child))
        if type(declared) is not type(child) or child._count is not None:
            return True
        fresh = declared._clone(instance, name)
        if child._replaced and (_lacks(child, fresh) or _lacks(child, _in_pattern(instance, name))):
            return True
        return self.key(child) != self.key(fresh)

    def kind(self, instance: Any) -> Kind:
        """The kind of an instance, made on first sight of its shape."""
        if instance._kind is not None:
            self.rules = self.rules.both(instance._rules)
            return instance._kind
        if not instance._children and type(instance) in self.by_class and not instance._elements:
            return self.by_class[type(instance)]
        key = self.key(instance)
        for outers, kind in self.known.get(key, ()):
            if all(self.key(instance._find_outer(declared)) == outers[name] for name, declared in self._outers(kind)):
                return kind
        check_still_declared(type(instance))
        blank = instance if instance._open else self._blank(concrete(instance))
        again = self._refrozen(instance) if instance._open else None
        kind = self._make(blank) if again is None else again.kind
        outers = {name: self.key(blank._find_outer(declared)) for name, declared in self._outers(kind)}
        self.known.setdefault(key, []).append((outers, kind))
        if not outers and key == (model_of(instance), (), ()):
            self.by_class[type(instance)] = kind
        return kind

    def _refrozen(self, system: Any) -> FrozenSystem | None:
        """A System of which only a few children were exchanged since another one was frozen that it is a copy of."""
        before = system._frozen
        if before is None or system._elements or before.version != system._version or system._parent is not None:
            return None
        try:
            found = Refreezing(self, system).result()
        except LanguageError:
            return None  # freezing all of it says what is wrong, where all names are known
        if found is not None:
            self.traced += 1
            system.__dict__.update(_frozen=found, _exchanged=())
        return found

    def kind_of_child(self, instance: Any, child: Any) -> Kind:
        """The kind of a child, or of the elements of an array."""
        return self.kind(_element(instance, child) if child._count is not None else child)

    def _outers(self, kind: Kind) -> list[tuple[str, Any]]:
        return list(self.outer_names.get(id(kind), {}).items())

    def _blank(self, instance: Any) -> Any:
        """An instance of the same class and shape without given values."""
        blank = object.__new__(type(instance))
        structural = {name: known_value(instance, decl) for name, decl in type(instance)._info.structural.items()}
        blank.__dict__.update(_values=structural, _parent=instance._parent, _name=instance._name, _mark=instance._mark)
        instance._materialize()
        if instance._elements:
            blank.__dict__["_elements"] = instance._elements
        for name, child in instance._children.items():
            if self.differs(instance, name, child):
                twin = self._lend(child) if child._open else self._blank(concrete(child))
                twin.__dict__.update(_parent=blank, _name=name, _replaced=True, _condition=child._condition)
                if child._count is not None:
                    twin.__dict__["_count"] = known_count(instance, child)
                blank._keep(name, twin)
        if blank._children:
            kept = dict(blank._children)
            blank._materialize()
            blank._children.update(kept)
        return blank

    def _lend(self, system: Any) -> Any:
        """A System has no class to create it from, so it serves as its own blank."""
        self.moved.append((system, system._parent))
        return system

    def restore(self) -> None:
        """Put lent Systems back."""
        while self.moved:
            system, parent = self.moved.pop()
            system._parent = parent

    # -- kinds --------------------------------------------------------------------------------------------------
    def _make(self, instance: Any) -> Kind:
        check_depth(instance)
        instance._materialize()
        members = Members(instance)
        naming = Naming(instance, members.variables, members.parameters)
        groups = self._groups(instance, naming)
        self.traced += 1
        stamps = trace_statements(naming, instance, "equations", "equation")
        if instance._freed:
            stamps = without_freed(instance, stamps, naming.variables)
        stamps += trace_statements(naming, instance, "initial_equations", "initial")
        settings = Settings(naming, self.differs)
        for child in instance._children.values():
            if not _switched_off(instance, child):
                settings.collect(child, level=1)
        stamps += trace_expressions(naming, instance, members.expressions)
        stamps += settings.stamps()
        joints = Joints(instance, naming, members.ports)
        for number, (written_ends, location, _) in enumerate(written(instance, "connections")):
            joints.pair = number * MOST_PAIRS
            if isinstance(written_ends, Connected):
                joints.join_connected(written_ends)
            else:
                joints.join(written_ends, location)
        cls = type(instance)
        partial = Kind(
            name=cls.__name__, groups=groups, variables=tuple(naming.variables), parameters=tuple(naming.parameters)
        )
        kind = Kind(
            name=getattr(instance, "_title", cls.__name__),
            description=(cls.__doc__ or "").strip().split("\n")[0] if "__doc__" in cls.__dict__ else "",
            location=class_location(cls) if not instance._open else instance._location,
            structure=tuple((name, known_value(instance, decl)) for name, decl in cls._info.structural.items()),
            variables=tuple(naming.variables),
            parameters=tuple(naming.parameters),
            ports=tuple(members.ports),
            groups=groups,
            stamps=tuple(stamps + naming.extra),
            settings=tuple(settings.numeric(partial)),
            connections=tuple(joints.connections()),
            interface=cls._implements.__name__ if cls._implements is not None else "",
            implementation=implementation_name(cls) if cls._implements is not None else "",
            mechanics=tuple(trace_mechanics(_hidden_kind, naming, members.ports)) if naming.mechanics else (),
        )
        self._note_outers(kind, cls)
        if instance._elements:
            self.divisions[id(kind)] = divisions_of(self, instance, kind)
        if instance._open:
            is_whole = not self.outer_names and not instance._elements
            kept = remembered(instance, kind, joints.columns, settings) if is_whole else None
            instance.__dict__.update(_frozen=kept, _exchanged=())
        return kind

    def _note_outers(self, kind: Kind, cls: type) -> None:
        found = {declared.name: declared for declared in cls._info.outers.values()}  # type: ignore[attr-defined]
        for group in kind.groups:
            for name, declared in self.outer_names.get(id(group.kind), {}).items():
                if name not in kind.child_index:
                    found.setdefault(name, declared)
        if found:
            self.outer_names[id(kind)] = found

    def _groups(self, instance: Any, naming: Naming) -> tuple[ChildGroup, ...]:
        """The children, grouped by kind in order of first appearance; arrays are groups of their own."""
        names: list[list[str]] = []
        locations: list[list[Any]] = []
        kinds: list[Kind] = []
        sizes: list[int] = []
        arrays: list[bool] = []
        by_kind: dict[int, int] = {}
        for name in [*instance._info.children, *instance._children]:
            if name in naming.child_index:
                continue
            child = instance._child(name)
            if isinstance(child, Disabled):
                continue
            is_array = child._count is not None
            kind = self.kind_of_child(instance, child)
            g = -1 if is_array else by_kind.get(id(kind), -1)
            if g < 0:
                g = len(kinds)
                kinds.append(kind)
                names.append([])
                locations.append([])
                sizes.append(known_count(instance, child) if is_array else 0)
                arrays.append(is_array)
                if not is_array:
                    by_kind[id(kind)] = g
            naming.child_index[name] = (g, 0 if is_array else len(names[g]))
            names[g].append(name)
            locations[g].append(child._mark)
        sizes = [size if array else len(names[g]) for g, (size, array) in enumerate(zip(sizes, arrays, strict=True))]
        naming.group_sizes = sizes
        naming.group_kinds = kinds
        columns = zip(kinds, names, sizes, arrays, locations, strict=True)
        return tuple(ChildGroup(k, tuple(n), s, a, tuple(p)) for k, n, s, a, p in columns)


def _lacks(child: Any, declared: Any) -> bool:
    """Whether a replacement leaves open what was given to the component it replaces, and would inherit it."""
    if declared is None or child._pattern is declared:
        return False
    given = {**child._base, **child._values}
    return bool(declared._children) or any(key not in given for key in (*declared._base, *declared._values))


def _in_pattern(instance: Any, name: str) -> Any:
    """The child of this name in the declaration that an instance is a copy of."""
    return instance._pattern._children.get(name) if instance._pattern is not None else None


def _switched_off(instance: Any, child: Any) -> bool:
    return child._condition is not None and not decided(instance, child._condition)


def _element(instance: Any, array: Any) -> Any:
    """One element of an array of components, as a component of its own, for its kind."""
    element = array._seen_from(instance)
    values = {k: v for k, v in {**array._base, **array._values}.items() if k in array._info.structural}
    element.__dict__.update(_count=None, _index=None, _view_of=None, _values=values, _base={})
    for value in values.values():
        if isinstance(value, Symbol):
            element.__dict__["_values"] = {k: known_value(instance, v) for k, v in values.items()}
    array.__dict__["_count"] = known_count(instance, array)
    return element
