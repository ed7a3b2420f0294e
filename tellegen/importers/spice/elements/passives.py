"""R, L, C and the coupling K."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any

import tellegen as tg
from tellegen.importers.spice.elements import waveforms as wave
from tellegen.importers.spice.elements.controlled import law_of_value, passive
from tellegen.importers.spice.elements.parts import ArbitraryCapacitance, ArbitraryResistance, Winding
from tellegen.importers.spice.elements.passive_models import PassiveModel, passive_model
from tellegen.importers.spice.netlist.sheet import Element, Part, Sheet
from tellegen.importers.spice.netlist.words import Card
from tellegen.library import electrical as el


def _amount(element: Element, letter: str, warm: float) -> float:
    """The value of R, L or C: by number, by name=, by a model, and at a temperature in degrees Celsius."""
    amount: float | None = element.pair(letter) if letter in element.pairs else None
    model = PassiveModel()
    scope = element.sheet.scope
    squared: float | None = None
    while (word := element.word()) is not None:
        if word[0].isalpha() and (word in scope.all_models() or not scope.is_value(word)):
            model = passive_model(element, word, letter)
        elif amount is None:
            amount = scope.plain(word, element.location)
        elif "tc" in element.pairs and squared is None:
            squared = scope.plain(word, element.location)  # tc=1m,2u: the comma separates as a blank does
        else:
            raise element.wrong(f"'{word}' of '{element.name}' is not understood", "one value is enough")
    amount = (
        model.amount if amount is None else amount
    )  # as in ngspice that of the model is for elements without a value
    if amount is None and letter == "r" and not element.pairs:
        element.sheet.note(element.card, "it has no value: 1 kohm, as in ngspice")
        amount = 1e3
    if amount is None:
        raise element.wrong(f"'{element.name}' has no value", f"write {element.name} node1 node2 4.7k")
    return amount * element.pair("scale", 1.0) * _warmer(element, model, warm, squared)


def _warmer(element: Element, model: PassiveModel, warm: float, squared: float | None) -> float:
    """The factor of a temperature: coefficients of the element, else those of its model."""
    nominal = element.sheet.settings.nominal_temperature if model.nominal is None else model.nominal
    difference = warm - nominal
    tc1 = element.pair("tc1", model.tc1)
    tc2 = element.pair("tc2", model.tc2 if squared is None else squared)
    tc1 = element.pair("tc", tc1)
    tce = element.pair("tce") if "tce" in element.pairs else model.tce
    if tce is not None:
        return float(1.01 ** (tce * difference))
    return 1.0 + tc1 * difference + tc2 * difference**2


def resistor(sheet: Sheet, card: Card) -> None:
    """`R1 a b 4.7k [m=2] [tc1=..] [tc2=..]`."""
    if (law := law_of_value(card, "r")) is not None:
        passive(sheet, card, ArbitraryResistance, law)
        return
    element = Element(sheet, card)
    p, n = element.nodes(2)
    warm = element.temperature()
    resistance = _amount(element, "r", warm)
    count = element.count()
    element.done()
    if not count:
        sheet.leave_out(card, p, n)
        return
    made = partial(el.Resistor, R=resistance / count, T_ref=warm + 273.15)
    sheet.put(card.name, made, card.location, p=p, n=n)


def capacitor(sheet: Sheet, card: Card) -> None:
    """`C1 a b 10u [ic=5] [m=2]`."""
    if (law := law_of_value(card, "c")) is not None:
        passive(sheet, card, ArbitraryCapacitance, law)
        return
    element = Element(sheet, card)
    p, n = element.nodes(2)
    count = element.count()
    capacitance = _amount(element, "c", element.temperature()) * count
    around = sheet.start_voltage(p, n)
    start = element.pair("ic", around)
    resistances = _Resistances.of(element)
    element.done()
    if not capacitance:
        sheet.leave_out(card, p, n)
        return
    p = resistances.put(sheet, card, (p, n), count)
    if sheet.settings.rise and start != around:
        _charge(sheet, card, (p, n), capacitance * (start - around))
        start = around
    sheet.put(card.name, _starting(sheet, el.Capacitor, "v", start, C=capacitance), card.location, p=p, n=n)


def _charge(sheet: Sheet, card: Card, nodes: tuple[str, str], charge: float) -> None:
    """Where charges are shared at the begin: the charge of `ic=` arrives while sources rise."""
    duration = sheet.settings.rise
    make = partial(wave.VanishingCurrent, amount=2.0 * charge / duration, duration=duration)
    sheet.put(f"{card.name}_charging", make, card.location, p=nodes[1], n=nodes[0])


def inductor(sheet: Sheet, card: Card) -> None:
    """`L1 a b 1m [ic=0.5] [m=2]`."""
    element = Element(sheet, card)
    p, n = element.nodes(2)
    inductance = _amount(element, "l", element.temperature())
    count = element.count()
    start = element.pair("ic")
    resistances = _Resistances.of(element)
    element.done()
    if not count:
        sheet.leave_out(card, p, n)
        return
    p = resistances.put(sheet, card, (p, n), count)
    inductance = inductance / count
    sheet.inductors[card.name] = (inductance, start)
    sheet.put(card.name, _starting(sheet, el.Inductor, "i", start, L=inductance), card.location, p=p, n=n)


@dataclass(frozen=True)
class _Resistances:
    """`rser=` and `rpar=`, which LTspice writes at coils and capacitors; 0 is none."""

    series: float
    parallel: float

    @staticmethod
    def of(element: Element) -> _Resistances:
        return _Resistances(element.pair("rser"), element.pair("rpar"))

    def put(self, sheet: Sheet, card: Card, nodes: tuple[str, str], count: float) -> str:
        """The resistors of so many elements in parallel; the node at which the element itself begins."""
        p, n = nodes
        if self.parallel:
            sheet.put(
                f"{card.name}_rpar",
                partial(el.Resistor, R=self.parallel / count, T_ref=sheet.settings.temperature + 273.15),
                card.location,
                p=p,
                n=n,
            )
        return sheet.after_resistor(card, p, self.series / count)


def _starting(sheet: Sheet, cls: Any, state: str, start: float, **numbers: Any) -> Callable[[], Any]:
    """With `uic` a run begins with the states given; without, all of them are computed, and `ic` means nothing."""
    if not sheet.settings.uic:
        return partial(cls, **numbers)
    return lambda: cls(**numbers, **{state: tg.variable(start=start)})


def coupling(sheet: Sheet, card: Card) -> None:
    """`K1 L1 L2 [L3 ...] 0.99`: of every pair the mutual inductance is k sqrt(L1 L2)."""
    element = Element(sheet, card)
    *words, last = element.left or [""]
    names = [sheet.scope.definition.part(word) for word in words]
    element.left = [last]
    k = element.value("coupling factor")
    if not -1.0 < k < 1.0:
        raise element.wrong(
            f"the coupling factor of '{card.name}' is {k:g}, and must lie between -1 and 1",
            "with perfect coupling the currents of the windings are not determined: write 0.9999",
        )
    for name in names:
        if name not in sheet.scope.definition.elements or name[0] != "l" or len(names) < 2:
            raise element.wrong(f"'{name}' of '{card.name}' is not an inductor of this circuit", "write K1 L1 L2 0.99")
    sheet.mutual += [(a, b, k) for j, a in enumerate(names) for b in names[j + 1 :]]


def couple(sheet: Sheet) -> None:
    """Coupled inductors become windings that feel the currents of the others, once all of them are known."""
    others: dict[str, dict[str, float]] = {}
    for a, b, k in sheet.mutual:
        mutual = k * sqrt(sheet.inductors[a][0] * sheet.inductors[b][0])
        others.setdefault(a, {})[b] = mutual
        others.setdefault(b, {})[a] = mutual
    for name, mutual in others.items():
        inductance, start = sheet.inductors[name]
        numbers: dict[str, Any] = {"L": inductance, "N": len(mutual), "M": list(mutual.values())}
        sheet.parts[name] = Part(_starting(sheet, Winding, "i", start, **numbers), sheet.parts[name].location)
        sheet.laws += [partial(_feels, name, k, other) for k, other in enumerate(mutual)]


def _feels(name: str, k: int, other: str, circuit: Any) -> Any:
    return getattr(circuit, name).slopes[k] == tg.der(getattr(circuit, other).i)
