"""The pose in which a mechanism starts, as a picture."""

from __future__ import annotations

from typing import Any

from tellegen.compile import compile_model
from tellegen.errors import users_call

_INSTANT = 1e-9  # seconds: a run that ends as it begins


@users_call
def view(model: Any, **run: Any) -> Any:
    """A mechanism as it starts: a tg.Animation, which a notebook shows in 3-D.

    tg.view(model).save("pose.png") writes a picture. `parameters` and `initial` are as for tg.simulate.
    """
    solution = compile_model(model).simulate(stop=_INSTANT, points=2, **run)
    return solution.at([0.0]).animate()
