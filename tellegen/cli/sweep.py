"""What `tellegen sweep` does: values after --over to a study, the study to a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

import tellegen as tg
from tellegen.cli.run import check_folder, draw
from tellegen.cli.target import TargetError

_SHOWN = 40


def parse_over(texts: list[str], samples: int) -> Any:
    """`r.R=1:3:21` and `J=0.01,0.02` are a grid; with samples, `r.R=1:3` and `r.R=±5 %` are ranges of a hypercube."""
    over: dict[str, Any] = {}
    for text in texts:
        path, equals, written = text.partition("=")
        if not equals or not path.strip() or not written.strip():
            raise TargetError(f"--over {text!r} is not PATH=VALUES\nfor instance --over motor.R=1:3:21")
        over[path.strip()] = _values(text, written.strip(), bool(samples))
    return tg.latin_hypercube(over, samples) if samples else over


def _values(text: str, written: str, sampled: bool) -> Any:
    if ":" not in written:
        parts = [_value(part.strip()) for part in written.split(",")]
        return parts[0] if sampled and len(parts) == 1 else parts
    try:
        numbers = [float(part) for part in written.split(":")]
        if sampled and len(numbers) == 2:
            return tuple(numbers)
        low, high, count = numbers
        return np.linspace(low, high, int(count))
    except ValueError:
        form = "LOW:HIGH" if sampled else "LOW:HIGH:COUNT"
        raise TargetError(
            f"--over {text!r} is not {form}\nfor instance --over motor.R=1:3{'' if sampled else ':21'}"
        ) from None


def _value(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def write(study: tg.Study, csv: str, plot: str) -> Iterator[str]:
    """Write what was asked for; a line for each file."""
    if csv:
        check_folder(csv)
        study.to_pandas().to_csv(csv, index=False)
        yield f"table: {csv}"
    if plot:
        draw(study.plot, plot)
        yield f"plot: {plot}"


def table(study: tg.Study) -> Table:
    """A row for each run, the first ones of many."""
    frame = study.to_pandas()
    units = [study[name].attrs.get("units", "") if name in study.data else "" for name in frame.columns]
    title = repr(study).strip("<>") + (f" (the first {_SHOWN})" if len(frame) > _SHOWN else "")
    out = Table(title=Text(title), title_justify="left")
    for name, unit in zip(frame.columns, units, strict=True):
        out.add_column(Text(f"{name} [{unit}]" if unit else name), justify="right" if name != "outcome" else "left")
    for row in frame.head(_SHOWN).itertuples(index=False):
        out.add_row(*(Text(f"{cell:.6g}" if isinstance(cell, float) else str(cell)) for cell in row))
    return out
