"""What `tellegen simulate` and `tellegen report --show` do with a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from tellegen.cli.target import TargetError
from tellegen.errors import nearest
from tellegen.ir.show.reduced_model import show_reduced
from tellegen.stages import trace_model

_SHOWN = 12


def around_pass(component: Any, name: str) -> str:
    """The model before and after a pass, both in full."""
    wanted = name.replace(" ", "_").replace("-", "_")
    before = ""
    names = []
    for done, model in trace_model(component):
        names.append(done)
        if done != wanted:
            before = show_reduced(model)
            continue
        after = show_reduced(model)
        if not before:
            return f"== {done} ==\n{after}"
        if before == after:
            return f"== {done} changes nothing ==\n{after}"
        return f"== before {done} ==\n{before}\n== after {done} ==\n{after}"
    raise TargetError(f"there is no pass {name!r}\n{nearest(wanted, names)}")


@dataclass(frozen=True)
class Files:
    """What to write of a run, and where; nothing for an empty name."""

    paths: tuple[str, ...]
    csv: str = ""
    plot: str = ""
    x: str = "time"


def write(solution: Any, files: Files) -> Iterator[str]:
    """Write what was asked for; a line for each file."""
    for path in (*files.paths, files.x):
        solution.unit(path)  # a wrong name is reported before anything is written
    if files.csv:
        check_folder(files.csv)
        solution.to_csv(files.csv, *files.paths)
        yield f"table: {files.csv}"
    if files.plot:
        draw(lambda: solution.plot(*files.paths, x=files.x), files.plot)
        yield f"plot: {files.plot}"


def check_folder(file: str) -> None:
    """Reject a file in a folder that is not there."""
    if not Path(file).resolve().parent.is_dir():
        raise TargetError(f"there is no folder {Path(file).parent} to write {Path(file).name} into")


def draw(plot: Callable[[], Any], file: str) -> None:
    """Write a picture."""
    import matplotlib as mpl

    check_folder(file)

    mpl.use("Agg")  # a file is asked for, not a window
    try:
        plot().savefig(file, dpi=150, bbox_inches="tight")
    except ValueError as error:  # matplotlib's word for a format it cannot write
        raise TargetError(f"{file} cannot be drawn: {error}") from error


def summary(solution: Any, paths: tuple[str, ...]) -> Group:
    """First and last values, of the states (or what the model itself shows) unless paths are given."""
    stats = solution.stats
    how = f"{stats['solver']}, {stats.get('steps', 0)} steps, {1e3 * stats.get('seconds', 0.0):.1f} ms"
    title = Text(f"{solution.name}: {len(solution.time)} points to t = {solution.time[-1]:g} s ({how})")
    table = Table()
    for name in ("name", "first", "last", "unit"):
        table.add_column(name, justify="right" if name in ("first", "last") else "left")
    curves = solution.to_pandas(*map(solution.displayed, paths or solution.shown(_SHOWN)))
    for name in curves.columns:
        values = curves[name].to_numpy()
        cells = (name, f"{values[0]:.6g}", f"{values[-1]:.6g}", curves.attrs["units"][name])
        table.add_row(*(Text(cell) for cell in cells))
    return Group(title, table)
