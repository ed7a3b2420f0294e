"""What all searches return: a result that is a success unless a message says why not."""

from __future__ import annotations

from tellegen.analyses.sensitivities.sensitivity import SensitivityModel
from tellegen.sheet import Result


class SearchResult(Result):
    """The result of a search with a model."""

    def __init__(self, made: SensitivityModel, message: str) -> None:
        self._made = made
        self._message = message

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._made.plain.flat.name

    @property
    def success(self) -> bool:
        """Whether the method ended as it should and all constraints hold."""
        return not self._message

    @property
    def message(self) -> str:
        """Why it is not a success."""
        return self._message
