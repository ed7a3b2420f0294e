"""One part of a circuit as lines of a netlist, by the name of its class."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

from tellegen.errors import ExportError
from tellegen.exporters.spice.parts import Part
from tellegen.exporters.spice.waveforms import WAVEFORMS, number

_CELSIUS = 273.15
_ROOM = 300.15  # 27 degrees, the temperature of SPICE by default
_SIZES = {"Voltage": "V", "Current": "I"}
_GEOMETRY = ("W", "L", "Ad", "As", "Pd", "Ps")
_NOT_OF_THE_MODEL = ("T", "T_ref", "Gmin", "use_heat_port", "effects", *_GEOMETRY)
_MODELS = {"Diode": "D", "NPN": "NPN", "PNP": "PNP", "NMOS": "NMOS", "PMOS": "PMOS", "NJFET": "NJF", "PJFET": "PJF"}
_LETTERS = {"D": "D", "NPN": "Q", "PNP": "Q", "NMOS": "M", "PMOS": "M", "NJF": "J", "PJF": "J"}
_PINS = {"D": ("p", "n"), "Q": ("C", "B", "E"), "M": ("D", "G", "S", "B"), "J": ("D", "G", "S")}
_NOT_OF_A_JFET = ("Pb_b", "Eg", "Xti")  # act with the heat port, or stand for what the temperature makes of B
_INFINITE_AT_ZERO = ("Vaf", "Var", "Ikf", "Ikr", "Vtf", "Itf", "Bv", "Kp", "Tox", "Rbm", "Isr")


def has_card(name: str) -> bool:
    """Whether a class of the library has a card in a netlist."""
    return name in _MODELS or name in _CARDS or _waveform(name) is not None


def cards(part: Part) -> list[str]:
    """The lines of a part; E431 for a class that SPICE does not have."""
    name = part.class_name
    waveform = _waveform(name)
    if waveform is not None:
        letter = _SIZES[name[-len("Voltage") :]]
        return [f"{letter}{part.name} {part.at('p')} {part.at('n')} {waveform(part, letter)}"]
    if name in _MODELS:
        return list(_semiconductor(part))
    if name in _CARDS:
        return list(_CARDS[name](part))
    what = f"'{part.path}' is of the class {name}, which has no card in a SPICE netlist"
    advice = "write the part of the model that is a circuit, or put a source in its place"
    raise ExportError("E431", what, location=part.location, advice=advice)


def _waveform(name: str) -> Callable[[Part, str], str] | None:
    """The waveform of a voltage or current source."""
    kind = name[: -len("Voltage")]
    return WAVEFORMS.get(kind) if name[len(kind) :] in _SIZES else None


def _resistor(part: Part) -> Iterator[str]:
    _refuse_heat(part)
    yield f"R{part.name} {part.at('p')} {part.at('n')} {number(part.number('R'))}{_warm(part, 'T_ref')}"


def _conductor(part: Part) -> Iterator[str]:
    _refuse_heat(part)
    if part.number("G") != 0.0:
        yield f"R{part.name} {part.at('p')} {part.at('n')} {number(1.0 / part.number('G'))}{_warm(part, 'T_ref')}"


def _capacitor(part: Part) -> Iterator[str]:
    start = number(part.start("v"))
    yield f"C{part.name} {part.at('p')} {part.at('n')} {number(part.number('C'))} ic={start}"


def _inductor(part: Part) -> Iterator[str]:
    start = number(part.start("i"))
    yield f"L{part.name} {part.at('p')} {part.at('n')} {number(part.number('L'))} ic={start}"


def _short(part: Part) -> Iterator[str]:
    yield f"V{part.name} {part.at('p')} {part.at('n')} dc 0"


def _nothing(_: Part) -> Iterator[str]:
    yield from ()


def _voltage_controlled(letter: str, gain: str) -> Callable[[Part], Iterator[str]]:
    def lines(part: Part) -> Iterator[str]:
        nodes = " ".join(part.at(pin) for pin in ("p2", "n2", "p1", "n1"))
        yield f"{letter}{part.name} {nodes} {number(part.number(gain))}"

    return lines


def _current_controlled(letter: str, gain: str) -> Callable[[Part], Iterator[str]]:
    def lines(part: Part) -> Iterator[str]:
        yield f"V{part.name} {part.at('p1')} {part.at('n1')} dc 0"
        yield f"{letter}{part.name} {part.at('p2')} {part.at('n2')} V{part.name} {number(part.number(gain))}"

    return lines


def _ideal_transformer(part: Part) -> Iterator[str]:
    """v1 = n v2 by a voltage source with a sense for its current, i2 = -n i1 by a current source."""
    ratio = part.number("n")
    inner = f"{part.name}_inner"
    yield f"V{part.name} {part.at('p1')} {inner} dc 0"
    yield f"E{part.name} {inner} {part.at('n1')} {part.at('p2')} {part.at('n2')} {number(ratio)}"
    yield f"F{part.name} {part.at('p2')} {part.at('n2')} V{part.name} {number(-ratio)}"
    if part.chosen("consider_magnetization"):
        yield f"L{part.name} {part.at('p1')} {part.at('n1')} {number(part.number('Lm1'))}"


def _transformer(part: Part) -> Iterator[str]:
    first = part.number("L1")
    second = part.number("L2")
    yield f"L{part.name}_1 {part.at('p1')} {part.at('n1')} {number(first)} ic={number(part.start('i1'))}"
    yield f"L{part.name}_2 {part.at('p2')} {part.at('n2')} {number(second)} ic={number(part.start('i2'))}"
    coupling = part.number("M") / sqrt(first * second)
    yield f"K{part.name} L{part.name}_1 L{part.name}_2 {number(coupling)}"


def _semiconductor(part: Part) -> Iterator[str]:
    """The element at its temperature, and a .model of its own with the numbers of the component."""
    _refuse_heat(part)
    kind = _MODELS[part.class_name]
    letter = _LETTERS[kind]
    nodes = " ".join(part.at(pin) for pin in _PINS[letter])
    model = f"model_{part.name}"
    geometry = "".join(f" {key}={number(part.number(key))}" for key in _GEOMETRY if letter == "M" and part.number(key))
    yield f"{letter}{part.name} {nodes} {model}{geometry}{_warm(part, 'T')}"
    left_out = (*_NOT_OF_THE_MODEL, *(_NOT_OF_A_JFET if letter == "J" else ()))
    given = [key for key in part.parameters if key not in left_out]
    pairs = [f"{key}={number(part.number(key))}" for key in given if part.number(key) or key not in _INFINITE_AT_ZERO]
    yield f".model {model} {kind} ({' '.join(pairs)} tnom={number(part.number('T_ref') - _CELSIUS)})"


def _warm(part: Part, name: str) -> str:
    """The temperature of an element; of a resistor it is that of its noise."""
    T = part.number(name)
    return "" if T == _ROOM else f" temp={number(T - _CELSIUS)}"


def _refuse_heat(part: Part) -> None:
    """Heat ports are not written; a resistance at another temperature than its own is another number."""
    if part.chosen("use_heat_port"):
        what = f"'{part.path}' has a heat port, which a SPICE netlist does not express"
        raise ExportError("E431", what, location=part.location, advice="use_heat_port=False")


_CARDS: dict[str, Callable[[Part], Iterator[str]]] = {
    "Resistor": _resistor,
    "Conductor": _conductor,
    "Capacitor": _capacitor,
    "Inductor": _inductor,
    "Short": _short,
    "CurrentSensor": _short,
    "Ground": _nothing,
    "Idle": _nothing,
    "Node": _nothing,
    "VoltageSensor": _nothing,
    "PotentialSensor": _nothing,
    "VCV": _voltage_controlled("E", "gain"),
    "VCC": _voltage_controlled("G", "trans_conductance"),
    "CCV": _current_controlled("H", "trans_resistance"),
    "CCC": _current_controlled("F", "gain"),
    "IdealTransformer": _ideal_transformer,
    "Transformer": _transformer,
}
