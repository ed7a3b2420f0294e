"""Classes of other files, as names and as text: `motor.fmu#Motor` is `Motor = tg.read_fmu(...)`, and back.

A name is the path of the file below the opened folder, `#`, and the class: of a module in Python, of an FMU, a Modelica
file, a netlist (its subcircuits in small letters, the whole with a capital).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import PurePosixPath

from tellegen.errors import DocumentError
from tellegen.start.records import dataclass
from tellegen.studio.document.text.splice import dotted

MARK = "#"
NETLISTS = (".cir", ".sp", ".spi", ".net", ".ckt", ".lib", ".sub")
READERS = {".fmu": "read_fmu", ".mo": "load_modelica", **dict.fromkeys(NETLISTS, "read_spice")}
"""The function that makes components of a file, by its ending."""


@dataclass(frozen=True)
class Origin:
    """A class of another file."""

    file: str
    cls: str

    @property
    def key(self) -> str:
        """Its name in the library of the folder."""
        return f"{self.file}{MARK}{self.cls}"


def origin_of(key: str) -> Origin | None:
    """The file and the class of a name; None for classes of the library and of the file itself."""
    file, mark, cls = key.partition(MARK)
    return Origin(file, cls) if mark else None


def class_name(key: str) -> str:
    """The last word: `Resistor` of `electrical.Resistor`, `Tank` of `Tanks.mo#Tanks.Tank`."""
    return re.split(r"[.#]", key)[-1]


def whole(file: str) -> str:
    """The name for all of a file that holds one component: `dc-motor.fmu` -> `DcMotor`."""
    words = re.findall(r"[A-Za-z0-9]+", PurePosixPath(file).stem)
    name = "".join(word[:1].upper() + word[1:] for word in words)
    return name if name[:1].isalpha() else f"X{name}"


def below(folder: str, file: str) -> str:
    """The path of a file as seen from a folder that it is in; E898 for one elsewhere."""
    path = PurePosixPath(file)
    if not path.is_relative_to(folder):
        advice = "only files beside a model and below it can be used in it: move the file, or the model"
        raise DocumentError("E898", f"{file} is not in the folder of this model", advice=advice)
    return path.relative_to(folder).as_posix()


def module_of(file: str) -> str:
    """`parts/motors.py` -> `parts.motors`."""
    return PurePosixPath(file).with_suffix("").as_posix().replace("/", ".")


def expression(origin: Origin, folder: str, tellegen: str) -> str:
    """What makes the class, for a model in a folder: `tg.read_fmu(Path(__file__).with_name("motor.fmu"))`."""
    path = below(folder, origin.file)
    suffix = PurePosixPath(path).suffix
    place = f'Path(__file__).parent / "{path}"' if "/" in path else f'Path(__file__).with_name("{path}")'
    read = f"{tellegen}.{READERS[suffix]}({place}"
    if suffix == ".fmu":
        return f"{read})"
    if suffix == ".mo":
        return f'{read})["{origin.cls}"]'
    chosen = 'ports="*"' if origin.cls == whole(origin.file) else f'subcircuit="{origin.cls}"'
    return f"type({read}, {chosen}))"


def origin_of_expression(node: ast.expr, folder: str, meaning: Callable[[str], str]) -> str:
    """The name of the class that such an expression makes; empty for any other expression."""
    cls = ""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        cls = str(node.slice.value)
        node = node.value
    elif isinstance(node, ast.Call) and dotted(node.func) == "type" and len(node.args) == 1:
        node = node.args[0]
    if not isinstance(node, ast.Call) or len(node.args) != 1:
        return ""
    path = _path(node.args[0])
    reader = meaning(dotted(node.func)).removeprefix("tellegen.")
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    if not path or READERS.get(PurePosixPath(path).suffix) != reader:
        return ""
    file = (PurePosixPath(folder) / path).as_posix()
    if reader == "read_spice":
        return _of_netlist(file, options)
    return Origin(file, cls or whole(file)).key if not options else ""


def _of_netlist(file: str, options: dict[str | None, ast.expr]) -> str:
    given = {name: value.value for name, value in options.items() if isinstance(value, ast.Constant)}
    if given == {"ports": "*"}:
        return Origin(file, whole(file)).key
    return Origin(file, str(given["subcircuit"])).key if set(given) == {"subcircuit"} == set(options) else ""


def _path(node: ast.expr) -> str:
    """`"motor.fmu"`, `Path(__file__).with_name("motor.fmu")`, `Path(__file__).parent / "data" / "motor.fmu"`."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Call(func=ast.Attribute(attr="with_name"), args=[ast.Constant(value=str() as text)]):
            return text
        case ast.BinOp(left=left, op=ast.Div(), right=ast.Constant(value=str() as text)):
            before = "." if dotted(left).removesuffix(".resolve()").endswith(".parent") else _path(left)
            return (PurePosixPath(before) / text).as_posix() if before else ""
    return ""
