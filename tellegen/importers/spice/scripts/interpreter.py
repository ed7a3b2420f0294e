"""The commands of `.control` blocks, up to the numbers: which analyses run, and with which changes of the circuit.

    let r = 1k                      Stage((), .tran)
    run                        ->   Stage((r1 = 2000,), .tran)
    while r < 3k                    Stage((r1 = 3000,), .tran)
      let r = r + 1k
      alter r1 = r
      run
    end

Loops, conditions and numbers of scripts are evaluated; what depends on results of analyses is not. From the first
command on that does, nothing is read, and a note says so. Commands about results (plot, print, meas, write) do not
matter here, nor do conditions that decide only about those. As in ngspice `alter` and `altermod` hold until `reset`,
and `alterparam` holds from it on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tellegen.importers.spice.changes import Change
from tellegen.importers.spice.netlist.lines import Line, Text
from tellegen.importers.spice.scripts.blocks import ANALYSES, NOT_READ, Block, Command, blocks, is_idle
from tellegen.importers.spice.scripts.values import UnknownError, evaluated, number, substituted

_ONCE = ("tran", "ac", "noise", "op")  # analyses of which a stage has one
_NEW_PLOTS = ("linearize", "fft", "psd", "spec", "setplot")
_SETTINGS = ("tnom", "gmin")  # of `set` and `option`: they change what follows
_MOST_COMMANDS = 100_000
_MOST_STAGES = 10_000
_ITEMS = "dc|ac|acmag|w|l|m|area|resistance|capacitance|inductance|gain"
_ALTERED = re.compile(
    rf"@?([\w.]+)(?:\s*\[\s*(\w+)\s*\]|\s+([a-z]\w*)(?=\s*=)|\s+({_ITEMS})(?=\s))?(?:\s*=\s*|\s+)(\S.*)"
)
_LET = re.compile(r"([a-z_][\w.]*)\s*(?:\[([^\[\]]*)\])?\s*=(?!=)\s*(.+)")
_PAIR = re.compile(r"(\w+)\s*=\s*(\([^()]*\)|\S+)")


@dataclass(frozen=True)
class Stage:
    """Analyses that run while the circuit stays as it is."""

    changes: tuple[Change, ...]
    cards: tuple[Line, ...]


@dataclass(frozen=True)
class Script:
    """What a netlist and its script run, one after the other, and the command from which on it is not read."""

    stages: list[Stage]
    left: str = ""


class _EndError(Exception):
    """The script ends, or is not read on; `what` is the reason, empty where it is over."""

    def __init__(self, what: str = "") -> None:
        self.what = what


class _LeaveError(Exception):
    """`break` or `continue`."""

    def __init__(self, word: str) -> None:
        self.word = word


def add_scripts(text: Text) -> list[Stage]:
    """The stages of a netlist; the cards of the first one take the place of those that the lines have."""
    own = [line for line in text.lines if line.head[1:] in ANALYSES and line.head[0] == "."]
    if not text.scripts:
        return [Stage((), tuple(own))]
    script = read_script([line for block in text.scripts for line in block[1:]], own)
    heads = ", ".join(dict.fromkeys(card.head for stage in script.stages for card in stage.cards if card not in own))
    note = f"a .control block is not run, but for its {heads}" if heads else "a .control block is not run"
    left = f" (not read: all from '{script.left}' on)" if script.left else ""
    text.notes.append(f"{text.scripts[0][0].location}: {note}{left}")
    if len(script.stages) > 1:
        count = len(script.stages)
        text.notes.append(f"{text.scripts[0][0].location}: tg.run_spice runs the {count} stages of the script")
    choose(text, script.stages[0])
    return script.stages


def choose(text: Text, stage: Stage) -> None:
    """Put the analyses of one stage into the lines, in the place of all others."""
    text.lines = [line for line in text.lines if line.head[0] != "." or line.head[1:] not in ANALYSES]
    text.lines += stage.cards


def read_script(lines: Sequence[Line], own: Sequence[Line]) -> Script:
    """The lines between .control and .endc; `own` are the analysis cards of the netlist, which `run` runs."""
    found = _Interpreter(own)
    left = ""
    try:
        if not any(line.head == "run" for line in lines):
            found.run()
        found.commands(blocks(lines))
    except _EndError as end:
        left = end.what
    except _LeaveError:
        left = ""
    return Script(found.stages(), left)


@dataclass
class _Interpreter:
    """The state while commands are executed."""

    own: Sequence[Line]
    constants: dict[str, Any] = field(default_factory=dict)  # of `let` before the first analysis; None is unknown
    present: dict[str, Any] = field(default_factory=dict)  # of `let` since the last one
    variables: dict[str, str] = field(default_factory=dict)  # of `set` and `foreach`
    altered: dict[tuple[str, str, str], Change] = field(default_factory=dict)  # until reset
    parameters: dict[str, Change] = field(default_factory=dict)
    waiting: dict[str, Change] = field(default_factory=dict)  # of alterparam, from reset on
    warm: tuple[Change, ...] = ()
    found: list[tuple[tuple[Change, ...], list[Line]]] = field(default_factory=list)
    asked: set[tuple[tuple[Change, ...], str]] = field(default_factory=set)
    is_run: bool = False  # whether there was an analysis
    count: int = 0

    def stages(self) -> list[Stage]:
        """What was found; a netlist without any analysis has one empty stage."""
        found = [Stage(changes, tuple(cards)) for changes, cards in self.found]
        return found or [Stage((), ())]

    def commands(self, several: Sequence[Command | Block]) -> None:
        """One after the other."""
        for each in several:
            self._counted()
            try:
                if isinstance(each, Block):
                    self._block(each)
                else:
                    self._command(each)
            except UnknownError:
                if not is_idle(each):
                    raise _EndError(each.line.head) from None
                self._forget(each)

    def _counted(self) -> None:
        """One more command; too many end the script."""
        self.count += 1
        if self.count > _MOST_COMMANDS or len(self.found) > _MOST_STAGES:
            raise _EndError("a loop without end")

    def run(self) -> None:
        """All cards of the netlist."""
        for card in self.own:
            self._analysis(card)

    @property
    def names(self) -> dict[str, Any]:
        return {**self.constants, **self.present}

    def _text(self, text: str) -> str:
        return substituted(text, self.variables, self.names)

    def _command(self, command: Command) -> None:
        word, rest = command.word, command.rest
        if word in ANALYSES:
            self._analysis(Line(f".{word} {self._text(rest)}".strip(), command.line.location))
        elif word == "run":
            self.run()
        elif word == "let":
            self._let(rest)
        elif word in ("set", "option"):
            self._set(rest)
        elif word in ("alter", "altermod"):
            self._alter(word, self._text(rest))
        elif word == "alterparam":
            name, _, text = self._text(rest).partition("=")
            if not text or len(name.split()) != 1:  # of a subcircuit
                raise UnknownError(rest)
            self.waiting[name.strip()] = Change("param", name.strip(), number(text, self.names))
        elif word == "reset":
            self.altered.clear()
            self.parameters |= self.waiting
        elif word in ("break", "continue"):
            raise _LeaveError(word)
        elif word in ("quit", "exit"):
            raise _EndError
        elif word in _NEW_PLOTS:
            self.present = {}
        elif word in NOT_READ:
            raise UnknownError(word)

    def _analysis(self, card: Line) -> None:
        """Run in the present stage, or in a new one where that has such an analysis or another circuit."""
        changes = (*self.parameters.values(), *self.altered.values(), *self.warm)
        self.is_run = True
        self.present = {}
        if (changes, card.text) in self.asked:
            return
        self.asked.add((changes, card.text))
        again = self.found and card.head[1:] in _ONCE and any(each.head == card.head for each in self.found[-1][1])
        if not self.found or self.found[-1][0] != changes or again:
            self.found.append((changes, []))
        self.found[-1][1].append(card)

    def _forget(self, each: Command | Block) -> None:
        """What a command or block about results gives values to, which are not known then."""
        if isinstance(each, Block):
            for inner in (*each.body, *each.otherwise):
                self._forget(inner)
        elif each.word == "let" and (match := _LET.fullmatch(each.rest)):
            known = self.present if match[1] in self.present or match[1] not in self.constants else self.constants
            known[match[1]] = None
        elif each.word == "set":
            for name, _ in _PAIR.findall(each.rest):
                self.variables.pop(name, None)

    def _let(self, rest: str) -> None:
        match = _LET.fullmatch(rest.strip())
        if match is None:
            return
        name, index, text = match.groups()
        known = self.present if name in self.present or (name not in self.constants and self.is_run) else self.constants
        try:
            value = evaluated(self._text(text), self.names)
            if index is not None:
                array = _list_of(self.names.get(name))
                array[int(number(self._text(index), self.names))] = float(value)
                value = array
        except (UnknownError, IndexError, TypeError, ValueError):
            value = None
        known[name] = value

    def _set(self, rest: str) -> None:
        pairs = dict(_PAIR.findall(rest))
        for name, value in pairs.items():
            if name in _SETTINGS:
                raise UnknownError(name)
            if name == "temp":
                self.warm = (Change("temp", "temp", number(self._text(value), self.names)),)
                continue
            try:
                self.variables[name] = self._text(value.strip("\"'"))
            except UnknownError:
                self.variables.pop(name, None)

    def _alter(self, word: str, rest: str) -> None:
        match = _ALTERED.fullmatch(rest.strip())
        if match is None or "." in match[1]:  # inside of a subcircuit
            raise UnknownError(rest)
        name, item = match[1], match[2] or match[3] or match[4] or ""
        kind = "model" if word == "altermod" else "element"
        if kind == "model" and not item:
            raise UnknownError(rest)
        item = "" if item in ("dc", "resistance", "capacitance", "inductance", "gain") else item
        self.altered[kind, name, item] = Change(kind, name, number(match[5], self.names), item)

    def _block(self, block: Block) -> None:
        """A loop or a condition."""
        word = block.word
        if word == "if":
            self.commands(block.body if number(self._text(block.rest), self.names) else block.otherwise)
            return
        try:
            if word == "foreach":
                name, *values = block.rest.split(maxsplit=1)
                for value in self._text(" ".join(values)).strip("() ").split():
                    self.variables[name] = value
                    self._once(block)
            elif word == "repeat":
                for _ in range(int(number(self._text(block.rest), self.names)) if block.rest else _MOST_COMMANDS):
                    self._once(block)
            else:
                is_first = word == "dowhile"
                while is_first or number(self._text(block.rest), self.names):
                    is_first = False
                    self._once(block)
        except _LeaveError:
            return

    def _once(self, block: Block) -> None:
        """The body of a loop."""
        self._counted()
        try:
            self.commands(block.body)
        except _LeaveError as leave:
            if leave.word == "break":
                raise


def _list_of(values: Any) -> Any:
    """A list of numbers that may be written to."""
    if values is None:
        raise ValueError("no such array")
    return [float(value) for value in values]
