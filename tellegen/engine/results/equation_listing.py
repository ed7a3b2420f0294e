"""The sorted equations for people and other programs."""

from __future__ import annotations

from typing import Any

from tellegen.errors import LanguageError, nearest
from tellegen.ir.reduced import ReducedModel
from tellegen.ir.show.latex import show_latex
from tellegen.ir.show.reduced_model import show_reduced
from tellegen.ir.source_location import here
from tellegen.symbolic.to_sympy import to_sympy

FORMS = {"text": show_reduced, "latex": show_latex, "sympy": to_sympy}


def equations(model: ReducedModel, form: str) -> Any:
    """The equations of a model in one of the forms."""
    if form not in FORMS:
        raise LanguageError(
            "E189", f"there is no format '{form}' of equations; {nearest(form, FORMS)}", location=here()
        )
    return FORMS[form](model)
