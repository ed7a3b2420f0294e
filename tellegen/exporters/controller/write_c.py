"""tg.write_c: a sampled controller as C99 for a target that has no operating system, no heap and little time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tellegen.errors import users_call
from tellegen.exporters.controller.c_functions import controller_unit
from tellegen.exporters.controller.c_names import SECTIONS, CNames
from tellegen.exporters.controller.sample import Sample, no_c, sample_of
from tellegen.exporters.source.files import save
from tellegen.exporters.source.identifiers import ascii_name, joined
from tellegen.procedures.print_c import TAKEN, print_functions
from tellegen.start.records import dataclass

_WIDTH = 44  # where comments begin


@dataclass(frozen=True)
class CController:
    """The texts of a controller, `NAME.h` and `NAME.c`; `fields` are the numbers of its record in their order."""

    name: str
    header: str
    source: str
    period: float
    fields: tuple[str, ...]

    def __repr__(self) -> str:
        lines = self.source.count("\n") + self.header.count("\n")
        return f"<CController {self.name}: {len(self.fields)} numbers, {lines} lines of C, every {self.period:g} s>"


@users_call
def write_c(component: Any, path: str | Path | None = None, *, name: str = "") -> CController:
    """A sampled component as C99: a record `struct NAME` and the functions NAME_init and NAME_step.

    `path` is the file NAME.c; NAME.h is written beside it. Without a path nothing is written. The record has the
    inputs, outputs and parameters under the names of the model, in SI units, and what the next step remembers. The
    code needs double precision of IEEE 754 and no more of the C library than math.h; it has no heap, no recursion, no
    global variables, and no loop without a limit. Compiled with -ffp-contract=off it computes what tg.simulate does,
    bit by bit, as far as both have the same math.h.

    The component has one clock: tg.discretize makes it of a continuous one.
    """
    sample = sample_of(component)
    given = name or (Path(path).stem if path is not None else sample.compiled.name)
    chosen = ascii_name(joined(given))
    if not chosen.isidentifier() or chosen in TAKEN:
        raise no_c(sample.compiled.name, f"{given!r} is not a name of C", 'write_c(..., name="controller")')
    if not sample.outputs:
        raise no_c(sample.compiled.name, "it has no output", "declare one: y = tg.output()")
    names = CNames(sample, chosen)
    unit = controller_unit(sample, names)
    head = _header(sample, names)
    source = "\n".join([f"/* {_title(sample)} */", f'#include "{chosen}.h"', "", print_functions(unit)])
    made = CController(chosen, head, source, sample.period, names.in_memory())
    if path is not None:
        file = Path(path).with_suffix(".c")
        save(source, file)
        save(head, file.with_name(f"{chosen}.h"))
    return made


def _title(sample: Sample) -> str:
    return f"{sample.compiled.name}: written by Tellegen; do not edit"


def _header(sample: Sample, names: CNames) -> str:
    name = names.name
    guard = f"{name.upper()}_H"
    lines = [f"/* {_title(sample)} */", f"#ifndef {guard}", f"#define {guard}", ""]
    lines += ["/* All numbers are in SI units. */", f"struct {name} {{"]
    for section, comment in SECTIONS.items():
        fields = [each for each in names.fields.values() if each.section == section]
        if fields:
            if section == "par" and not sample.follows:
                comment = "parameters: may be changed at any time"
            lines.append(f"    struct {{ /* {comment.format(name=name)} */")
            for each in fields:
                text = f"        {each.declaration}"
                lines.append(f"{text:<{_WIDTH}}/* {each.comment} */" if each.comment else text)
            lines.append(f"    }} {section};")
    lines += ["};", "", "/* Start values, and parameters as in the model; once, before the first step. */"]
    lines.append(f"void {name}_init(struct {name} *c);")
    if sample.follows:
        lines += ["/* After parameters were changed: computes what follows from them. */"]
        lines.append(f"void {name}_update(struct {name} *c);")
    lines += [f"/* One sample, every {sample.period!r} s: from c->in to c->out. */"]
    lines += [f"void {name}_step(struct {name} *c);", "", "#endif", ""]
    return "\n".join(lines)
