"""A: analog code models, which compute a voltage from others.

a1 in out amp            .model amp gain(gain=4 in_offset=0 out_offset=-7.5)
a2 [a b] out sum         .model sum summer(in_gain=[1 -1])        mult as well
a3 in %vd(p n) lim       .model lim limit(gain=1e6 out_lower_limit=0 out_upper_limit=5)

Each becomes a source of voltage with an expression, as B is one. Ports are voltages of nodes or, after %vd, between
two of them. Digital parts are in digital/, the diode `zener` is in zener_model.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tellegen.errors import NetlistError
from tellegen.importers.spice.elements import zener_model
from tellegen.importers.spice.elements.controlled import law_of_voltage
from tellegen.importers.spice.elements.digital import cards as digital
from tellegen.importers.spice.netlist.sheet import Element, Sheet
from tellegen.importers.spice.netlist.words import Card

_KINDS = ("gain", "summer", "mult", "limit", "zener")
_WORD = re.compile(r"[\[\]]|%\w+|~?[^\s,()\[\]%~]+")
_NUMBERS = re.compile(r"(\w+)\s*=\s*(\[[^\]]*\]|\{[^{}]*\}|[^\s()\[\]]+)")
_PARAMETERS = {
    "gain": {"gain": 1.0, "in_offset": 0.0, "out_offset": 0.0},
    "summer": {"in_gain": 1.0, "in_offset": 0.0, "out_gain": 1.0, "out_offset": 0.0},
    "mult": {"in_gain": 1.0, "in_offset": 0.0, "out_gain": 1.0, "out_offset": 0.0},
    "limit": {"gain": 1.0, "in_offset": 0.0, "out_lower_limit": 0.0, "out_upper_limit": 1.0, "limit_range": 1e-6},
}
_FLAGS = ("fraction", "limit_switch")
"""What is true or false; limit_switch is about iterations alone."""
_SHARP = 1e-3  # of the distance of two limits: a corner that is rounded over less is one

Port = tuple[str, str]
"""A voltage between two nodes."""


@dataclass
class _Ports:
    """The ports of a code model in their order, each a list of voltages, and the name of its .model."""

    lists: list[list[Port]] = field(default_factory=list)
    model: str = ""


def code_model(sheet: Sheet, card: Card) -> None:
    """`a1 in out amp`."""
    element = Element(sheet, card)
    element.single()
    ports = _ports(element)
    kind, numbers = _model(element, ports.model)
    if kind in digital.KINDS:
        listed = [[digital.LogicPort.of(p) for p, _ in each] for each in ports.lists]
        digital.put(element, kind, listed, numbers)
        return
    if kind == "zener":
        zener_model.put(element, [node for each in ports.lists for node, _ in each], numbers)
        return
    if len(ports.lists) != 2 or len(ports.lists[1]) != 1:
        raise element.wrong(
            f"'{card.name}' needs its inputs, one output and a model", "a1 in out amp, a1 [a b] out sum"
        )
    inputs = [f"v({p},{n})" for p, n in ports.lists[0]]
    if kind in ("gain", "limit") and len(inputs) != 1:
        raise element.wrong(f"'{card.name}' is a {kind}, which has one input", f"{card.name} in out {ports.model}")
    p, n = ports.lists[1][0]
    law_of_voltage(sheet, Card((card.words[0], p, n), (), card.line), _law(element, kind, inputs, numbers))


def _ports(element: Element) -> _Ports:
    """The words of a card: names, lists in brackets, and what kind of port the next one is."""
    words = _WORD.findall(re.sub(r"~\s+", "~", element.card.line.text))[1:]
    found = _Ports(model=words.pop() if words else "")
    inside: list[Port] | None = None
    kind = "%v"
    k = 0
    while k < len(words):
        word = words[k]
        k += 1
        if word == "[":
            inside = []
        elif word == "]" and inside is not None:
            found.lists.append(inside)
            inside, kind = None, "%v"
        elif word[0] == "%":
            kind = word
            if kind not in ("%v", "%vd", "%d", "%gd"):
                raise element.wrong(f"'{element.name}' has a port {kind}", "ports are voltages here: %v, %vd and %d")
        else:
            n = "0" if kind != "%vd" or k == len(words) else words[k]
            k += kind == "%vd"
            if inside is not None:
                inside.append((word, n))
                continue
            found.lists.append([(word, n)])
            kind = "%v"
    return found


def _model(element: Element, name: str) -> tuple[str, dict[str, list[float]]]:
    """The type and the numbers of the .model."""
    card, scope = element.sheet.scope.model(name, element.card)
    kind = card.words[2]
    if kind not in _KINDS and kind not in digital.KINDS:
        raise NetlistError(
            "E505",
            f"the code model '{name}' of '{element.name}' is of the type {kind.upper()}",
            location=card.location,
            details=[f"used at {element.location}"],
            advice=f"understood are {', '.join((*_KINDS, *digital.KINDS))}",
        )
    found: dict[str, list[float]] = {}
    for key, text in _NUMBERS.findall(card.line.text):
        if key in _FLAGS and text in ("false", "f", "0", *(("true", "t", "1") if key == "limit_switch" else ())):
            continue
        if kind in _PARAMETERS and key not in _PARAMETERS[kind]:
            known = ", ".join(_PARAMETERS[kind])
            raise NetlistError(
                "E507",
                f"{kind.upper()} has no effect for {key.upper()} of the model '{name}'",
                location=card.location,
                advice=f"it has {known}",
            )
        words = re.findall(r"\{[^{}]*\}|[^\s,]+", text.strip("[]"))
        found[key] = [scope.value(word, card.location) for word in words]
    return kind, found


def _law(element: Element, kind: str, inputs: list[str], numbers: dict[str, list[float]]) -> str:
    """The expression of the voltage."""

    def number(name: str, k: int = 0) -> float:
        given = numbers.get(name, [])
        return given[k] if k < len(given) else _PARAMETERS[kind][name]

    if kind == "gain":
        return f"({number('gain')!r})*({inputs[0]}+({number('in_offset')!r}))+({number('out_offset')!r})"
    if kind == "limit":
        low, high = number("out_lower_limit"), number("out_upper_limit")
        if not number("limit_range") <= _SHARP * (high - low):
            what = f"the corners of '{element.name}' are rounded over limit_range={number('limit_range'):g}"
            raise element.wrong(what, "make limit_range a thousandth of the distance of the limits at most")
        return f"limit(({number('gain')!r})*({inputs[0]}+({number('in_offset')!r})),({low!r}),({high!r}))"
    sign = "+" if kind == "summer" else "*"
    terms = [f"({number('in_gain', k)!r})*({each}+({number('in_offset', k)!r}))" for k, each in enumerate(inputs)]
    return f"({number('out_gain')!r})*({sign.join(terms)})+({number('out_offset')!r})"
