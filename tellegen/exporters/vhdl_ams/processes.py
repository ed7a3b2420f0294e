"""When-clauses as processes. A condition is a signal, and its event with the value true is the instant it acts.

Signals keep their old values while a process runs, which is what tg.pre reads; the new value of another variable that
the same clause assigns is replaced by what is assigned to it. Conditions that hold at the start have an event there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tellegen.errors import ExportError
from tellegen.exporters.source.identifiers import Scope
from tellegen.exporters.source.new_values import with_new_values
from tellegen.exporters.source.tidy import tidy
from tellegen.exporters.vhdl_ams.expressions import Printer
from tellegen.exporters.vhdl_ams.lexical import string
from tellegen.ir.expressions.expr import Call, Expr, walk
from tellegen.ir.expressions.template import Action, Branch, WhenTemplate, formatted

_LATER = Call("not", (Call("initial", ()),))


@dataclass
class Processes:
    """The processes of an architecture, and the signals they need."""

    scope: Scope
    at_once: frozenset[str]  # the verbs whose new values the other actions of a clause read
    declarations: list[str] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)
    started: str = ""

    def add(self, printer: Printer, template: WhenTemplate) -> None:
        """The process of one when-clause."""
        tests: list[str] = []
        watched: list[str] = []
        for branch in template.branches:
            pieces = self._activation(printer, template, branch)
            watched += [name for name, _ in pieces]
            tests.append(" or ".join(test for _, test in pieces))
        label = self.scope.unique("events")
        lines = [f"{label} : process ({', '.join(dict.fromkeys(watched))})", "begin"]
        values = [action.value for branch in template.branches for action in branch.actions]
        asks = any(isinstance(node, Call) and node.op == "initial" for node in walk(*values))
        inside = replace(printer, located=False, started=self._start() if asks else "")
        for k, (branch, test) in enumerate(zip(template.branches, tests, strict=True)):
            lines.append(f"  {'if' if k == 0 else 'elsif'} {test} then")
            new = {action.target: action.value for action in branch.actions if action.verb in self.at_once}
            lines += [f"    {_action(inside, action, new)}" for action in branch.actions]
        self.statements += [*lines, "  end if;", f"end process {label};"]

    def _activation(self, printer: Printer, template: WhenTemplate, branch: Branch) -> list[tuple[str, str]]:
        """The signals whose events may activate a branch, and the test for each."""
        pieces: list[tuple[str, str]] = []
        general: list[Expr] = []
        terms = _operands("or", branch.condition)
        starts = any(isinstance(term, Call) and term.op == "initial" for term in terms)
        for term in terms:
            factors = [factor for factor in _operands("and", term) if factor != _LATER]
            later = starts or len(factors) < len(_operands("and", term))
            instants = [arg for arg in factors if isinstance(arg, Call) and arg.op in ("sample", "initial")]
            if len(instants) == 1:
                rest = [arg for arg in factors if arg is not instants[0]]
                self._check(template, rest)
                pieces.append(self._at_instants(printer, instants[0], rest, later))
            else:
                general.append(term)
        if general:
            self._check(template, general)
            name = self.scope.unique("occurs")
            self.declarations.append(f"signal {name} : boolean := false;")
            texts = [printer.text(term, 30) for term in general]
            self.statements.append(f"{name} <= {' or '.join(texts)};")
            pieces.append((name, f"({name}'event and {name})"))
        return pieces

    def _at_instants(self, printer: Printer, instants: Expr, rest: list[Expr], later: bool) -> tuple[str, str]:
        """The signal that has events at the ticks of a clock or at the start, and the test with further conditions.

        With `later` a tick at the start does not count: the start itself does, or is excluded.
        """
        sampled = isinstance(instants, Call) and instants.op == "sample"
        name = self._clock(*(printer.text(arg) for arg in instants.args)) if sampled else self._start()
        inside = replace(printer, located=False)
        tests = [f"{name}'event", *(inside.text(arg, 30) for arg in rest)]
        if sampled and later:
            tests.append("now > 0.0")
        return name, f"({' and '.join(tests)})" if len(tests) > 1 else tests[0]

    def _check(self, template: WhenTemplate, terms: list[Expr]) -> None:
        odd = {"sample", "initial", "terminal", "edge", "change"}
        for node in walk(*terms):
            if isinstance(node, Call) and node.op in odd:
                raise ExportError(
                    "E430",
                    f"{node.op}(...) combined with other conditions in {template.owner}: VHDL-AMS cannot express it",
                    location=template.location,
                    advice="write Modelica: tg.write_modelica",
                )

    def _clock(self, start: str, period: str) -> str:
        tick = self.scope.unique("tick")
        label = self.scope.unique("clock")
        self.declarations.append(f"signal {tick} : boolean := false;")
        self.statements += [
            f"{label} : process",
            "begin",
            f"  wait for {start};",
            "  loop",
            f"    {tick} <= not {tick};",
            f"    wait for {period};",
            "  end loop;",
            f"end process {label};",
        ]
        return tick

    def _start(self) -> str:
        if not self.started:
            self.started = self.scope.unique("started")
            self.declarations.append(f"signal {self.started} : boolean := false;")
            self.statements.append(f"{self.started} <= true;")
        return self.started


def _operands(op: str, condition: Expr) -> list[Expr]:
    """The operands of a chain of one logical operation."""
    if isinstance(condition, Call) and condition.op == op:
        return [operand for arg in condition.args for operand in _operands(op, arg)]
    return [condition]


def _action(printer: Printer, action: Action, new: dict[int, Expr]) -> str:
    value = tidy(with_new_values(action.value, {slot: v for slot, v in new.items() if slot != action.target}))
    if action.verb == "assign":
        return f"{printer.names[action.target]} <= {printer.assigned(action.target, value)};"
    if action.verb == "reinit":
        return f"break {printer.names[action.target]} => {printer.text(value)};"
    condition = "false" if action.verb == "terminate" else printer.text(value)
    severity = "failure" if action.verb == "terminate" else "error"
    message = string(formatted(action.message, action.values, printer.text))
    return f"assert {condition} report {message} severity {severity};"
