"""The command line `tellegen`: check a model, show what it stands for."""

from tellegen.cli.app import main

__all__ = ["main"]
