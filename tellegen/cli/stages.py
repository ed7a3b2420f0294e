"""The text of a stage of a model, for `tellegen show`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tellegen as tg
from tellegen.ir.show.flat_model import show_flat
from tellegen.ir.show.reduced_model import show_reduced
from tellegen.ir.show.statements import show_model
from tellegen.stages import build_model, flatten_model, reduce_model, sort_model

TEXT_OF_STAGE: dict[str, Callable[[Any], str]] = {
    "model": lambda component: show_model(build_model(component)),
    "flat": lambda component: show_flat(flatten_model(component)),
    "reduced": lambda component: show_reduced(reduce_model(component)),
    "sorted": lambda component: show_reduced(sort_model(component)),
    "schedule": lambda component: str(tg.compile(component).schedule()),
}
