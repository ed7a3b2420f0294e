"""What the command line says: errors, notes and the table of `tellegen check`."""

from __future__ import annotations

from typing import Any

from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tellegen.errors import TellegenError
from tellegen.ir.flat import FlatModel


def print_error(error: TellegenError, console: Console) -> None:
    """A red panel at a terminal; elsewhere exactly the text of the error, for logs and other programs."""
    if not console.is_terminal:
        print(error.text(), file=console.file)
        return
    parts: list[RenderableType] = [Text(error.message, style="bold")]
    if error.location is not None:
        parts.append(Text.assemble("at ", (str(error.location), "cyan")))
        if line := error.location.source():
            parts.append(Text(f"    {line}", style="italic"))
    parts += [Text(detail) for detail in error.details]
    if error.advice:
        parts.append(Text.assemble(("try: ", "bold green"), (error.advice, "green")))
    title = f"[bold red]{error.code}[/] {type(error).__name__}"
    console.print(Panel(Group(*parts), title=title, title_align="left", border_style="red"))


def print_refusal(message: str, console: Console) -> None:
    """A request that cannot be carried out: the first line is the fault, the others are advice."""
    first, *rest = message.splitlines()
    console.print(Text.assemble(("error: ", "bold red"), first), soft_wrap=True)
    for line in rest:
        console.print(Text(f"  {line}"), soft_wrap=True)


def print_outcome(outcome: Any, console: Console) -> None:
    """How a run that did not reach its end stopped."""
    console.print(Text.assemble(("stopped: ", "bold red"), str(outcome)), soft_wrap=True)
    for detail in outcome.details:
        console.print(Text(f"  {detail}"), soft_wrap=True)
    if outcome.advice:
        console.print(Text.assemble(("try: ", "bold green"), outcome.advice), soft_wrap=True)


def print_note(note: str, console: Console) -> None:
    """A remark beside the result."""
    console.print(Text(f"note: {note}", style="dim"), soft_wrap=True)


def print_warning(warning: str, console: Console) -> None:
    """Something that may not be as the user thinks."""
    console.print(Text.assemble(("warning: ", "bold yellow"), warning), soft_wrap=True)


def print_summary(flat: FlatModel, seconds: float, console: Console) -> None:
    """How large the model is, and that it is sound."""
    table = Table("", "count", title=flat.name, title_justify="left", title_style="bold")
    table.columns[1].justify = "right"
    rows: dict[str, int] = {
        "components": flat.summary.components,
        "kinds": flat.summary.kinds,
        "variables": flat.variables.count,
        "parameters": flat.parameters.count,
        "equations": flat.equation_count,
        "templates": flat.summary.templates,
        "shapes traced": flat.summary.traced,
    }
    for label, number in rows.items():
        table.add_row(label, f"{number:,}".replace(",", " "))
    table.add_row("seconds", f"{seconds:.3f}")
    console.print(table)
    console.print(Text.assemble(("ok", "bold green"), f"  {flat.name} is complete and consistent"))
