"""Code of the user by reference: `<function python="controllers:pid"/>`.

A document names code, and whoever reads it decides whether that may be imported, compiled or loaded. A function of
Python is named by module and name, the operator of a software component by its class; C code by the path of a shared
library, or with its source.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from tellegen.errors import DocumentError, LanguageError
from tellegen.foreign import CFunction, CLibrary
from tellegen.frontends.python.declarations.user_function import UserCall, UserFunction
from tellegen.frontends.python.software.python_code import PythonMethod
from tellegen.ir.expressions.expr import Function
from tellegen.ir.source_location import here
from tellegen.markup.expressions.text import number_text
from tellegen.markup.version2.quantities import read_quantity
from tellegen.units import NO_UNIT
from tellegen.xml.elements import Element
from tellegen.xml.writer import made

_OPERATORS = ("", "outputs", "derivatives", "next_states")
_ATTRIBUTES = (
    *("id", "name", "outputs", "nominal", "operator", "in-loops"),
    *("python", "shapes", "method", "reads", "returns", "library", "symbol", "sizes"),
)


# -- writing --------------------------------------------------------------------------------------------------------
def function_element(function: Function, identifier: str) -> Element:
    """The reference to a function."""
    code = function.callable
    attributes: dict[str, str | None] = {"id": identifier, "name": function.name}
    content: list[Element] = []
    if isinstance(code, UserCall):
        attributes["python"] = _path(code.function, code.function.python, function.name)
        attributes["shapes"] = " ".join(str(shape[0]) if shape else "-" for shape in code.shapes)
        return made("function", attributes)
    if isinstance(code, PythonMethod):
        attributes["python"] = _path(code.cls, code.cls, function.name)
        attributes |= {"method": code.method, "reads": " ".join(code.order), "returns": " ".join(code.targets)}
    elif isinstance(code, CFunction):
        attributes |= {"library": code.library.path or None, "symbol": code.symbol}
        attributes["sizes"] = " ".join(map(str, code.parts))
        if code.library.text:
            content = [made("header", {}, code.library.header), made("source", {}, code.library.text)]
    else:
        raise _not_importable(function.name)
    attributes |= {
        "outputs": None if function.outputs == 1 else str(function.outputs),
        "nominal": " ".join(map(number_text, function.nominal)) or None,
        "operator": function.operator or None,
        "in-loops": None if function.in_loops else "false",
    }
    return made("function", attributes, *content)


def _path(wanted: object, named: Any, name: str) -> str:
    """module:name of what can be imported."""
    path = f"{getattr(named, '__module__', '')}:{getattr(named, '__qualname__', '')}"
    if _imported(path) is not wanted:
        raise _not_importable(name)
    return path


def _not_importable(name: str) -> DocumentError:
    return DocumentError(
        "E849",
        f"the function '{name}' cannot be written: a document names code that can be imported, and it cannot be",
        location=here(),
        advice="define it, or its class, at the top level of a module",
    )


def _imported(path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        found: Any = import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
        return found
    except Exception:  # importing runs code of the module, and anything can go wrong in it
        return None


# -- reading --------------------------------------------------------------------------------------------------------
def read_function(element: Element, allow_code: bool) -> Function:
    """The function that is referred to."""
    element.check_attributes(_ATTRIBUTES)
    element.check_children(("header", "source"))
    if not allow_code:
        raise DocumentError(
            "E848",
            f"{element} refers to code, which is neither imported nor loaded unless you allow it",
            location=element.location,
            advice="if you trust the document: tg.read_markup(..., allow_code=True)",
        )
    if "python" not in element.attributes:
        return _made(element, _c_function(element))
    path = element.word("python")
    found = _imported(path)
    if "method" in element.attributes and isinstance(found, type):
        order = tuple(element.word("reads", "").split())
        method = element.choice("method", _OPERATORS[1:])
        return _made(element, PythonMethod(found, method, order, tuple(element.word("returns").split())))
    if not isinstance(found, UserFunction):
        raise _missing(element, f"'{path}' of {element} cannot be imported, or is not a tg.function")
    shapes = [() if word == "-" else (int(word),) for word in element.word("shapes").split() if _is_shape(word)]
    return found.of_shapes(tuple(shapes))


def _is_shape(word: str) -> bool:
    return word == "-" or (word.isdecimal() and len(word) < 6)


def _made(element: Element, code: Callable[..., Any]) -> Function:
    nominal = read_quantity(element, "nominal", element.word("nominal", ""), NO_UNIT)
    operator = element.choice("operator", _OPERATORS, "")
    outputs = max(element.integer("outputs", 1), 1)
    name = element.word("name", element.word("id"))
    return Function(
        name, code, outputs, None, tuple(nominal.tolist()), operator, in_loops=element.flag("in-loops", True)
    )


def _c_function(element: Element) -> CFunction:
    texts = {child.tag: child.text().value for child in element.children}
    path = element.word("library", "")
    if not path and "source" not in texts:
        raise element.wrong(f"{element} names no code", 'python="module:name", library="path", or <source>')
    sizes = element.integers("sizes")
    if len(sizes) != 3:
        raise element.wrong(f"sizes of {element} are three numbers", "of states, inputs and parameters")
    states, inputs, parameters = sizes
    library = CLibrary(
        path=path,
        text=texts.get("source", ""),
        header=texts.get("header", ""),
        name=str(element),
        location=element.location,
    )
    function = CFunction(library, element.word("symbol"), (states, inputs, parameters), element.integer("outputs", 1))
    try:
        _ = function.address  # compiled and loaded now, so that mistakes show while the document is read
    except LanguageError as error:
        raise _missing(element, error.message) from None
    return function


def _missing(element: Element, what: str) -> DocumentError:
    advice = "install the module or library it is in, or put its folder on PYTHONPATH"
    return DocumentError("E848", what, location=element.location, advice=advice)
