"""The commands. Exit codes: 0 all well, 1 the model is wrong, 2 the request is (file, class, option)."""

from __future__ import annotations

import time
from enum import StrEnum
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

import tellegen as tg
from tellegen import cli
from tellegen.cli.answers import answers
from tellegen.cli.target import is_modelica_file, load

app = typer.Typer(
    help="Physical systems from components: check, show, explain and simulate models.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Stage(StrEnum):
    """The stages that have a text form."""

    MODEL = "model"
    FLAT = "flat"
    REDUCED = "reduced"
    SORTED = "sorted"
    SCHEDULE = "schedule"


TargetArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE[:CLASS]",
        help="A Python file and, if it defines several, the model in it; a SPICE netlist (.cir, .sp, .net, ...), a "
        "document (.xml), a module (.mdl), or a Modelica class: a file (.mo) or a name.",
    ),
]


BindOption = typer.Option(
    "--bind",
    metavar="PATH=NAME",
    help="Bind an implementation, or a part by its name, to an interface; repeatable.",
)
StopOption = typer.Option(
    metavar="TIME", help='Stop time: 2 (seconds) or "20 ms"; optional for a netlist with .tran.', show_default=False
)


@app.command()
def check(target: TargetArgument, bind: Annotated[list[str] | None, BindOption] = None) -> None:
    """Build and flatten a model; say how large it is and that it is sound, or what is wrong with it."""
    with answers(target) as errors:
        if is_modelica_file(target) and cli.modelica.check(Path(target), errors):
            raise typer.Exit(1)
        if is_modelica_file(target):
            for text in dict.fromkeys(cli.modelica.unit_notes(Path(target))):
                cli.report.print_note(text, errors)
        component, note = load(target, bind)
        if note:
            cli.report.print_note(note, errors)
        begin = time.perf_counter()
        flat = tg.flatten(component)
        if isinstance(component, tg.ModelicaClass):
            cli.modelica.check_alone(component)
        cli.report.print_summary(flat, time.perf_counter() - begin, Console())


@app.command()
def show(
    target: TargetArgument,
    stage: Annotated[
        Stage,
        typer.Option(
            help="model: as written; flat: all equations; reduced: the equations that are solved; "
            "sorted: the same in order of evaluation; schedule: components by level of evaluation."
        ),
    ] = Stage.FLAT,
    bind: Annotated[list[str] | None, BindOption] = None,
    diagram: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw a Modelica class with its connections (svg).")
    ] = None,
    icon: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the icon of a Modelica class (svg).")] = None,
) -> None:
    """Print a stage of a model as text, or draw a Modelica class."""
    with answers(target) as errors:
        if diagram is not None or icon is not None:
            for line in cli.modelica.drawn(target, diagram, icon):
                cli.report.print_note(line, errors)
            return
        component, note = load(target, bind)
        if note:
            cli.report.print_note(note, errors)
        typer.echo(cli.stages.TEXT_OF_STAGE[stage](component))


@app.command("report")
def report_passes(
    target: TargetArgument,
    show: Annotated[str, typer.Option(metavar="PASS", help="The model before and after this pass.")] = "",
) -> None:
    """What compiling does: passes, sizes, blocks, states and why they are, solver."""
    with answers(target) as errors:
        component, note = load(target)
        if note:
            cli.report.print_note(note, errors)
        if show:
            typer.echo(cli.run.around_pass(component, show))
        else:
            typer.echo(tg.compile(component).report())


@app.command()
def explain(
    target: TargetArgument,
    plot: Annotated[str, typer.Option(metavar="FILE", help="Draw the system graph (png, svg, pdf).")] = "",
    blocks: Annotated[str, typer.Option(metavar="FILE", help="Draw the order of evaluation (png, svg, pdf).")] = "",
) -> None:
    """Explain a model: domains, graph and tree, states and why, loops, order of evaluation."""
    with answers(target) as errors:
        component, note = load(target)
        if note:
            cli.report.print_note(note, errors)
        story = tg.explain(component)
        Console(soft_wrap=True).print(story)
        for path, figure in ((plot, story.plot), (blocks, story.plot_blocks)):
            if path:
                cli.run.draw(figure, path)
                cli.report.print_note(f"wrote {path}", errors)


