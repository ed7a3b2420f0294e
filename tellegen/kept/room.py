"""The room of the cache for what was made of models, and how large it may grow."""

from __future__ import annotations

ROOM = "models"
MOST_BYTES = 128_000_000
"""Of one model, a chain of a thousand bodies has half of it: a larger one takes so long to run that compiling it again
does not matter."""
MOST_BYTES_OF_ALL = 1_024_000_000
