"""All views of the classes of a store: one for each class and what is in force for it."""

from __future__ import annotations

from typing import Protocol

from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.lookup.base_class import InForce
from tellegen.frontends.modelica.lookup.changes import Written
from tellegen.frontends.modelica.lookup.class_view import ClassView
from tellegen.frontends.modelica.lookup.contents import ClassContents
from tellegen.frontends.modelica.lookup.predefined import ENUMERATIONS, NAMES, Builtin
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, Modification
from tellegen.frontends.modelica.syntax.expressions import Part, Reference
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.model import Kind
from tellegen.kept.read_files import ReadFiles


class StoredClass(Protocol):
    """A class that stands in a file of its own; `names` are those of classes inside that have their own files."""

    @property
    def definition(self) -> ClassDefinition: ...
    @property
    def file(self) -> SourceFile: ...
    @property
    def path(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...


class Store(Protocol):
    """Where libraries are: the class `name` in a package given by its full name, () for the top."""

    read: ReadFiles

    def child(self, package: tuple[str, ...], name: str) -> StoredClass | None: ...


class Views:
    """The views of a store; `root` is the unnamed class around all libraries."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.compatible: set[tuple[object, object]] = (
            set()
        )  # pairs of classes of which the first can replace the second
        self.inner_classes: dict[
            tuple[ClassView, str, str], Modification
        ] = {}  # see instances/inner_outer/outer_classes.py
        self._views: dict[tuple[object, ...], ClassView] = {}
        self._contents: dict[int, ClassContents] = {}
        nowhere = SourceFile("<predefined>", "")
        definition = ClassDefinition("", "package", token=0)
        self.root = self.view(ClassContents(definition, nowhere, ""), None, InForce())
        self._enumerations = {
            name: self.view(ClassContents(record, nowhere, name), self.root, InForce())
            for name, record in ENUMERATIONS.items()
        }

    def view(self, contents: ClassContents, enclosing: ClassView | None, force: InForce) -> ClassView:
        """The one view of a class in `enclosing` with this in force."""
        key = (contents, enclosing, *(_identity(written) for written in force))
        known = self._views.get(key)
        if known is None:
            known = self._views[key] = ClassView(self, contents, enclosing, force)
        return known

    def contents(self, definition: ClassDefinition, scope: ClassView) -> ClassContents:
        """What a class declares that is written in `scope`."""
        known = self._contents.get(id(definition))
        if known is None:
            path = f"{scope.path}.{definition.name}" if scope.path else definition.name
            known = self._contents[id(definition)] = ClassContents(definition, scope.file, path)
        return known

    def implement(self, definition: ClassDefinition, scope: ClassView, kind: Kind) -> None:
        """Let a kind of another front end stand for the equations of a class that is written in `scope`."""
        self.contents(definition, scope).kind = kind

    def stored(self, package: str, name: str) -> ClassContents | None:
        """What a class declares that stands in a file of its own, in the folder of `package`."""
        found = self.store.child(tuple(package.split(".")) if package else (), name)
        if found is None:
            return None
        known = self._contents.get(id(found.definition))
        if known is None:
            contents = ClassContents(found.definition, found.file, found.path, found.names)
            known = self._contents[id(found.definition)] = contents
        return known

    def top(self, name: str) -> ClassView | Builtin | None:
        """A name in global scope: a library or a predefined name."""
        found = self.root.find(name)
        return found if isinstance(found, ClassView) else self.predefined(name)

    def predefined(self, name: str) -> ClassView | Builtin | None:
        """A predefined name."""
        return self._enumerations.get(name) or NAMES.get(name)

    def named(self, path: str) -> ClassView:
        """The class of a full name; E545 where there is none."""
        parts = tuple(Part(name) for name in path.split("."))
        found = self.root.resolve(Reference(parts, 0, is_global=True))
        if not isinstance(found, ClassView):
            raise ModelicaError("E548", f"'{path}' is not a class")
        return found


def _identity(written: tuple[Written, ...]) -> tuple[int, ...]:
    return tuple(id(part) for item in written for part in item)
