"""The tree of a system: its interfaces, their implementations, and the interfaces inside these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tellegen.errors import BindingError
from tellegen.frontends.python.components.component import Component
from tellegen.frontends.python.interfaces.bind import slot_of, stand_in
from tellegen.frontends.python.interfaces.choice import chosen
from tellegen.frontends.python.interfaces.interface import default_of, implementation_name
from tellegen.ir.source_location import here
from tellegen.model_space.tree import Alternative, Slot

DEEPEST = 60  # interfaces inside each other


class Growth:
    """Grows the tree of one system; what is alike is grown once."""

    def __init__(self, candidates: Mapping[str, Sequence[Any]]) -> None:
        self.candidates = dict(candidates)
        self.known: dict[Any, tuple[Slot, ...]] = {}
        self.made: dict[Any, Alternative] = {}
        self.inside: list[Any] = []  # the implementations around what is grown now

    def slots(self, component: Any, above: str, place: str) -> tuple[Slot, ...]:
        """The slots in a component and in its parts. `place` is its path in the system, `above` that in its slot."""
        component._materialize()
        found: list[Slot] = []
        for name in dict.fromkeys([*component._info.children, *component._children]):
            child = component._child(name)
            if not isinstance(child, Component):  # switched off
                continue
            path = f"{above}{name}"
            own = f"{place}.{name}" if place else name
            if slot_of(child) is not None:
                found.append(self._slot(child, path, own))
            else:
                found += self._below(child, path, own)
        return tuple(found)

    def _below(self, child: Any, path: str, place: str) -> list[Slot]:
        """The slots in a part that is none itself; parts that are as their class made them are alike."""
        plain = not child._children and not child._values and not child._info.structural and not child._open
        if not plain or any(key.startswith(f"{place}.") for key in self.candidates):
            return list(self.slots(child, f"{path}.", place))
        key = type(child)
        if key not in self.known:
            self.known[key] = self.slots(child, "", place)
        return [_moved(slot, path) for slot in self.known[key]]

    def _slot(self, child: Any, path: str, place: str) -> Slot:
        interface = slot_of(child)
        given = self.candidates.pop(place, None)
        if given is None:
            given = list(interface._family.members)
        elif isinstance(given, str) or not len(given):
            what = f"the candidates of '{place}' are {given!r}"
            advice = f"a list of names, classes or parts: candidates={{'{place}': {list(interface._family.members)}}}"
            raise BindingError("E807", what, location=here(), advice=advice)
        default = default_of(interface)
        now = implementation_name(type(child)) if not child._is_interface else default.name if default else ""
        return Slot(
            path,
            interface.__name__,
            tuple(self._alternative(child, interface, one, place) for one in given),
            now,
            not child._is_interface,
            _numbers(child),
        )

    def _alternative(self, child: Any, interface: Any, given: Any, place: str) -> Alternative:
        choice = chosen(interface, given, place)
        model = choice.model
        said = model._implementation
        name = given if isinstance(given, str) else implementation_name(model)
        if choice.part is not None:
            name = choice.part.name
        parts = self._inner(child, model, place)
        key = (name, model, id(parts), given if isinstance(given, str) else id(given))
        if key in self.made:
            return self.made[key]
        self.made[key] = Alternative(
            name,
            parts,
            dict(said.tags) if said is not None else {},
            (model.__doc__ or "").strip().split("\n")[0],
            domains(model),
            None if name == given else given,
            _limits(model),
        )
        return self.made[key]

    def _inner(self, child: Any, model: Any, place: str) -> tuple[Slot, ...]:
        """The interfaces that an implementation is a network of."""
        endless = model in self.inside and not model._info.structural
        if endless or len(self.inside) > DEEPEST:
            raise BindingError(
                "E807",
                f"{model.__name__} contains the interface that it implements, so the models have no end",
                location=here(),
                advice="give candidates for the inner interface that do not contain it",
            )
        mine = any(path.startswith(f"{place}.") for path in self.candidates)
        alike = not mine and not model._info.structural and type(child) is not model
        if alike and model in self.known:
            return self.known[model]
        self.inside.append(model)
        found = self.slots(child if type(child) is model else stand_in(child, model), "", place)
        self.inside.pop()
        if alike:
            self.known[model] = found
        return found


def _moved(slot: Slot, path: str) -> Slot:
    """The slot inside a part of this path."""
    return Slot(f"{path}.{slot.path}", slot.interface, slot.alternatives, slot.chosen, slot.decided, slot.values)


def _numbers(child: Any) -> dict[str, float]:
    """The numbers given to parameters of a slot, in declared units; arrays and expressions are left out."""
    info = slot_of(child)._info
    given = {name: decl.value for name, decl in info.parameters.items()}
    given |= {name: value for name, value in {**child._base, **child._values}.items() if name in info.parameters}
    return {name: float(value) for name, value in given.items() if isinstance(value, (int, float, np.number))}


def _limits(model: Any) -> dict[str, tuple[float | None, float | None]]:
    """The bounds that an implementation declares for its parameters."""
    bounds = {name: (decl.min, decl.max) for name, decl in model._info.parameters.items()}
    return {name: pair for name, pair in bounds.items() if pair != (None, None) and all(map(_is_bound, pair))}


def _is_bound(value: Any) -> bool:
    return value is None or isinstance(value, (int, float))


def domains(model: Any) -> tuple[str, ...]:
    """The energy domains of the ports of a class and of the parts inside it; ports under a condition do not count."""
    found: dict[str, None] = {}
    waiting = [model]
    seen: set[Any] = set()
    while waiting:
        cls = waiting.pop()
        if cls in seen:
            continue
        seen.add(cls)
        found |= dict.fromkeys(domain_of(port) for port in cls._info.ports.values() if port._condition is None)
        waiting += [type(child) for child in cls._info.children.values() if slot_of(child) is None]
    return tuple(sorted(found))


def domain_of(port: Any) -> str:
    """The energy domain of a port: what its class says, or the part of the library it is from."""
    said = getattr(type(port), "domain", None)
    if isinstance(said, str):
        return said
    module = type(port).__module__.split(".")
    if module[:2] == ["tellegen", "library"] and len(module) > 2:
        return module[2]
    return type(port).__name__
