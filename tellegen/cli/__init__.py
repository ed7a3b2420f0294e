"""The command line `tellegen`: check a model, show what it stands for.

`app` declares the commands; what they do is imported by the command that is asked for, so that `tellegen --help` and a
misspelt option are answered at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tellegen.cli import (
        app,
        browse,
        convert,
        find,
        fmu,
        library,
        modelica,
        report,
        run,
        stages,
        sweep,
        sync,
        values,
    )
    from tellegen.cli.app import main

__all__ = [
    "app",
    "browse",
    "convert",
    "find",
    "fmu",
    "library",
    "main",
    "modelica",
    "report",
    "run",
    "stages",
    "sweep",
    "sync",
    "values",
]


if not TYPE_CHECKING:  # a type checker that saw this function would accept any name

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'tellegen.cli' has no attribute {name!r}")
        return import_module("tellegen.cli.app").main if name == "main" else import_module(f"tellegen.cli.{name}")
