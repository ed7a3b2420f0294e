"""Modules of LLVM IR as codegen/ writes them -> C99: one statement for one instruction, blocks as labels.

    %v2 = fsub double %t, %v1               v2 = t - v1;
    store double %v2, ptr %v3       ->      *(double *)v3 = v2;
    br label %body                          row = 0; goto body;

Only what codegen/ writes is known here, an instruction of another kind is an error. Results are those of the libraries
if the compiler neither joins products with sums (-ffp-contract=off) nor assumes
anything about the types of what is in memory (-fno-strict-aliasing).
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache

import llvmlite.binding as llvm

from tellegen.errors import InternalError

_TYPES = {"double": "double", "i64": "int64_t", "i32": "int32_t", "i1": "int", "ptr": "char *", "void": "void"}
_SIZES = {"double": 8, "i64": 8, "i32": 4, "ptr": 8, "i8": 1, "{ ptr, i64 }": 16}
_ARITHMETIC = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/", "add": "+", "sub": "-", "mul": "*"}
_ARITHMETIC |= {"and": "&", "or": "|", "xor": "^"}
_COMPARED = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_COMPARED |= {"oeq": "==", "une": "!=", "olt": "<", "ole": "<=", "ogt": ">", "oge": ">="}
_UNORDERED = {"ult": ">=", "ule": ">", "ugt": "<=", "uge": "<"}
"""Comparisons that also hold with NaN: the opposite does not hold."""
_INTRINSICS = {"sqrt": "sqrt", "fabs": "fabs", "floor": "floor", "ceil": "ceil", "fmuladd": "tellegen_multiply_add"}
_INTRINSICS |= {"minimum": "tellegen_minimum", "maximum": "tellegen_maximum"}
_CONVERTED = {"zext", "sext", "trunc", "uitofp", "sitofp", "fptosi"}
_NOISE = re.compile(r"\b(?:noundef|nuw|nsw|nneg|disjoint|inbounds|tail|noalias|align \d+)\b ?|, !.*$| #\d+")

HEAD = """#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline double tellegen_minimum(double a, double b) {
    if (a != a || b != b) return a + b;
    return a < b || (a == b && signbit(a)) ? a : b;
}
static inline double tellegen_maximum(double a, double b) {
    if (a != a || b != b) return a + b;
    return a > b || (a == b && !signbit(a)) ? a : b;
}
static inline double tellegen_multiply_add(double a, double b, double c) { return a * b + c; }
"""


@dataclass
class _Function:
    """A function as it is read: its head, and blocks of instructions."""

    name: str
    head: str
    hidden: bool
    parameters: dict[str, str]
    blocks: dict[str, list[str]] = field(default_factory=dict)
    locals: dict[str, str] = field(default_factory=dict)  # types by name

    def read(self, name: str) -> str:
        """The type of a local or a parameter."""
        return self.locals.get(name) or self.parameters[name]


def print_llvm_as_c(text: str) -> str:
    """A module as one file."""
    _initialize()
    functions = _called(list(_functions(str(llvm.parse_assembly(text)))))
    heads = [f"{'static ' if each.hidden else ''}{each.head};" for each in functions]
    return "\n".join([HEAD, *heads, "", *("\n".join(_body(each)) for each in functions), ""])


def _called(functions: list[_Function]) -> list[_Function]:
    """Without those that nobody calls: compilers warn of them."""
    calls = [
        set(re.findall(r"@([\w.]+)\(", "\n".join(line for block in each.blocks.values() for line in block)))
        for each in functions
    ]
    while True:
        named = set().union(*calls) if calls else set()
        kept = [k for k, each in enumerate(functions) if not each.hidden or each.name in named]
        if len(kept) == len(functions):
            return functions
        functions = [functions[k] for k in kept]
        calls = [calls[k] for k in kept]


@cache
def _initialize() -> None:
    llvm.initialize_all_targets()


def _functions(text: str) -> Iterator[_Function]:
    found: _Function | None = None
    block = ""
    for line in text.splitlines():
        line = line.split(" ; preds")[0].rstrip()
        if line.startswith("define "):
            found = _head(line)
            block = "entry"
        elif line == "}" and found is not None:
            yield found
            found = None
        elif found is not None and (label := re.match(r'"?([\w.]+)"?:', line)):
            block = label[1]
        elif found is not None and line.strip():
            found.blocks.setdefault(block, []).append(_NOISE.sub("", line.strip()).rstrip(", "))


def _head(line: str) -> _Function:
    parts = re.match(r"define (private |internal |hidden )?(.*?)(\w+) @([\w.]+)\((.*?)\)", _NOISE.sub("", line))
    assert parts is not None
    parameters = {}
    for each in filter(None, parts[5].split(", ")):
        kind, name = each.split(" %")
        parameters[_name(name)] = kind.split()[0]
    listed = ", ".join(f"{_declared(kind, name)}" for name, kind in parameters.items()) or "void"
    head = f"{_declared(parts[3], parts[4])}({listed})"
    return _Function(parts[4], head, (parts[1] or "").strip() in ("private", "internal"), parameters)


def _declared(kind: str, name: str) -> str:
    base = _TYPES[kind]
    return f"{base}{name}" if base.endswith("*") else f"{base} {name}"


def _name(name: str) -> str:
    """A local that no name of C can be."""
    return "_" + re.sub(r"\W", "_", name)


def _body(function: _Function) -> Iterator[str]:
    """The definition: locals, then blocks."""
    lines: list[str] = []
    room: list[str] = []
    for label, instructions in function.blocks.items():
        lines.append(f"{_label(label)}:;")
        for instruction in instructions:
            lines.append("    " + _statement(function, label, instruction, room))
    yield f"{'static ' if function.hidden else ''}{function.head}"
    yield "{"
    yield from (f"    {each};" for each in room)
    yield from (f"    {_declared(kind, name)} = 0;" for name, kind in function.locals.items())
    used = set(re.findall(r"goto (\w+);", "\n".join(lines)))
    yield from (line for line in lines if not line.endswith(":;") or line[:-2] in used)
    yield "}"


def _label(name: str) -> str:
    return "block" + _name(name)


def _statement(function: _Function, block: str, instruction: str, room: list[str]) -> str:
    """An instruction of a block; `room` are declarations that it needs."""
    result = re.match(r"%([\w.]+) = (.*)", instruction)
    name, text = (_name(result[1]), result[2]) if result else ("", instruction)
    word = text.split(maxsplit=1)[0]
    if word == "phi":
        function.locals[name] = text.split()[1]
        return f"/* {name} comes from the blocks before */;"
    if word == "alloca":
        return _alloca(function, name, text, room)
    if word in _PLAIN:
        kind, value = _PLAIN[word](text)
    elif word in ("br", "ret", "store"):
        return _CONTROL[word](function, block, text)
    elif word == "call":
        kind, value = _call(text)
    else:
        raise InternalError("E903", f"an instruction that has no C: {instruction}")
    if not name:
        return f"{value};"
    function.locals[name] = kind
    return f"{name} = {value};"


def _alloca(function: _Function, name: str, text: str, room: list[str]) -> str:
    parts = re.match(r"alloca (\w+)(?:, i\d+ (\d+))?", text)
    assert parts is not None
    function.locals[name] = "ptr"
    room.append(f"{_declared(parts[1], f'room{name}')}[{parts[2] or 1}]")
    return f"{name} = (char *)room{name};"


def _value(text: str, kind: str) -> str:
    """An operand."""
    text = text.strip()
    if text.startswith("%"):
        return _name(text[1:])
    if text.startswith("@"):
        return f"(char *){text[1:]}"
    if kind == "double":
        return _number(text)
    if text in ("true", "false"):
        return str(int(text == "true"))
    return "0" if text in ("null", "poison", "undef") else f"INT64_C({text})" if kind == "i64" else text


def _number(text: str) -> str:
    value = struct.unpack("<d", struct.pack("<Q", int(text, 16)))[0] if text.startswith("0x") else float(text)
    if math.isnan(value):
        return "NAN"
    if math.isinf(value):
        return "INFINITY" if value > 0 else "(-INFINITY)"
    return f"({value!r})" if math.copysign(1.0, value) < 0.0 else repr(value)


def _operands(text: str) -> tuple[str, str, str]:
    """Type and two operands: `fadd double %a, %b`."""
    parts = re.match(r"\w+ (?:\w+ )?(\w+) (\S+), (\S+)$", text)
    assert parts is not None, text
    return parts[1], _value(parts[2], parts[1]), _value(parts[3], parts[1])


def _arithmetic(text: str) -> tuple[str, str]:
    kind, left, right = _operands(text)
    sign = _ARITHMETIC[text.split()[0]]
    if kind == "i64":  # as it overflows
        return kind, f"(int64_t)((uint64_t){left} {sign} (uint64_t){right})"
    return kind, f"{left} {sign} {right}"


def _shifted(text: str) -> tuple[str, str]:
    kind, left, right = _operands(text)
    return kind, f"({_TYPES[kind]})((uint64_t){left} >> {right})"


def _compared(text: str) -> tuple[str, str]:
    _, left, right = _operands(text)
    how = text.split()[1]
    if how in _UNORDERED:
        return "i1", f"!({left} {_UNORDERED[how]} {right})"
    if how in ("ord", "uno"):
        return "i1", f"{'!' if how == 'ord' else ''}(isnan({left}) || isnan({right}))"
    if how == "one":
        return "i1", f"({left} < {right} || {left} > {right})"
    return "i1", f"{left} {_COMPARED[how]} {right}"


def _negated(text: str) -> tuple[str, str]:
    return "double", f"-{_value(text.split()[2], 'double')}"


def _selected(text: str) -> tuple[str, str]:
    parts = re.match(r"select i1 (\S+), (\w+) (\S+), \w+ (\S+)$", text)
    assert parts is not None, text
    kind = parts[2]
    return kind, f"{_value(parts[1], 'i1')} ? {_value(parts[3], kind)} : {_value(parts[4], kind)}"


def _loaded(text: str) -> tuple[str, str]:
    parts = re.match(r"load (\w+), ptr ([^,\s]+)", text)
    assert parts is not None, text
    return parts[1], f"*({_declared(parts[1], '*').strip()}){_value(parts[2], 'ptr')}"


def _element(text: str) -> tuple[str, str]:
    parts = re.match(r"getelementptr (\{.*?\}|\w+), ptr (\S+), (\w+) ([^,\s]+)(?:, i32 (\d+))?", text)
    assert parts is not None, text
    inner = f" + {8 * int(parts[5])}" if parts[5] and int(parts[5]) else ""
    return "ptr", f"{_value(parts[2], 'ptr')} + {_SIZES[parts[1]]} * {_value(parts[4], parts[3])}{inner}"


def _converted(text: str) -> tuple[str, str]:
    parts = re.match(r"(\w+) (\w+) (\S+) to (\w+)$", text)
    assert parts is not None, text
    value = _value(parts[3], parts[2])
    sign = "-" if parts[1] == "sext" and parts[2] == "i1" else ""
    return parts[4], f"({_TYPES[parts[4]]}){sign}{value}"


def _call(text: str) -> tuple[str, str]:
    parts = re.match(r"call (\w+) ([@%][\w.]+)\((.*)\)$", text)
    assert parts is not None, text
    arguments = [each.rsplit(" ", 1) for each in filter(None, parts[3].split(", "))]
    kinds = [kind.split()[0] for kind, _ in arguments]
    values = ", ".join(_value(value, kind) for kind, (_, value) in zip(kinds, arguments, strict=True))
    callee = parts[2]
    if callee.startswith("%"):
        types = ", ".join(_TYPES[kind] for kind in kinds)
        return parts[1], f"(({_TYPES[parts[1]]} (*)({types})){_value(callee, 'ptr')})({values})"
    intrinsic = re.match(r"@llvm\.(\w+)\.", callee)
    return parts[1], f"{_INTRINSICS[intrinsic[1]] if intrinsic else callee[1:]}({values})"


def _branch(function: _Function, block: str, text: str) -> str:
    parts = re.match(r'br i1 (\S+), label %"?([\w.]+)"?, label %"?([\w.]+)"?$', text)
    if parts is None:
        return _jump(function, block, text.split("%")[1].strip('"'))
    yes, no = (_jump(function, block, target) for target in (parts[2], parts[3]))
    return f"if ({_value(parts[1], 'i1')}) {{ {yes} }} else {{ {no} }}"


def _jump(function: _Function, block: str, target: str) -> str:
    """To another block, whose first instructions depend on where one comes from."""
    given = []
    for instruction in function.blocks[target]:
        phi = re.match(r"%([\w.]+) = phi (\w+) (.*)", instruction)
        if phi is None:
            break
        sources = {where: value for value, where in re.findall(r'\[ (\S+), %"?([\w.]+)"? \]', phi[3])}
        given.append((_name(phi[1]), phi[2], _value(sources[block], phi[2])))
    if len(given) == 1:
        return f"{given[0][0]} = {given[0][2]}; goto {_label(target)};"
    kept = [f"{_declared(kind, f'next{name}')} = {value};" for name, kind, value in given]
    moved = [f"{name} = next{name};" for name, _, _ in given]
    return " ".join(["{", *kept, *moved, f"goto {_label(target)};", "}"])


def _returned(_function: _Function, _block: str, text: str) -> str:
    words = text.split()
    return "return;" if words[1] == "void" else f"return {_value(words[2], words[1])};"


def _stored(_function: _Function, _block: str, text: str) -> str:
    parts = re.match(r"store (\w+) (\S+), ptr ([^,\s]+)", text)
    assert parts is not None, text
    kind = _declared(parts[1], "*").strip()
    return f"*({kind}){_value(parts[3], 'ptr')} = {_value(parts[2], parts[1])};"


_PLAIN: dict[str, Callable[[str], tuple[str, str]]] = {
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **dict.fromkeys(_CONVERTED, _converted),
    "fcmp": _compared,
    "icmp": _compared,
    "fneg": _negated,
    "lshr": _shifted,
    "select": _selected,
    "load": _loaded,
    "getelementptr": _element,
}
"""Instructions with a result: its type and the expression."""
_CONTROL: dict[str, Callable[[_Function, str, str], str]] = {"br": _branch, "ret": _returned, "store": _stored}
