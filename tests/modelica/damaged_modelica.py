"""Random damage to Modelica text: words left out, doubled, exchanged, bytes changed."""

from __future__ import annotations

import numpy as np

from tellegen.frontends.modelica.syntax.lexer import KEYWORDS, tokens_of

_WORDS = (*sorted(KEYWORDS), *"()[]{};,.:=+-*/^<>", ":=", "==", '"', "'", "/*", "*/", "//", "1e999", "é", "\0", "x")


def damaged(text: str, rng: np.random.Generator) -> str:
    """A text with up to three things wrong."""
    for _ in range(rng.integers(1, 4)):
        text = _bytes(text, rng) if rng.integers(4) == 0 else _words(text, rng)
    return text


def _words(text: str, rng: np.random.Generator) -> str:
    words = tokens_of(text)
    at, other = (int(number) for number in rng.integers(len(words), size=2))
    way = rng.integers(5)
    if way == 0:
        del words[at]
    elif way == 1:
        words.insert(at, words[other])
    elif way == 2:
        words[at], words[other] = words[other], words[at]
    elif way == 3:
        words[at] = _WORDS[rng.integers(len(_WORDS))]
    else:
        words = words[: at + 1]
    return " ".join(words)


def _bytes(text: str, rng: np.random.Generator) -> str:
    data = bytearray(text.encode())
    for _ in range(rng.integers(1, 4)):
        data[rng.integers(len(data))] = rng.integers(256)
    return data.decode(errors="replace")
