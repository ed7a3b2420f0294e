"""Lines of a script as a tree: loops and conditions with the commands inside of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tellegen.importers.spice.netlist.lines import Line

ANALYSES = ("op", "dc", "ac", "noise", "tran")
NOT_READ = frozenset(
    [
        "source",
        "circbyline",
        "load",
        "loadsnapshot",
        "setcirc",
        "remcirc",
        "mc_source",
        "stop",
        "step",
        "resume",
        "goto",
    ]
)
_ACTING = frozenset((*ANALYSES, *NOT_READ, "run", "alter", "altermod", "alterparam", "reset", "quit", "exit", "option"))
_LEAVING = ("break", "continue")
_WARM = ("temp", "tnom", "gmin")
LOOPS = ("while", "dowhile", "repeat", "foreach")


@dataclass(frozen=True)
class Command:
    """One line: its first word, and what follows."""

    line: Line
    word: str
    rest: str


@dataclass(frozen=True)
class Block:
    """A loop or an `if`, up to its `end`."""

    line: Line
    word: str
    rest: str
    body: list[Command | Block] = field(default_factory=list)
    otherwise: list[Command | Block] = field(default_factory=list)


def blocks(lines: Sequence[Line]) -> list[Command | Block]:
    """The commands of a script in the order of its lines; a block without an end ends with the script."""
    top: list[Command | Block] = []
    open_blocks: list[Block] = []
    into = [top]
    for line in lines:
        word, *others = line.text.split(maxsplit=1)
        rest = "".join(others).strip()
        if word in (*LOOPS, "if"):
            block = Block(line, word, rest)
            into[-1].append(block)
            open_blocks.append(block)
            into.append(block.body)
        elif word == "else" and open_blocks and open_blocks[-1].word == "if":
            into[-1] = open_blocks[-1].otherwise
        elif word == "end" and open_blocks:
            open_blocks.pop()
            into.pop()
        else:
            into[-1].append(Command(line, word, rest))
    return top


def is_idle(each: Command | Block, in_loop: bool = False) -> bool:
    """Whether a command or block neither runs an analysis nor changes the circuit, nor which commands follow."""
    if isinstance(each, Command):
        is_setting = each.word == "set" and each.rest.replace("=", " ").split()[:1] in [[name] for name in _WARM]
        return not (each.word in _ACTING or is_setting or (each.word in _LEAVING and not in_loop))
    in_loop = in_loop or each.word in LOOPS
    return all(is_idle(inner, in_loop) for inner in (*each.body, *each.otherwise))
