"""A Python file as text and syntax tree: its classes, and what the names in it stand for. Nothing of it is run."""

from __future__ import annotations

import ast
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from tellegen.errors import DocumentError
from tellegen.studio.document.text.origins import Origin, origin_of_expression
from tellegen.studio.document.text.splice import Positions, dotted

LIBRARY = "tellegen.library"
MODELS = ("tellegen.System", "tellegen.Component")
USUAL_NAMES = {
    "electrical": "el",
    "rotational": "rot",
    "translational": "tr",
    "thermal": "th",
    "machines": "ma",
    "hydraulic": "hy",
    "pneumatic": "pn",
    "multibody": "mb",
    "polyphase": "pp",
    "power_converters": "pc",
    "photovoltaic": "pv",
    "magnetic": "mg",
    "digital": "dg",
    "quasi_static": "qs",
}
"""How examples and documentation call the modules of the library."""


class SourceFile:
    """The text of a file, parsed."""

    def __init__(self, text: str, name: str = "model.py") -> None:
        self.text = text
        self.name = name
        try:
            self.tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None)
            where = f"{name}:{line}" if line else name
            advice = "correct it in a text editor; the studio reads the file again"
            raise DocumentError("E895", f"{where}: Python cannot read this: {error}", advice=advice) from None
        except (RecursionError, MemoryError):
            raise DocumentError("E895", f"{name}: Python cannot read this: it is nested too deeply") from None
        self.positions = Positions(text)

    @cached_property
    def classes(self) -> dict[str, ast.ClassDef]:
        """The classes at the top of the file, by name."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.ClassDef)}

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions at the top of the file, by name."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    @cached_property
    def builders(self) -> dict[str, ast.FunctionDef]:
        """Functions at the top that make a model, by their annotation, and can be called without arguments."""
        return {name: node for name, node in self.functions.items() if node.returns and self._makes_model(node)}

    def _makes_model(self, node: ast.FunctionDef) -> bool:
        arguments = node.args
        needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
        needed += sum(default is None for default in arguments.kw_defaults)
        made = self.meaning(dotted(node.returns)) if node.returns is not None else ""
        return needed == 0 and (made in MODELS or made in self.component_classes())

    @cached_property
    def imported(self) -> dict[str, str]:
        """What imported names stand for: `el` -> `tellegen.library.electrical`."""
        found: dict[str, str] = {}
        for node in self.tree.body:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    own = alias.asname or alias.name.split(".")[0]
                    found[own] = alias.name if alias.asname else own
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        return found

    @cached_property
    def taken(self) -> set[str]:
        """Names that stand for something at the top of the file."""
        assigned = {
            target.id
            for node in self.tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        defined = {node.name for node in self.tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        return assigned | defined | set(self.imported)

    def meaning(self, written: str) -> str:
        """The full name of what is written: `el.Resistor` -> `tellegen.library.electrical.Resistor`."""
        first, dot, rest = written.partition(".")
        return self.imported.get(first, first) + dot + rest

    @cached_property
    def folder(self) -> str:
        """The folder of the file, below the one that is open."""
        return PurePosixPath(self.name).parent.as_posix()

    @cached_property
    def sources(self) -> dict[str, str]:
        """Names at the top that stand for classes of files in other languages: `Motor` -> `motor.fmu#Motor`."""
        assigned = [node for node in self.tree.body if isinstance(node, ast.Assign) and len(node.targets) == 1]
        named = {node.targets[0].id: node.value for node in assigned if isinstance(node.targets[0], ast.Name)}
        keys = {name: origin_of_expression(value, self.folder, self.meaning) for name, value in named.items()}
        return {name: key for name, key in keys.items() if key}

    @property
    def tellegen(self) -> str:
        """What the file calls tellegen itself."""
        return next((name for name, meaning in self.imported.items() if meaning == "tellegen"), "tg")

    def key_of(self, written: str) -> str:
        """The name of a class in the library, in the library of the folder, or in the file."""
        meaning = self.meaning(written)
        own = library_key(meaning) or self.sources.get(written)
        module, _, cls = meaning.rpartition(".")
        if own or meaning == written or not module or module.partition(".")[0] == "tellegen":
            return own or written
        return Origin(PurePosixPath(self.folder, f"{module.replace('.', '/')}.py").as_posix(), cls).key

    def module_name(self, domain: str) -> str | None:
        """What the file calls a module of the library."""
        wanted = f"{LIBRARY}.{domain}"
        return next((name for name, meaning in self.imported.items() if meaning == wanted), None)

    def component_classes(self) -> list[str]:
        """The names of the classes that derive from a component, as far as the text shows it, in order."""
        return [name for name in self.classes if self._is_component(name, frozenset())]

    def _is_component(self, name: str, seen: frozenset[str]) -> bool:
        for base in self.classes[name].bases:
            meaning = self.meaning(dotted(base))
            local = meaning in self.classes and meaning not in seen
            if meaning == "tellegen.Component" or (local and self._is_component(meaning, seen | {name})):
                return True
            if meaning.startswith(f"{LIBRARY}.") and meaning.rpartition(".")[2] not in ("Connector",):
                return True
            if "." in meaning and not meaning.startswith("tellegen.") and self._reads_as_component(self.classes[name]):
                return True
        return False

    def _reads_as_component(self, node: ast.ClassDef) -> bool:
        """Whether a class whose base stands in another file has equations, connections or parts of the library."""
        methods = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
        made = [item.value for item in node.body if isinstance(item, ast.Assign) and isinstance(item.value, ast.Call)]
        of_library = any(self.meaning(dotted(call.func)).startswith(f"{LIBRARY}.") for call in made)
        return of_library or not methods.isdisjoint(("connections", "equations"))


@lru_cache(maxsize=8)
def parsed_file(text: str, name: str = "model.py") -> SourceFile:
    """A text, parsed; the last few are kept, since an edit asks for the same text several times."""
    return SourceFile(text, name)


def library_key(meaning: str) -> str | None:
    """The name of a class in the library's list: `tellegen.library.electrical.Resistor` -> `electrical.Resistor`."""
    parts = meaning.split(".")
    if parts[:2] != ["tellegen", "library"] or len(parts) < 4:
        return None
    return f"{parts[2]}.{parts[-1]}"
