"""Anything -> CompiledModel: from the cache where it was compiled before, else by the stages.

A model is found in the cache by its content, so what was compiled from other text is never taken for it. The stages are
imported when they are needed, for that takes longer than to compile a small model. A process looks in the cache until
it has needed the stages once; classes of Modelica, whose content is known without looking at it, are always looked for.
What was made of a model is written when nobody needs it any more, or at exit: with all that runs asked for.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import finalize

from tellegen.engine.compiled import CompiledModel, CompiledVersion
from tellegen.engine.native.extents import EXTENTS
from tellegen.errors import users_call
from tellegen.frontends.python.components.component import Component
from tellegen.ir.check.faults import checking
from tellegen.ir.expressions.expr import Function
from tellegen.ir.flat import FlatModel
from tellegen.ir.initial import InitialOrder
from tellegen.ir.model import Model
from tellegen.ir.ode import OdeCode
from tellegen.ir.program import NativeText, Program
from tellegen.ir.reduced import BoolArray, ReducedModel, Wanted
from tellegen.kept.code_stamp import code_stamp
from tellegen.kept.files import keep, make_room, own_room
from tellegen.kept.pickles import NotKeptError, kept_record, to_bytes
from tellegen.kept.room import MOST_BYTES, MOST_BYTES_OF_ALL, ROOM
from tellegen.start.garbage_collection import collection_paused, lasting
from tellegen.start.records import dataclass

_STAGES = "tellegen.stages"
_MOST_BYTES_TO_LOOK = 4_000_000
"""Of a Model that is turned into bytes to look for it: with a larger one that takes too long to do it in vain."""
_SOURCES = (
    *("ir", "symbolic", "graph", "dataflow", "network", "variation", "procedures"),
    *("flatten", "structure", "codegen", "engine/loaded"),
    *("stages.py", "compile.py", "units.py", "known_units.py"),
)
"""The code that decides what is made of a Model."""


@dataclass
class MadeOfModel:
    """All that the stages have made of one Model so far."""

    reduced: ReducedModel
    program: Program
    native: NativeText
    ode: OdeCode | None = None
    initial: dict[str, InitialOrder] = field(default_factory=dict)


class Recompile:
    """The stages before the engine, for what is compiled during a run (engine/loaded/native_model.py: Recompiler)."""

    def __init__(self, made: MadeOfModel | None = None, place: Path | None = None) -> None:
        self._made = made
        self._place = place
        self._is_kept = True  # as it is now

    def __reduce__(self) -> tuple[Any, ...]:
        return Recompile, ()

    def compile(self, model: ReducedModel | FlatModel) -> CompiledModel:
        import_stages()
        from tellegen.stages import compile_stages

        return compile_stages(model, Recompile())

    def ode_mode(self, model: ReducedModel) -> OdeCode:
        made = self._made
        if made is None or model is not made.reduced:
            return _ode_code(model)
        code = made.ode
        if code is None:
            code = made.ode = _ode_code(model)
            self._keep_at_last()
        return code

    def initial_order(self, model: ReducedModel, wanted: Wanted, kept: BoolArray) -> InitialOrder:
        made = self._made
        if made is None or model is not made.reduced:
            return _initial_order(model, wanted, kept)
        key = hashlib.sha256(b"".join(part.tobytes() for part in (wanted.value, wanted.rate, kept))).hexdigest()
        if key not in made.initial:
            made.initial[key] = _initial_order(model, wanted, kept)
            self._keep_at_last()
        return made.initial[key]

    def animate(self, solution: Any, **options: Any) -> Any:
        from tellegen.animation.animation import Animation
        from tellegen.animation.mechanism.mechanism_scene import mechanism_scene

        return Animation(mechanism_scene(solution, **options))

    def keep_as(self, place: Path, made: MadeOfModel) -> None:
        """Keep what was made, and what will be made of the same model."""
        self._made = made
        self._place = place
        self._keep_at_last()

    def _keep_at_last(self) -> None:
        """Write what was made when this is gone, which is when no model has it any more."""
        if self._is_kept and self._place is not None and self._made is not None:
            self._is_kept = False
            finalize(self, _keep, self._made, self._place)


def import_stages() -> None:
    """All stages at once, on first use."""
    if _STAGES not in sys.modules:
        with lasting():
            import_module(_STAGES)


def _ode_code(model: ReducedModel) -> OdeCode:
    import_stages()
    from tellegen.stages import ode_code

    return ode_code(model)


def _initial_order(model: ReducedModel, wanted: Wanted, kept: BoolArray) -> InitialOrder:
    import_stages()
    from tellegen.stages import initial_order

    return initial_order(model, wanted, kept)


@users_call
def compile_model(component: Any, formulation: str = "connections") -> CompiledModel:
    """Anything up to here -> CompiledModel; a compiled one is returned as it is.

    `formulation="graph"` writes the equations of connections by circuits and cut-sets of the normal tree of the model's
    linear graph (see tg.system_graph) instead of equal potentials and sums of flows. The solution is the same.
    """
    if isinstance(component, CompiledModel):
        return component
    place, model = _place_of(component, formulation)
    made: MadeOfModel | None = kept_record(place) if place is not None else None
    if made is None:
        compiled = _by_stages(component, model, formulation, place)
    else:
        compiled = CompiledModel(made.reduced, made.program, made.native, Recompile(made, place))
    return replace(compiled, source=CompiledVersion(component)) if isinstance(component, Component) else compiled


@contextmanager
def compiled_for(component: Any) -> Iterator[CompiledModel]:
    """A model for one call: where it is compiled here, nothing of it waits for further runs after that."""
    compiled = compile_model(component)
    try:
        yield compiled
    finally:
        if compiled is not component:
            compiled.let_go()


def content_of(model: Model) -> str:
    """A name for the content of a Model; empty where it leads to functions of a user, or is too large to be kept."""
    from tellegen.frontends.python.building.hidden_kinds import HiddenKinds

    by_name = {HiddenKinds: HiddenKinds.by_name}
    try:
        with collection_paused():
            content = to_bytes(model, rejected=(Function,), reduced=by_name, most=_MOST_BYTES_TO_LOOK)
            return hashlib.sha256(content).hexdigest()
    except NotKeptError:
        return ""


def _place_of(component: Any, formulation: str) -> tuple[Path | None, Model | None]:
    """Where what was made of a component is kept, if it is, and the Model where that had to be made."""
    room = own_room(ROOM) if EXTENTS is None and not checking() else None
    if room is None:
        return None, None
    model = None
    if isinstance(component, Component | Model):
        if _STAGES in sys.modules:
            return None, None
        model = component if isinstance(component, Model) else _frozen(component)
        content = content_of(model)
    else:
        content = getattr(component, "content", "")
    if not isinstance(content, str) or not content:
        return None, model
    key = hashlib.sha256(f"{code_stamp(*_SOURCES)} {formulation} {content}".encode()).hexdigest()
    return room / f"{key}.compiled", model


def _frozen(component: Component) -> Model:
    from tellegen.frontends.python.building.freeze import freeze

    return freeze(component)


def _by_stages(component: Any, model: Model | None, formulation: str, place: Path | None) -> CompiledModel:
    recompile = Recompile()
    import_stages()
    from tellegen.stages import compile_stages

    compiled = compile_stages(component, recompile, formulation, model)
    if place is not None:
        recompile.keep_as(place, MadeOfModel(compiled.reduced, compiled.program, compiled.native))
    return compiled


def _keep(made: MadeOfModel, place: Path) -> None:
    from tellegen.frontends.python.building.hidden_kinds import HiddenKinds

    try:
        with collection_paused():
            data = to_bytes(made, rejected=(Function,), reduced={HiddenKinds: HiddenKinds.without}, most=MOST_BYTES)
    except NotKeptError:
        return
    keep(place, data)
    make_room(place.parent, MOST_BYTES_OF_ALL)
