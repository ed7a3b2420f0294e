"""Attributes of XML elements as values, and values as attributes: the lexical forms of XML Schema."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tellegen.xml.elements import Element


def number(element: Element, name: str) -> float | None:
    """An attribute of type xs:double, or None where it is absent."""
    word = element.attributes.get(name)
    return None if word is None else number_of(element, name, word)


def number_of(element: Element, name: str, word: str) -> float:
    """A word of an attribute as a number; INF and NaN as XML Schema writes them."""
    try:
        return float(word if "_" not in word else "")
    except ValueError:
        raise element.wrong(f"{name}='{word}' of {element} is not a number", "write it as 1.5 or 2e-3") from None


def flag(element: Element, name: str, default: bool = False) -> bool:
    """An attribute of type xs:boolean."""
    word = element.attributes.get(name)
    return default if word is None else flag_of(element, name, word)


def flag_of(element: Element, name: str, word: str) -> bool:
    """A word of an attribute as true or false."""
    if word in ("true", "1"):
        return True
    if word in ("false", "0"):
        return False
    raise element.wrong(f"{name}='{word}' of {element} is neither true nor false", "write true or false")


def integer(element: Element, name: str) -> int | None:
    """An attribute of an integer type, or None where it is absent."""
    word = element.attributes.get(name)
    return None if word is None else integer_of(element, name, word)


def integer_of(element: Element, name: str, word: str) -> int:
    """A word of an attribute as an integer."""
    digits = word.strip().removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 20):
        raise element.wrong(f"{name}='{word}' of {element} is not an integer", "write digits only")
    return int(word)


def reference(element: Element, name: str = "valueReference") -> int:
    """A value reference: 32 bits without a sign."""
    word = element.word(name)
    value = integer_of(element, name, word)
    if not 0 <= value < 2**32:
        raise element.wrong(f"{name}='{word}' of {element} has more than 32 bits", "value references have 32 bits")
    return value


def one_of(element: Element, name: str, choices: Sequence[str], default: str | None) -> str | None:
    """An attribute that is one of a few words, or the default."""
    return None if default is None and name not in element.attributes else element.choice(name, choices, default)


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    return repr(float(value)).removesuffix(".0")


def flag_text(value: bool) -> str | None:
    """An attribute that is false by default: left out where it is."""
    return "true" if value else None
