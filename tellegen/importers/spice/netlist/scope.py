"""Which name means what where: parameters, models and subcircuits of a circuit and of those around it.

Parameters may be written in any order, so each is computed when somebody asks for it.
"""

from __future__ import annotations

from typing import NoReturn

from tellegen.errors import NetlistError, nearest
from tellegen.importers.spice.netlist import expression
from tellegen.importers.spice.netlist.deck import Definition
from tellegen.importers.spice.netlist.expression import CONSTANTS, ExpressionError
from tellegen.importers.spice.netlist.numbers import number
from tellegen.importers.spice.netlist.words import Card
from tellegen.ir.source_location import SourceLocation


class Scope:
    """The names inside one instance of a definition; `given` are the parameters it was called with."""

    def __init__(self, definition: Definition, above: Scope | None, given: dict[str, float]) -> None:
        self.definition = definition
        self.above = above
        self.known = dict(given)
        self._asked: list[str] = []

    def value(self, text: str, location: SourceLocation) -> float:
        """The number a word stands for: `4.7k`, `{2*x}`, and where pairs allow it `2*x`."""
        found = number(text)
        if found is not None:
            return found
        try:
            result = expression.value(expression.parse(text.strip("{}")), lambda name: self._parameter(name, location))
        except ExpressionError as error:
            self._refuse(text, str(error), location)
        except (ArithmeticError, ValueError) as error:
            self._refuse(text, f"it has no value ({error})", location)
        return float(result)

    def plain(self, text: str, location: SourceLocation) -> float:
        """The same for a word that is not a pair: an expression stands in braces there, a lone parameter need not."""
        if not self.is_value(text):
            raise NetlistError(
                "E504",
                f"'{text}' is not a number",
                location=location,
                advice="write a number such as 4.7k, 10meg or 1e-9, or an expression of .param names in braces: {2*x}",
            )
        return self.value(text, location)

    def is_value(self, text: str) -> bool:
        """Whether a word is a number, an expression in braces or the name of a parameter."""
        return number(text) is not None or text.startswith("{") or text in self._names()

    def _refuse(self, text: str, why: str, location: SourceLocation) -> NoReturn:
        raise NetlistError(
            "E504",
            f"'{text}' is not understood: {why}",
            location=location,
            advice="numbers look like 4.7k, 10meg or 1e-9; expressions like {2*pi*f} use names of .param and functions",
        ) from None

    def _parameter(self, name: str, location: SourceLocation) -> float:
        """The value of a parameter, of the nearest circuit that has one of this name."""
        if name in self.known:
            return self.known[name]
        written = {**self.definition.defaults, **self.definition.parameters}
        if name in written:
            text, where = written[name]
            if name in self._asked and name not in self.definition.parameters and self.above is not None:
                return self.above._parameter(name, location)  # r={r}: the default is the one around
            if name in self._asked:
                circle = " -> ".join([*self._asked[self._asked.index(name) :], name])
                raise NetlistError(
                    "E504", f"circular parameters: {circle}", location=where, advice="give one of them a number"
                )
            self._asked.append(name)
            # the default of a parameter of a subcircuit may use what is known around it
            self.known[name] = self.value(text, where)
            self._asked.pop()
            return self.known[name]
        if self.above is not None:
            return self.above._parameter(name, location)
        if name in CONSTANTS:
            return CONSTANTS[name]
        raise NetlistError(
            "E504",
            f"there is no parameter '{name}'; {nearest(name, self._names())}",
            location=location,
            advice=f"define it: .param {name}=1k",
        )

    def _names(self) -> list[str]:
        own = [*self.known, *self.definition.defaults, *self.definition.parameters]
        return own + (self.above._names() if self.above is not None else [])

    def model(self, name: str, card: Card) -> tuple[Card, Scope]:
        """A model card of this circuit or of one around it, and where its numbers are read."""
        if name in self.definition.models:
            return self._derived(self.definition.models[name], (name,)), self
        if self.above is not None:
            return self.above.model(name, card)
        raise NetlistError(
            "E505",
            f"there is no .model '{name}'",
            location=card.location,
            advice=f"define it: .model {name} TYPE(...), or .include the file that does",
        )

    def _derived(self, card: Card, names: tuple[str, ...]) -> Card:
        """A model that is a kind of another, `.model fast ako:slow NPN(tf=1n)`: its numbers beside that one's."""
        if not card.words[2].startswith("ako:"):
            return card
        base = card.words[2].removeprefix("ako:")
        if base in names:
            what = f"the models {', '.join(names)} are each a kind of the next"
            raise NetlistError("E505", what, location=card.location, advice="let one of them be a model of its own")
        known = self
        while base not in known.definition.models and known.above is not None:
            known = known.above
        parent = known.definition.models.get(base)
        if parent is None:
            return known.model(base, card)[0]  # says that there is none
        parent = known._derived(parent, (*names, base))
        if len(card.words) > 3 and card.words[3] != parent.words[2]:
            what = f"the model '{card.words[1]}' is of the type {card.words[3].upper()}, and '{base}' is not"
            raise NetlistError("E505", what, location=card.location, advice=f"'{base}' is {parent.words[2].upper()}")
        words = (*card.words[:2], *parent.words[2:])
        return Card(words, (*parent.pairs, *card.pairs), card.line)

    def all_models(self) -> set[str]:
        """The names of all models that can be seen from here."""
        return set(self.definition.models) | (self.above.all_models() if self.above is not None else set())

    def subcircuit(self, name: str, card: Card) -> tuple[Definition, Scope]:
        """A subcircuit defined here or around here, and where it is defined."""
        if name in self.definition.subcircuits:
            return self.definition.subcircuits[name], self
        if self.above is not None:
            return self.above.subcircuit(name, card)
        raise NetlistError(
            "E505",
            f"there is no .subckt '{name}'",
            location=card.location,
            advice=f"define it: .subckt {name} node node ... .ends, or .include the file that does",
        )
