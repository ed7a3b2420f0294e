"""What is wrong with values, said where no source is at hand; evaluation adds file, line and column (E565 to E579)."""

from __future__ import annotations

from tellegen.errors import ModelicaError
from tellegen.ir.source_location import SourceLocation


class EvaluationError(Exception):
    """A ModelicaError to be: its code, message and advice."""

    def __init__(self, code: str, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.advice = advice

    def located(self, location: SourceLocation) -> ModelicaError:
        """The error with its place in the text."""
        return ModelicaError(self.code, self.message, location=location, advice=self.advice)


class NotInlinedError(ModelicaError):
    """The same as NotInlinableError, with its place in the text."""


class NotCompiledError(NotInlinedError):
    """The same as NotCompilableError, with its place in the text."""


class NotInlinableError(EvaluationError):
    """A body that cannot be replaced by expressions; native code may run it all the same."""

    def located(self, location: SourceLocation) -> NotInlinedError:
        """The error with its place in the text."""
        return NotInlinedError(self.code, self.message, location=location, advice=self.advice)


class NotCompilableError(NotInlinableError):
    """A body that neither expressions nor native code replace; it is interpreted while a simulation runs."""

    def located(self, location: SourceLocation) -> NotCompiledError:
        """The error with its place in the text."""
        return NotCompiledError(self.code, self.message, location=location, advice=self.advice)


def not_supported(construct: str, advice: str = "") -> EvaluationError:
    """The one refusal for what Tellegen has no meaning for; `construct` is its name in Modelica."""
    return EvaluationError("E565", f"{construct} is not supported", advice)
