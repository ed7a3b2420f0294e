"""What `tellegen simulate` and `tellegen report --show` do with a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from tellegen.cli.target import TargetError
from tellegen.compile import trace_model
from tellegen.errors import nearest
from tellegen.ir.show.reduced_model import show_reduced

_SHOWN = 12


def parse_settings(texts: list[str]) -> dict[str, Any]:
    """`motor.R=2.4`, `T=300,310,320`, `motor.R=2.4 ohm`: values by path."""
    out: dict[str, Any] = {}
    for text in texts:
        path, equals, value = text.partition("=")
        if not equals or not path.strip() or not value.strip():
            raise TargetError(f"--set {text!r} is not PATH=VALUE\nfor instance --set motor.R=2.4")
        out[path.strip()] = _value(value.strip())
    return out


def _value(text: str) -> Any:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        return text
    return numbers[0] if len(numbers) == 1 else numbers


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


def write(solution: Any, paths: tuple[str, ...], csv: str, plot: str) -> Iterator[str]:
    """Write what was asked for; a line for each file."""
    for path in paths:
        solution.unit(path)  # a wrong name is reported before anything is written
    if csv:
        check_folder(csv)
        solution.to_csv(csv, *paths)
        yield f"table: {csv}"
    if plot:
        draw(lambda: solution.plot(*paths), plot)
        yield f"plot: {plot}"


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
    curves = solution.to_pandas(*(paths or solution.shown(_SHOWN)))
    for name in curves.columns:
        values = curves[name].to_numpy()
        cells = (name, f"{values[0]:.6g}", f"{values[-1]:.6g}", curves.attrs["units"][name])
        table.add_row(*(Text(cell) for cell in cells))
    return Group(title, table)
