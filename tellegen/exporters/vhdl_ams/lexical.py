"""Words of VHDL-AMS: identifiers, numbers, strings."""

from __future__ import annotations

import math
import re

from tellegen.exporters.source.identifiers import ascii_name

_RESERVED = """
abs access across after alias all and architecture array assert attribute begin block body break buffer bus case
component configuration constant disconnect downto else elsif end entity exit file for function generate generic group
guarded if impure in inertial inout is label library limit linkage literal loop map mod nand nature new next noise nor
not null of on open or others out package port postponed procedural procedure process pure quantity range record
reference register reject rem report return rol ror select severity shared signal sla sll spectrum sra srl subnature
subtype terminal then through to tolerance transport type unaffected units until use variable wait when while with xnor
xor
"""
_VISIBLE = """
real integer boolean natural positive string time now real_vector sqrt exp log log10 sin cos tan arcsin arccos arctan
sinh cosh tanh floor ceil sign realmax realmin work ieee std standard true false choose whole math_pi domain
electrical magnetic translational rotational thermal fluidic voltage current displacement force angle torque
temperature heat_flow pressure vflow_rate mmf flux
"""
RESERVED = frozenset(_RESERVED.split()) | frozenset(_VISIBLE.split())
_IDENTIFIER = re.compile(r"[A-Za-z](_?[A-Za-z0-9])*")
_LARGEST = 1.7e308


def identifier(name: str) -> str:
    """A basic identifier where the name is one and is not reserved, else an extended one between backslashes."""
    name = ascii_name(name)
    if _IDENTIFIER.fullmatch(name) and name.lower() not in RESERVED:
        return name
    return "\\" + name.replace("\\", "\\\\") + "\\"


def number(value: float) -> str:
    """A real literal, which needs a point, that reads back as the same number."""
    value = float(value)
    if math.isinf(value):
        value = math.copysign(_LARGEST, value)
    text = repr(value)
    if "." not in text:
        mantissa, mark, exponent = text.partition("e")
        text = f"{mantissa}.0{mark}{exponent}"
    return text


def string(text: str) -> str:
    """A string literal on one line."""
    return '"' + text.replace('"', '""').replace("\n", " ") + '"'


def comment(text: str) -> str:
    """A comment at the end of a line; empty for no text."""
    text = " ".join(text.split())
    return f"  -- {text}" if text else ""
