"""C text around a function of a user: arguments from a row of numbers, results to a row of numbers.

    external "C" y = f(x, n, a, size(a, 1))

    void tellegen_call(double time, const double *x, const double *u, const double *p, double *y)
    { ... double result = f(u[0], (int)u[1], (double *)(u + 2), (int)u[5]); y[0] = result; }

which is how operators of software components are called (tellegen/foreign.py), so native code calls it as these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import prod

from tellegen.start.records import dataclass

C_TYPES = {
    "Real": "double",
    "Integer": "int",
    "Boolean": "int",
    "enumeration": "int",
    "String": "const char *",
    "ExternalObject": "void *",
}
SYMBOL = "tellegen_call"
OBJECTS = "tellegen_objects"
MESSAGE = "tellegen_message"
HEADER = f"""\
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#define MODELICA_UTILITIES_H
static _Thread_local jmp_buf tellegen_left;
char {MESSAGE}[1024];
void ModelicaVFormatError(const char *format, va_list values) {{
  vsnprintf({MESSAGE}, sizeof {MESSAGE}, format, values);
  longjmp(tellegen_left, 1);
}}
void ModelicaFormatError(const char *format, ...) {{
  va_list values; va_start(values, format); ModelicaVFormatError(format, values);
}}
void ModelicaError(const char *text) {{ ModelicaFormatError("%s", text); }}
void ModelicaFormatMessage(const char *format, ...) {{
  va_list values; va_start(values, format); vprintf(format, values); va_end(values);
}}
void ModelicaMessage(const char *text) {{ ModelicaFormatMessage("%s", text); }}
void ModelicaFormatWarning(const char *format, ...) {{
  va_list values; va_start(values, format); vfprintf(stderr, format, values); va_end(values);
}}
void ModelicaWarning(const char *text) {{ ModelicaFormatWarning("%s", text); }}
char *ModelicaAllocateString(size_t length) {{
  char *text = calloc(length + 1, 1);
  if (text == NULL) ModelicaError("no memory is left for a string");
  return text;
}}
char *ModelicaAllocateStringWithErrorReturn(size_t length) {{ return calloc(length + 1, 1); }}
"""
"""What ModelicaUtilities.h declares (MLS 12.8.6); an error leaves the call, whose results are NaN then."""


@dataclass(frozen=True)
class CArgument:
    """An argument of a C function: its type, its sizes, the text of a string, the number of an object."""

    base: str
    shape: tuple[int, ...] = ()
    is_output: bool = False
    text: str = ""
    number: int = 0

    @property
    def c_type(self) -> str:
        """How a prototype declares it."""
        kind = C_TYPES[self.base]
        return f"{kind} *" if self.shape or self.is_output else kind

    @property
    def size(self) -> int:
        """How many numbers it is."""
        return 0 if self.base in ("String", "ExternalObject") else prod(self.shape)


@dataclass(frozen=True)
class CCall:
    """A call: the function, its arguments, the type of what it returns ("" for none)."""

    function: str
    arguments: tuple[CArgument, ...]
    returns: str = ""

    @property
    def inputs(self) -> int:
        """How many numbers go in."""
        return sum(argument.size for argument in self.arguments if not argument.is_output)

    @property
    def outputs(self) -> int:
        """How many numbers come out, the returned one first."""
        return sum(argument.size for argument in self.arguments if argument.is_output) + bool(self.returns)

    @property
    def objects(self) -> int:
        """How many external objects it takes."""
        return sum(argument.base == "ExternalObject" for argument in self.arguments)

    def prototype(self) -> str:
        """The declaration of a function whose Include annotation says nothing about it."""
        kinds = ", ".join(argument.c_type for argument in self.arguments)
        return f"extern {C_TYPES.get(self.returns, 'void')} {self.function}({kinds or 'void'});\n"


@dataclass
class _Body:
    """Statements before and after the call, and the places of numbers so far."""

    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    read: int = 0
    written: int = 0


def wrapper(call: CCall) -> str:
    """The C function that calls a user's one with numbers."""
    body = _Body(written=1 if call.returns else 0)
    given = [_argument(argument, f"a{k}", body) for k, argument in enumerate(call.arguments)]
    invocation = f"{call.function}({', '.join(given)});"
    lines = [
        f"void *{OBJECTS}[{max(call.objects, 1)}];",
        f"void {SYMBOL}(double time, const double *x, const double *u, const double *p, double *y) {{",
        "  (void)time; (void)x; (void)u; (void)p; (void)y;",
        "  if (setjmp(tellegen_left)) {",
        f"    for (int k = 0; k < {call.outputs}; k++) y[k] = NAN;",
        "    return;",
        "  }",
        *body.before,
        f"  y[0] = (double){invocation}" if call.returns else f"  {invocation}",
        *body.after,
        "}",
    ]
    return "\n".join(lines) + "\n"


def _argument(argument: CArgument, name: str, body: _Body) -> str:
    """What stands for an argument in the call."""
    if argument.base == "String":
        return c_string(argument.text)
    if argument.base == "ExternalObject":
        return f"{OBJECTS}[{argument.number}]"
    place = body.written if argument.is_output else body.read
    if argument.is_output:
        body.written += argument.size
    else:
        body.read += argument.size
    kind = C_TYPES[argument.base]
    if kind == "double":
        if argument.is_output:
            return f"y + {place}"
        return f"(double *)(u + {place})" if argument.shape else f"u[{place}]"
    if not argument.is_output and not argument.shape:
        return f"({kind})u[{place}]"
    body.before.append(f"  {kind} {name}[{max(argument.size, 1)}];")
    loop = f"  for (int k = 0; k < {argument.size}; k++)"
    if argument.is_output:
        body.after.append(f"{loop} y[{place} + k] = (double){name}[k];")
    else:
        body.before.append(f"{loop} {name}[k] = ({kind})u[{place} + k];")
    return name


def constructor(function: str, values: Sequence[object]) -> str:
    """The C function that makes an external object of known values."""
    before: list[str] = []
    given = []
    for k, value in enumerate(values):
        given.append(_literal(value, f"a{k}", before))
    lines = [
        "void *tellegen_make(void) {",
        "  if (setjmp(tellegen_left)) return NULL;",
        *before,
        f"  return (void *){function}({', '.join(given)});",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _literal(value: object, name: str, before: list[str]) -> str:
    if isinstance(value, str):
        return c_string(value)
    if not isinstance(value, tuple):
        return repr(float(value)) if isinstance(value, float) else str(int(value))  # type: ignore[call-overload]
    kind = "const char *" if value and isinstance(value[0], str) else "double"
    if value and isinstance(value[0], int):
        kind = "int"
    texts = ", ".join(_literal(part, name, before) for part in value)
    before.append(f"  static {kind} {name}[{max(len(value), 1)}] = {{{texts or '0'}}};")
    return name


def c_string(text: str) -> str:
    """A string as C text; long ones in parts, which a compiler joins."""
    data = text.encode()
    parts = [data[k : k + 500] for k in range(0, len(data), 500)] or [b""]
    return " ".join(f'"{"".join(_character(byte) for byte in part)}"' for part in parts)


def _character(byte: int) -> str:
    plain = 32 <= byte < 127 and byte not in b'"\\?'
    return chr(byte) if plain else f"\\{byte:03o}"
