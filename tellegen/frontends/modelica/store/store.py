"""The libraries a model can use. A file is read when a class in it is first asked for.

store = Store()
store.add("Modelica 4.1.0")
store.child(("Modelica", "Blocks"), "Continuous")      reads two files
"""

from __future__ import annotations

from pathlib import Path
from weakref import finalize

from tellegen.errors import ModelicaError, warn_user
from tellegen.frontends.modelica.store.folders import (
    PACKAGE_FILE,
    Entry,
    classes_of,
    entries_of,
    is_file,
    libraries_at,
    library_folder,
)
from tellegen.frontends.modelica.store.installed import places
from tellegen.frontends.modelica.store.resources import library_of_resource, resource_path
from tellegen.frontends.modelica.store.trees import Trees
from tellegen.frontends.modelica.store.versions import Library, chosen, library_of, version_warnings
from tellegen.frontends.modelica.syntax.classes import ClassDefinition, StoredDefinition
from tellegen.frontends.modelica.syntax.parser import parse
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.ir.source_location import SourceLocation
from tellegen.kept.read_files import ReadFiles
from tellegen.start.records import dataclass

PackagePath = tuple[str, ...]
"""The names on the way to a package: ("Modelica", "Blocks")."""


@dataclass(frozen=True, eq=False)
class StoredClass:
    """A class that stands in a file of its own; `names` are those of classes inside that have their own files."""

    definition: ClassDefinition
    file: SourceFile
    path: str
    names: tuple[str, ...] = ()


class Store:
    """Libraries by name, and the classes in them as they are asked for."""

    def __init__(self, searched: list[Path] | None = None) -> None:
        """`searched` are folders with libraries that are loaded when they are named; those installed, if not given."""
        self.libraries: dict[str, Library] = {}
        self.read = ReadFiles()  # all that was read so far
        self._searched = places() if searched is None else searched
        self._classes: dict[tuple[PackagePath, str], StoredClass] = {}
        self._folders: dict[PackagePath, dict[str, Entry]] = {}
        self._trees = Trees()
        finalize(self, self._trees.keep)

    def add(self, path: str | Path) -> list[Library]:
        """Load a library, or make known the libraries in a folder: what was added."""
        path = Path(path).expanduser().resolve()
        self.read.note(path)
        if is_file(path / PACKAGE_FILE, self.read):
            return [self._add_package(library_folder(path, self.read) / PACKAGE_FILE)]
        if path.is_dir():
            return self._add_all(path)
        if not path.is_file():
            raise ModelicaError("E590", f"there is no Modelica file or library at {path}", location=_of(path))
        if is_file(path.parent / PACKAGE_FILE, self.read):
            return [self._add_package(library_folder(path, self.read) / PACKAGE_FILE)]
        file = self._file(path)
        return self._add_classes(self._trees.whole(file), file)

    def add_text(self, text: str, name: str = "<Modelica text>") -> list[Library]:
        """Load the classes of a text."""
        self.read.depends_on_more()
        file = SourceFile(name, text)
        return self._add_classes(parse(file), file)

    def child(self, package: PackagePath, name: str) -> StoredClass | None:
        """The class `name` that stands in its own file in a package; of all libraries where `package` is ()."""
        known = self._classes.get((package, name))
        if known is not None:
            return known
        if not package:
            return self._find_library(name)
        if package not in self._folders and self.child(package[:-1], package[-1]) is None:
            return None
        entry = self._folders.get(package, {}).get(name)
        return self._load(package, entry) if entry is not None else None

    def names(self, package: PackagePath = ()) -> tuple[str, ...]:
        """The names of classes in their own files in a package that was loaded; () for those of libraries."""
        if package:
            return tuple(self._folders.get(package, ()))
        found = [entry.name for place in self._searched for entry in entries_of(place, self.read)]
        return tuple(dict.fromkeys([*self.libraries, *found]))

    def resource(self, uri: str) -> Path:
        """The path of modelica://Modelica/Resources/...; what is not such an address is a path already."""
        name = library_of_resource(uri)
        if name:
            self.child((), name)
        path = resource_path(uri, self.libraries)
        self.read.note(path)
        return path

    def _add_all(self, folder: Path) -> list[Library]:
        entries = entries_of(folder, self.read)
        if not entries:
            advice = f"a library is a folder with {PACKAGE_FILE}, or a file that ends with .mo"
            raise ModelicaError("E590", f"{folder} holds no Modelica library", location=_of(folder), advice=advice)
        self._searched.insert(0, folder)
        return [Library(entry.name, entry.version, entry.file) for entry in entries]

    def _add_package(self, file: Path) -> Library:
        source = self._file(file)
        (library,) = self._add_classes(self._trees.outside(source), source)
        self._folders[(library.name,)] = classes = classes_of(file.parent, self.read)
        stored = self._classes[(), library.name]
        self._classes[(), library.name] = StoredClass(stored.definition, source, library.name, tuple(classes))
        return library

    def _add_classes(self, tree: StoredDefinition, file: SourceFile) -> list[Library]:
        """The classes of a file that belongs to no folder of a package, each a library."""
        if tree.within:
            message = f"the file belongs into the package '{'.'.join(tree.within)}', which is not around it"
            advice = "load the folder of the library, or remove the `within` clause"
            raise ModelicaError("E591", message, location=file.location(0), advice=advice)
        added = []
        for definition in tree.classes:
            library = library_of(definition, Path(file.path))
            self._classes[(), definition.name] = StoredClass(definition, file, definition.name)
            self.libraries[library.name] = library
            added.append(library)
        for library in added:
            for warning in version_warnings(library, self.libraries):
                self.read.depends_on_more()  # a warning is to be given again
                warn_user(warning)
        return added

    def _find_library(self, name: str) -> StoredClass | None:
        """Load a library from the places that are searched."""
        for place in self._searched:
            candidates = [entry for entry in libraries_at(place, self.read) if entry.name == name]
            if candidates:
                self.add(chosen(candidates, self.libraries.values()).file)
                return self._classes.get(((), name))
        return None

    def _load(self, package: PackagePath, entry: Entry) -> StoredClass:
        """A class of a package from its file."""
        source = self._file(entry.file)
        tree = self._trees.outside(source)
        self._check_place(tree, source, package, entry)
        path = (*package, entry.name)
        names: tuple[str, ...] = ()
        if entry.is_folder:
            self._folders[path] = classes_of(entry.file.parent, self.read)
            names = tuple(self._folders[path])
        stored = StoredClass(tree.classes[0], source, ".".join(path), names)
        self._classes[package, entry.name] = stored
        return stored

    def _file(self, path: Path) -> SourceFile:
        self.read.note(path)
        return SourceFile(str(path))

    def _check_place(self, tree: StoredDefinition, file: SourceFile, package: PackagePath, entry: Entry) -> None:
        """A file holds one class, of the name of the file, within the package of the folder."""
        found = [definition.name for definition in tree.classes]
        if found != [entry.name]:
            message = f"this file holds {' and '.join(found) or 'no class'}; its name demands exactly '{entry.name}'"
            token = tree.classes[0].token if tree.classes else 0
        elif tree.within != package:
            message = f"the file stands in the folder of '{'.'.join(package)}', but says otherwise"
            token = 0
        else:
            return
        advice = f"within {'.'.join(package)}; ... {entry.name} ... end {entry.name};"
        raise ModelicaError("E591", message, location=file.location(token), advice=advice)


def _of(path: Path) -> SourceLocation:
    return SourceLocation(str(path), 1)
