"""Modelica text to tokens: a plain list of strings, made in C by one regular expression.

A token is known by its first character (a letter, a digit, a quotation mark ...), so that no token objects are
needed. Blanks and comments are a prefix of the token after them. What is not Modelica is a token too: a stray
character by itself, a string or comment without an end together with the rest of the file; the parser reports it.
"""

from __future__ import annotations

import re
from string import ascii_letters, digits

# Groups are not possessive: before Python 3.11.4 those of some forms match too little.
STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*"'
COMMENT = r"(?://[^\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*/)"
BLANKS = rf"\s*+(?:{COMMENT}\s*+)*"
QUOTED_NAME = r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*'"
_TOKEN = (
    r"[A-Za-z_]\w*+"
    r"|[()\[\]{},;+]"
    rf"|{STRING}"
    r"|[0-9]++(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?"
    r"|\.[0-9]++(?:[eE][+-]?[0-9]++)?"
    r"|[:<>=]=|<>|\.[-+*/^]"
    r"|/\*[\s\S]*+|\"[\s\S]*+"  # without an end
    rf"|{QUOTED_NAME}"
    r"|\S|$"
)
TOKEN = re.compile(f"{BLANKS}({_TOKEN})", re.ASCII | re.DOTALL)

END_OF_FILE = ""
LETTERS = frozenset(ascii_letters + "_'")  # an identifier or a keyword begins with one of these
DIGITS = frozenset(digits)
_RESERVED = """
    algorithm and annotation block break class connect connector constant constrainedby der discrete each else elseif
    elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import
    impure in initial inner input loop model not operator or outer output package parameter partial protected public
    pure record redeclare replaceable return stream then time true type when while within
"""
KEYWORDS = frozenset(_RESERVED.split())

_ESCAPES = {"'": "'", '"': '"', "?": "?", "\\": "\\"} | dict(zip("abfnrtv", "\a\b\f\n\r\t\v", strict=True))
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def tokens_of(text: str) -> list[str]:
    """All tokens of a text and two times END_OF_FILE, so that the token after the next can always be looked at."""
    return [*tokens_between(text, 0, len(text)), END_OF_FILE, END_OF_FILE]


def tokens_between(text: str, begin: int, end: int) -> list[str]:
    """The tokens of a part of a text."""
    tokens = TOKEN.findall(text, begin, end)
    while tokens and not tokens[-1]:
        tokens.pop()
    return tokens


def is_identifier(token: str) -> bool:
    """Whether a token is a name, and not a keyword."""
    return token[:1] in LETTERS and token not in KEYWORDS and token != "'"


def is_unclosed(token: str) -> bool:
    """Whether a token is a string or a comment that has no end."""
    if token[:1] == '"':
        return re.fullmatch(STRING, token, re.DOTALL) is None
    return token[:2] == "/*"


def unescaped(token: str) -> str:
    """The string that a string literal stands for; a backslash before any other character stays."""
    if "\\" not in token:
        return token[1:-1]
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[1], found[0]), token[1:-1])
