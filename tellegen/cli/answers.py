"""Whatever goes wrong in a command, as a message and an exit code."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from tellegen import cli
from tellegen.cli.target import Target, TargetError, fault, is_ours, is_users
from tellegen.errors import InternalError, TellegenError


@contextmanager
def answers(text: str) -> Iterator[Console]:
    """Turn whatever goes wrong into a message and an exit code; TELLEGEN_DEBUG=1 shows the traceback instead."""
    errors = Console(stderr=True, highlight=False)
    try:
        with _warnings_as_notes(errors):
            yield errors
    except TargetError as error:
        cli.report.print_refusal(str(error), errors)
        raise typer.Exit(2) from error
    except TellegenError as error:
        if error.location is not None and "site-packages" in Path(error.location.file).parts:
            error.location = None  # the caller is the command line's machinery, not a line of the user's
        cli.report.print_error(error, errors)
        raise typer.Exit(1) from error
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:  # the user's equations() may raise anything, and so may a fault of ours
        if os.environ.get("TELLEGEN_DEBUG"):
            raise
        raise typer.Exit(_unexpected(error, Target.parse(text), errors)) from error


@contextmanager
def _warnings_as_notes(errors: Console) -> Iterator[None]:
    """What is said to the user as a warning, without the line of our machinery that was being carried out."""
    with warnings.catch_warnings():
        usual = warnings.showwarning
        told: set[str] = set()  # a class that is looked at twice says the same twice

        def show(message: Warning | str, category: type[Warning], *place: Any) -> None:
            if category is UserWarning:
                if str(message) not in told:
                    cli.report.print_warning(str(message), errors)
                told.add(str(message))
            else:
                usual(message, category, *place)

        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _unexpected(error: Exception, target: Target, errors: Console) -> int:
    """Whose fault an exception is: of the innermost line that is the user's or ours."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if is_users(frame.filename, target.file):
            cli.report.print_refusal(fault(error, target.file), errors)
            return 2
        if is_ours(frame.filename):
            break
    internal = InternalError(
        "E900",
        f"internal error: {type(error).__name__}: {error}",
        details=[fault(error, target.file)],
        advice="please report this with the model; TELLEGEN_DEBUG=1 shows the traceback",
    )
    cli.report.print_error(internal, errors)
    return 1
