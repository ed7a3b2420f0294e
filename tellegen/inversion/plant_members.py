"""Members of a model by path, as equations of a component around it name them."""

from __future__ import annotations

import re
from typing import Any

from tellegen.errors import DesignError
from tellegen.frontends.python.declarations.leaf import Leaf
from tellegen.ir.source_location import here

_STEP = re.compile(r"([A-Za-z_]\w*)|\[(\d+)\]")


def member_at(component: Any, path: str) -> Any:
    """The scalar variable at a path: "load.phi", "arm.q[1]". Names that do not exist are answered with similar ones."""
    found = owner_at(component, path)[2]
    if not isinstance(found, Leaf) or found.shape or getattr(found.decl, "role", "") == "":
        what = f"'{path}' is not a scalar variable of {type(component).__name__}"
        raise DesignError("E681", what, location=here(), advice="name one, or one element: 'arm.q[0]'")
    return found


def owner_at(component: Any, path: str) -> tuple[Any, str, Any]:
    """What holds a member, the member's name there, and the member."""
    owner = component
    name = ""
    found = component
    position = 0
    while position < len(path):
        step = _STEP.match(path, position)
        if step is None:
            what = f"'{path}' is not a path"
            raise DesignError("E681", what, location=here(), advice="write names with dots: 'load.phi', 'arm.q[1]'")
        if step[1] is not None:
            owner = found
            name = step[1]
            found = getattr(found, name)
        else:
            found = found[int(step[2])]
        position = step.end() + (path[step.end() : step.end() + 1] == ".")
    return owner, name, found
