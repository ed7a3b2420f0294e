"""The room of the cache for what was made of models, and how large it may grow."""

from __future__ import annotations

ROOM = "models"
MOST_BYTES = 16_000_000
"""Of one model: a larger one takes so long to run that compiling it again does not matter."""
MOST_BYTES_OF_ALL = 512_000_000
