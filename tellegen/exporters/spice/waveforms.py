"""Sources over time as SPICE writes them. Steps take time there: `EDGE` of the shortest time in the waveform."""

from __future__ import annotations

from collections.abc import Callable

from tellegen.errors import ExportError
from tellegen.exporters.spice.parts import Part

EDGE = 1e-6
_EVER = 1e9  # seconds: a step does not come back
_HALF_TURN = 180.0 / 3.141592653589793


def number(value: float) -> str:
    """All digits of a number."""
    return repr(float(value))


def words(name: str, *values: float) -> str:
    """NAME(1.0 2.0)."""
    return f"{name}({' '.join(number(value) for value in values)})"


def _constant(part: Part, size: str) -> str:
    return f"dc {number(part.number(size))}"


def _step(part: Part, size: str) -> str:
    low = part.number("offset")
    start = part.number("start_time")
    edge = EDGE * (start or 1e-3)
    return words("PULSE", low, low + part.number(size), start, edge, edge, _EVER, 2.0 * _EVER)


def _sine(part: Part, size: str) -> str:
    phase = _HALF_TURN * part.number("phase")
    start = part.number("start_time")
    if phase and start > 0.0:
        what = f"'{part.path}' has a start and a phase: before the start SIN of SPICE is at the phase, and this is not"
        raise ExportError("E431", what, location=part.location, advice="start_time=0, or phase=0")
    damping = part.number("damping") if part.has("damping") else 0.0
    return words("SIN", part.number("offset"), part.number(size), part.number("f"), start, damping, phase)


def _cosine(part: Part, size: str) -> str:
    if part.number("start_time") > 0.0:
        what = f"'{part.path}' is constant before its start, and SIN of SPICE with the phase of a cosine is not"
        raise ExportError("E431", what, location=part.location, advice="start_time=0, or a SineVoltage")
    phase = _HALF_TURN * part.number("phase") + 90.0
    return words("SIN", part.number("offset"), part.number(size), part.number("f"), 0.0, 0.0, phase)


def _pulse(part: Part, size: str) -> str:
    low = part.number("offset")
    period = part.number("period")
    width = part.number("width") * period
    edge = EDGE * min(width, period - width)
    return words("PULSE", low, low + part.number(size), part.number("start_time"), edge, edge, width - edge, period)


def _ramp(part: Part, size: str) -> str:
    low = part.number("offset")
    start = part.number("start_time")
    end = start + part.number("duration")
    return words("PWL", *([0.0, low] if start > 0.0 else []), start, low, end, low + part.number(size))


def _trapezoid(part: Part, size: str) -> str:
    low = part.number("offset")
    edge = EDGE * part.number("period")
    rising = max(part.number("rising"), edge)
    falling = max(part.number("falling"), edge)
    times = (part.number("start_time"), rising, falling, part.number("width"), part.number("period"))
    return words("PULSE", low, low + part.number(size), *times)


def _table(part: Part, _: str) -> str:
    offset = part.number("offset")
    start = part.number("start_time")
    pairs = zip(part.chosen("times"), part.chosen("values"), strict=True)
    return words("PWL", *(value for t, y in pairs for value in (start + t, offset + y)))


def _damped_sine(part: Part, _: str) -> str:
    """SIN that was read from a netlist."""
    level = (part.number("offset"), part.number("amplitude"), part.number("f"))
    return words("SIN", *level, part.number("delay"), part.number("theta"), _HALF_TURN * part.number("phase"))


def _two_exponentials(part: Part, _: str) -> str:
    names = ("first", "second", "rise_delay", "rise_time", "fall_delay", "fall_time")
    return words("EXP", *(part.number(name) for name in names))


def _frequency_modulation(part: Part, _: str) -> str:
    return words("SFFM", *(part.number(name) for name in ("offset", "amplitude", "carrier", "index", "signal")))


def _pulses(part: Part, _: str) -> str:
    return _trapezoid(part.child("pulse"), "amplitude")


def _corners(part: Part, _: str) -> str:
    return _table(part.child("table"), "")


WAVEFORMS: dict[str, Callable[[Part, str], str]] = {
    "Constant": _constant,
    "Step": _step,
    "Sine": _sine,
    "ExpSine": _sine,
    "Cosine": _cosine,
    "Pulse": _pulse,
    "Ramp": _ramp,
    "Trapezoid": _trapezoid,
    "Table": _table,
    "DampedSine": _damped_sine,
    "TwoExponentials": _two_exponentials,
    "FrequencyModulation": _frequency_modulation,
    "Pulses": _pulses,
    "Corners": _corners,
}
"""By the name of the class without Voltage or Current."""