@app.command()
def simulate(
    target: TargetArgument,
    stop: Annotated[str | None, StopOption] = None,
    bind: Annotated[list[str] | None, BindOption] = None,
    points: Annotated[int, typer.Option(help="Number of output points.")] = 500,
    parameters: Annotated[
        str, typer.Option(metavar="FILE", help="Parameters from a TOML or JSON file, by path or in tables.")
    ] = "",
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PATH=VALUE", help='Set a parameter, "motor.R=2.4 ohm"; repeatable.'),
    ] = None,
    initial: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=VALUE", help="Start value of a state, or: steady (the steady state); repeatable."),
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help='What to print and plot, "load.w" or "load.w \\[rpm]"; repeatable.'),
    ] = None,
    x: Annotated[str, typer.Option(metavar="PATH", help='Horizontal axis of the plot: "time \\[ms]".')] = "time",
    csv: Annotated[str, typer.Option(metavar="FILE", help="Write a table.")] = "",
    plot: Annotated[str, typer.Option(metavar="FILE", help="Plot the results (png, svg, pdf).")] = "",
    solver: Annotated[str, typer.Option(help="auto, cvode, ida, rk45 or rodas.")] = "auto",
    rtol: Annotated[float, typer.Option(help="Relative tolerance.")] = 1e-6,
    explain: Annotated[bool, typer.Option("--explain", help="Show what limited the steps of the run.")] = False,
) -> None:
    """Simulate a model from 0 to --stop; print first and last values, write a table, draw the curves."""
    with answers(target) as errors:
        component, note = load(target, bind)
        if note:
            cli.report.print_note(note, errors)
        solution = tg.simulate(
            component,
            stop,
            points=points,
            parameters=cli.values.given_parameters(parameters, settings or []),
            initial=cli.values.given_initial(initial or []),
            solver=solver,
            rtol=rtol,
            throw=False,
        )
        for line in cli.run.write(solution, cli.run.Files(tuple(show or ()), csv, plot, x)):
            cli.report.print_note(line, errors)
        Console().print(cli.run.summary(solution, tuple(show or ())))
        if explain:
            Console().print(solution.explain())
        if not solution.outcome.ok:
            cli.report.print_outcome(solution.outcome, errors)
            raise typer.Exit(1)


@app.command()
def sweep(
    target: TargetArgument,
    over: Annotated[list[str], typer.Option(metavar="PATH=VALUES", help="LOW:HIGH:COUNT or A,B,C; repeatable.")],
    stop: Annotated[str | None, StopOption] = None,
    show: Annotated[
        list[str] | None, typer.Option(metavar="OUTPUT", help='"final(load.w)", "max(motor.i)", ...; repeatable.')
    ] = None,
    samples: Annotated[int, typer.Option(help="Number of runs of a Latin hypercube; VALUES are LOW:HIGH.")] = 0,
    csv: Annotated[str, typer.Option(metavar="FILE", help="Write a row for each run.")] = "",
    plot: Annotated[str, typer.Option(metavar="FILE", help="Draw the outputs (png, svg, pdf).")] = "",
    save: Annotated[str, typer.Option(metavar="FILE", help="Save the runs, and resume from those in the file.")] = "",
) -> None:
    """Simulate a model over ranges of its parameters; print and write a row for each run, draw the outputs."""
    with answers(target) as errors:
        component, note = load(target)
        if note:
            cli.report.print_note(note, errors)
        found = tg.study(component, cli.sweep.parse_over(over, samples), outputs=show, stop=stop, save=save or None)
        for line in cli.sweep.write(found, csv, plot):
            cli.report.print_note(line, errors)
        Console().print(cli.sweep.table(found))
        if len(bad := found.failures()):
            first = bad.iloc[0]
            cli.report.print_note(
                f"{len(bad)} runs failed, the first with {first['outcome']}: {first['reason']}", errors
            )
        if len(bad) or not found.complete:
            raise typer.Exit(1)


@app.command()
def library(
    search: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SEARCH]", help="Search terms, a domain, the name of a class, or a file of your own."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print everything found as JSON.")] = False,
) -> None:
    """List the components of the library, find some by words, or explain one."""
    with answers(words := " ".join(search or ())):
        cli.library.answer(words, json, Console())


@app.command()
def convert(
    target: TargetArgument,
    file: Annotated[Path, typer.Argument(metavar="OUTPUT", help="The file to write: .xml, .mo, .vhd, .cir, .c.")],
    markup: Annotated[int, typer.Option(metavar="VERSION", help="Of a document: 2 or 1.")] = 2,
) -> None:
    """Write a model in another format: a document (XML), Modelica, VHDL-AMS, SPICE, C of a sampled controller."""
    with answers(target) as errors:
        cli.report.print_note(cli.convert.converted(target, file, markup), errors)


