"""V and I: a constant, or a function of time (SIN, PULSE, PWL, EXP, SFFM).

A run begins at the value of the function at t = 0; a DC value beside a function is for other analyses, as is AC
(spice/analyses.py).
"""

from __future__ import annotations

from cmath import exp
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from math import radians, sin
from typing import Any

import numpy as np

from tellegen.importers.spice.elements import waveforms as wave
from tellegen.importers.spice.netlist.sheet import Element, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import blocks
from tellegen.library import electrical as el

Make = Callable[[], Any]


def source(sheet: Sheet, card: Card) -> None:
    """`V1 p n [[DC] 5] [AC 1 [0]] [SIN(0 1 1k)]`, and the same for I."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    voltage = card.name[0] == "v"
    constant = element.pair("dc", 0.0) if "dc" in element.pairs else None
    amplitude = [element.pair("ac")] if "ac" in element.pairs else None
    make: Make | None = None
    at_zero = 0.0
    while (word := element.word()) is not None:
        if word == "dc":
            constant = element.value("DC value")
        elif word == "ac":
            amplitude = _numbers(element) or [1.0]
        elif word in _SHAPES:
            if make is not None:
                raise element.wrong(f"'{card.name}' has two functions of time", "remove one of them")
            given = _pairs_of_corners(element) if word == "pwl" else _numbers(element)
            make = None if sheet.settings.static else _SHAPES[word](element, given, 0 if voltage else 1)
            at_zero = _at_zero(word, given)
            if word == "pwl":  # read above, but not in analyses without time
                element.pairs.pop("r", None)
                element.pairs.pop("td", None)
        else:
            constant = _constant(element, word)
    p = sheet.after_resistor(card, p, element.pair("rser") / sheet.settings.count) if voltage else p
    element.done()
    if not voltage:
        element.single()
    if amplitude is not None:
        sheet.oscillating[card.name] = amplitude[0] * exp(1j * radians(amplitude[1] if len(amplitude) > 1 else 0.0))
    first = constant if constant is not None and make is None else at_zero
    constant = at_zero if constant is None else constant
    if sheet.settings.rise and first and not sheet.settings.static:
        p = _rising(element, (p, n), first)
    if make is None:
        make = partial(el.ConstantVoltage, V=constant) if voltage else partial(el.ConstantCurrent, I=constant)
    sheet.put(card.name, make, card.location, p=p, n=n)


def _rising(element: Element, nodes: tuple[str, str], first: float) -> str:
    """What a source lacks while it rises from the voltage of .ic, by a source that vanishes; the node after that."""
    sheet = element.sheet
    p, n = nodes
    cls = wave.VanishingVoltage
    lacking = sheet.start_voltage(p, n) - first
    if element.name[0] == "i":
        cls = wave.VanishingCurrent
        lacking = -first
    inner = f"{element.name}.rising" if element.name[0] == "v" else p
    ends = {"p": p, "n": inner} if element.name[0] == "v" else {"p": p, "n": n}
    make = partial(cls, amount=lacking, duration=sheet.settings.rise)
    sheet.put(f"{element.name}_rising", make, element.location, **ends)
    return inner


def _at_zero(shape: str, given: list[float]) -> float:
    """The value of a function of time at t = 0, which other analyses take where no DC value is given."""
    if len(given) < 2:
        return 0.0
    if shape == "pwl":
        return given[1]
    phase = radians(given[5]) if shape in ("sin", "sine") and len(given) > 5 else 0.0
    return given[0] + given[1] * sin(phase)


def _constant(element: Element, word: str) -> float:
    if not element.sheet.scope.is_value(word):
        raise element.wrong(
            f"'{word}' of '{element.name}' is not understood",
            f"write a number, DC or one of {', '.join(name.upper() for name in _SHAPES)}",
        )
    return element.sheet.scope.plain(word, element.location)


def _numbers(element: Element) -> list[float]:
    """The numbers that come next."""
    found: list[float] = []
    while element.left and element.sheet.scope.is_value(element.left[0]):
        found.append(element.value("number"))
    return found


def _pairs_of_corners(element: Element) -> list[float]:
    """The times and values of PWL, one after the other: a time with a plus is counted from the one before."""
    found: list[float] = []
    while element.left and element.sheet.scope.is_value(element.left[0]):
        relative = element.left[0].startswith("+") and len(found) % 2 == 0
        more = element.value("number")
        found.append(found[-2] + more if relative and found else more)
    return found


def _repeated(element: Element, times: list[float], values: list[float]) -> tuple[list[float], list[float]]:
    """With r=0 PWL begins again at its end, with r=time from that time on; with td= it comes later."""
    delay = element.pair("td")
    begin = element.pair("r", -1.0)
    if begin >= 0.0:
        stop = _stop(element, "PWL that is repeated")
        if not begin < times[-1]:
            raise element.wrong(f"r={begin:g} of '{element.name}' is not before its last time", "r=0 repeats all of it")
        period = times[-1] - begin
        first = float(np.interp(begin, times, values))
        shape = [(begin, first), *((t, v) for t, v in zip(times, values, strict=True) if t > begin)]
        rounds = int((stop - delay) / period) + 1
        for k in range(1, rounds + 1):
            for t, v in shape:
                late = t + k * period
                if late > times[-1] or values[-1] != v:  # the end of a round is the begin of the next, or a jump
                    times = [*times, max(late, times[-1] + 1e-9 * period)]
                    values = [*values, v]
    return [t + delay for t in times], values


def _named(element: Element, given: list[float], names: str, least: int) -> dict[str, float]:
    """The numbers of a function by name, as far as they are given."""
    order = names.split()
    if not least <= len(given) <= len(order):
        raise element.wrong(
            f"the function of '{element.name}' has {len(given)} numbers",
            f"it needs {least} to {len(order)} of them: {names}",
        )
    return dict(zip(order, given, strict=False))


def _sine(element: Element, given: list[float], kind: int) -> Make:
    numbers = _named(element, given, "offset amplitude f delay theta phase", 2)
    if not numbers.get("f"):
        numbers["f"] = 1.0 / _stop(element, "SIN without a frequency")
    numbers["phase"] = radians(numbers.get("phase", 0.0))
    return partial((wave.DampedSineVoltage, wave.DampedSineCurrent)[kind], **numbers)


_ENDLESS = 1e9
"""s: the width of a pulse without one, which is the duration of the run, in a netlist without .tran."""


def _pulse(element: Element, given: list[float], kind: int) -> Make:
    numbers = _named(element, given, "first second delay rise fall width period count", 2)
    step = element.sheet.settings.step
    stop = element.sheet.settings.stop
    rise = numbers.get("rise") or step
    fall = numbers.get("fall") or step
    width = numbers.get("width") or (_ENDLESS if stop is None else stop)
    period = numbers.get("period") or (stop if stop is not None else rise + width + fall) * 2.0
    shape = {
        "offset": numbers["first"],
        "amplitude": numbers["second"] - numbers["first"],
        "start_time": numbers.get("delay", 0.0),
        "rising": rise,
        "width": width,
        "falling": fall,
        "period": period,
        "nperiod": numbers.get("count") or -1.0,  # 0 is without end
    }
    cls: Any = (wave.PulsesVoltage, wave.PulsesCurrent)[kind]
    return lambda: cls(pulse=blocks.Trapezoid(**shape))


def _stop(element: Element, what: str) -> float:
    """What a function takes from .tran."""
    stop = element.sheet.settings.stop
    if stop is None:
        raise element.wrong(f"{what} takes it from .tran, and there is none", "write the number, or a .tran card")
    return stop


def _corners(element: Element, given: list[float], kind: int) -> Make:
    times = given[::2]
    values = given[1::2]
    if len(values) != len(times) or not times:
        raise element.wrong(f"PWL of '{element.name}' needs pairs of time and value", "PWL(0 0 1m 5 2m 5)")
    if any(late <= early for early, late in pairwise(times)):
        raise element.wrong(
            f"the times of PWL of '{element.name}' do not increase", "a step takes a short time: 1m 0 1.001m 5"
        )
    times, values = _repeated(element, times, values)
    if len(times) == 1:
        times = [times[0], times[0] + 1.0]
        values = values * 2
    cls: Any = (wave.CornersVoltage, wave.CornersCurrent)[kind]
    return lambda: cls(table=blocks.Table(times=times, values=values))


def _exponentials(element: Element, given: list[float], kind: int) -> Make:
    names = "first second rise_delay rise_time fall_delay fall_time"
    numbers = _named(element, given, names, 2)
    step = element.sheet.settings.step
    numbers["rise_time"] = numbers.get("rise_time") or step
    numbers["fall_time"] = numbers.get("fall_time") or step
    numbers["fall_delay"] = numbers.get("fall_delay") or numbers.get("rise_delay", 0.0) + step
    if not numbers["rise_time"] or not numbers["fall_time"]:
        raise element.wrong(f"EXP of '{element.name}' has no time constants", f"write all of {names}")
    return partial((wave.TwoExponentialsVoltage, wave.TwoExponentialsCurrent)[kind], **numbers)


def _modulated(element: Element, given: list[float], kind: int) -> Make:
    numbers = _named(element, given, "offset amplitude carrier index signal", 5)
    return partial((wave.FrequencyModulationVoltage, wave.FrequencyModulationCurrent)[kind], **numbers)


_SHAPES: dict[str, Callable[[Element, list[float], int], Make]] = {
    "sin": _sine,
    "sine": _sine,
    "pulse": _pulse,
    "pwl": _corners,
    "exp": _exponentials,
    "sffm": _modulated,
}