@app.command()
def export(
    target: TargetArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The FMU or page (.html) to write.")],
    version: Annotated[str, typer.Option(help="Of FMI: 3.0 or 2.0.")] = "3.0",
    kind: Annotated[str, typer.Option(help="me (Model Exchange), cs (Co-Simulation).")] = "me,cs",
    platforms: Annotated[str, typer.Option(help="all, or names such as linux64,win64; this one's if omitted.")] = "",
    stop: Annotated[str, typer.Option(metavar="TIME", help="Of the default experiment: a number, or '2 h'.")] = "",
    sources: Annotated[bool, typer.Option("--sources", help="Of an FMU: with its code in C.")] = False,
    ports: Annotated[
        str, typer.Option(help="Of an FMU: connectors as inputs and outputs, flange=through or flange=across.")
    ] = "",
    python: Annotated[
        bool, typer.Option("--python", help="Of an FMU: functions in Python, by an installed Python.")
    ] = False,
    sliders: Annotated[str, typer.Option(metavar="PATHS", help="Of a page: parameters, separated by commas.")] = "",
    plots: Annotated[str, typer.Option(metavar="PATHS", help="Of a page: its curves, separated by commas.")] = "",
) -> None:
    """Write a model as an FMU, or as a page that runs it in a browser."""
    with answers(target) as errors:
        wanted = cli.convert.FmuOptions(version, kind, platforms, stop, sources, ports, python)
        pages = cli.convert.PageOptions(sliders, plots)
        cli.report.print_note(cli.convert.exported(target, output, wanted, pages), errors)


@app.command()
def browse(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A document (.xml) or a catalogue (.toml, ...).")],
) -> None:
    """Show what a document or a catalogue contains: interfaces, models, realized parts."""
    with answers(str(file)):
        cli.browse.answer(file, Console())


@app.command("find")
def find_parts(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FAMILY] [CONDITION]...", help='A family, DCMotor, and conditions, "mass < 0.2 kg".'),
    ] = None,
    source: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="FILE", help="A catalogue file or directory; the shipped one by default."),
    ] = None,
    order_by: Annotated[str, typer.Option(metavar="QUANTITY", help="mass, -mass (largest first) or name.")] = "",
    limit: Annotated[int | None, typer.Option(metavar="COUNT", help="At most so many parts.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the parts found as JSON.")] = False,
) -> None:
    """Find parts in a catalogue by what they have to be able to do; without arguments list its families."""
    with answers(" ".join(what or ())):
        search = cli.find.Search(what or (), source or (), order_by, limit)
        cli.find.answer(search, json, Console())


@app.command()
def sync(
    target: Annotated[
        str, typer.Argument(metavar="FILE", help="A Python file with a model, or an assembly that was saved (.json).")
    ],
) -> None:
    """Read the CAD and robot files of a model again; print what changed, and keep it."""
    with answers(target):
        cli.sync.answer(target, Console())


@app.command()
def space(
    target: TargetArgument,
    svg: Annotated[Path | None, typer.Option(help="Write a drawing of the tree to this file.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the tree to this file.")] = None,
) -> None:
    """Show the models that a system of interfaces can stand for, as a tree."""
    with answers(target) as errors:
        component, note = load(target)
        if note:
            cli.report.print_note(note, errors)
        cli.browse.answer_space(component, svg, json, Console())


@app.command()
def studio(
    path: Annotated[Path, typer.Argument(metavar="[FILE or FOLDER]", help="A model to open, or a folder.")] = Path(),
    port: Annotated[int, typer.Option(help="The port on this machine; any free one if omitted.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
) -> None:
    """Compose, check and run models in the browser, until Ctrl-C."""
    from tellegen.studio.command import run

    with answers(str(path)):
        run(path, port, browser, Console())


modelica_app = typer.Typer(help="Modelica libraries that are found by name.", no_args_is_help=True)
app.add_typer(modelica_app, name="modelica")


@modelica_app.command("add")
def add_library(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A library: a folder with package.mo, or a .mo file.")],
) -> None:
    """Make a Modelica library known: `tg.load_modelica()` and `tellegen simulate NAME` find it from then on."""
    with answers(str(path)):
        cli.modelica.add(path, Console())


@modelica_app.command("list")
def list_libraries() -> None:
    """Show the Modelica libraries that are known, with their versions and folders."""
    with answers(""):
        cli.modelica.show(Console())


fmu_app = typer.Typer(help="FMUs, models of other programs.", no_args_is_help=True)
app.add_typer(fmu_app, name="fmu")


@fmu_app.command("inspect")
def inspect_fmu(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="An FMU.")],
    everything: Annotated[bool, typer.Option("--all", help="List local variables too.")] = False,
) -> None:
    """Show what an FMU says about itself; its code is not loaded."""
    with answers(str(path)):
        cli.fmu.inspect(path, everything, Console())


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tellegen {metadata.version('tellegen')}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Physical systems from components: check, show, explain and simulate models."""


def main() -> None:
    """The entry point of the `tellegen` command."""
    app(prog_name="tellegen")
