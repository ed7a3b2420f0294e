"""Libraries on disk: folders and files, what is read when, versions, places, kept trees."""

from __future__ import annotations

import os
import pickle
import warnings
from pathlib import Path

import pytest

from modelica.library import msl
from tellegen.errors import ModelicaError
from tellegen.frontends.modelica.store import installed
from tellegen.frontends.modelica.store.store import Store
from tellegen.frontends.modelica.store.trees import Trees
from tellegen.frontends.modelica.syntax.classes import StoredDefinition
from tellegen.frontends.modelica.syntax.source_file import SourceFile
from tellegen.kept.pack import Pack
from tellegen.kept.read_files import is_settled, stamp_of
from waiting import wait_until


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("MODELICAPATH", raising=False)


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


LIBRARY = {
    "Lib 2.0.0/package.mo": 'package Lib model Inside end Inside; annotation(version="2.0.0"); end Lib;',
    "Lib 2.0.0/package.order": "Sub\nInside\nA\n",
    "Lib 2.0.0/A.mo": "within Lib; model A end A;",
    "Lib 2.0.0/Broken.mo": "within Lib; model Broken",
    "Lib 2.0.0/Sub/package.mo": "within Lib; package Sub end Sub;",
    "Lib 2.0.0/Sub/B.mo": "within Lib.Sub; model B end B;",
    "Lib 2.0.0/Sub/Misnamed.mo": "within Lib.Sub; model Other end Other;",
    "Lib 2.0.0/Sub/Misplaced.mo": "within Lib; model Misplaced end Misplaced;",
    "Lib 2.0.0/Resources/Data/x.txt": "1",
}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return write(tmp_path / "libraries", LIBRARY)


def test_a_library_in_folders(library: Path) -> None:
    store = Store([])
    (added,) = store.add(library / "Lib 2.0.0")
    assert (added.name, added.version) == ("Lib", "2.0.0")
    top = store.child((), "Lib")
    assert top is not None
    assert top.names == ("Sub", "A", "Broken")
    found = store.child(("Lib", "Sub"), "B")  # Broken.mo is not read
    assert found is not None
    assert (found.path, found.definition.name) == ("Lib.Sub.B", "B")
    assert store.child(("Lib", "Sub"), "B") is found
    assert store.child(("Lib",), "Inside") is None  # in package.mo itself
    assert store.child(("Lib", "Sub"), "C") is None
    assert store.child(("Lib", "A"), "C") is None
    assert store.child((), "Other") is None


def test_a_file_of_a_library_brings_the_library(library: Path) -> None:
    store = Store([])
    (added,) = store.add(library / "Lib 2.0.0" / "Sub" / "B.mo")
    assert added.name == "Lib"
    assert store.child(("Lib", "Sub"), "B") is not None


@pytest.mark.parametrize(("name", "message"), [("Misnamed", "demands exactly 'Misnamed'"), ("Misplaced", "folder of")])
def test_files_in_the_wrong_place(library: Path, name: str, message: str) -> None:
    store = Store([])
    store.add(library / "Lib 2.0.0")
    with pytest.raises(ModelicaError, match=message) as caught:
        store.child(("Lib", "Sub"), name)
    assert caught.value.code == "E591"


def test_a_class_in_two_places(library: Path) -> None:
    write(library, {"Lib 2.0.0/A/package.mo": "within Lib; package A end A;"})
    with pytest.raises(ModelicaError, match=r"E591.*'A' stands in two places"):
        Store([]).add(library / "Lib 2.0.0")


def test_files_with_several_classes(tmp_path: Path) -> None:
    store = Store([])
    write(tmp_path, {"two.mo": "model A end A; model B end B;", "part.mo": "within X.Y; model C end C;"})
    assert [added.name for added in store.add(tmp_path / "two.mo")] == ["A", "B"]
    assert store.child((), "B") is not None
    with pytest.raises(ModelicaError, match=r"E591.*'X.Y'"):
        store.add(tmp_path / "part.mo")


@pytest.mark.parametrize("name", ["missing.mo", "empty"])
def test_nothing_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelicaError, match="E590"):
        Store([]).add(tmp_path / name)


def test_libraries_are_found_by_name(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(library, {"Lib 10.0.0/package.mo": "package Lib end Lib;", "One.mo": "model One end One;"})
    monkeypatch.setenv("MODELICAPATH", os.pathsep.join(["", str(library)]))
    store = Store()
    assert store.names() == ("Lib", "One")
    found = store.child((), "Lib")
    assert found is not None
    assert "Lib 10.0.0" in found.file.path  # the latest, by number
    assert store.child((), "One") is not None


def test_the_version_that_is_asked_for(library: Path) -> None:
    write(library, {"Lib 10.0.0/package.mo": 'package Lib annotation(version="10.0.0"); end Lib;'})
    store = Store([library])
    store.add_text('model User annotation(uses(Lib(version="2.0.0"))); end User;')
    found = store.child((), "Lib")
    assert found is not None
    assert "Lib 2.0.0" in found.file.path


def test_another_version_gives_a_warning(library: Path) -> None:
    store = Store([library])
    store.add_text('model User annotation(uses(Lib(version="1.0"))); end User;')
    with pytest.warns(UserWarning, match=r"User was written for Lib 1\.0, and Lib 2\.0\.0 is loaded"):
        store.child((), "Lib")


def test_a_version_without_conversion_gives_none(library: Path) -> None:
    text = 'package Lib annotation(version="2.0.0", conversion(noneFromVersion="1.0")); end Lib;'
    write(library, {"Lib 2.0.0/package.mo": text})
    store = Store([library])
    store.add_text('model User annotation(uses(Lib(version="1.0"))); end User;')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert store.child((), "Lib") is not None


def test_registered_libraries(library: Path) -> None:
    installed.register(library)
    installed.register(library / "Lib 2.0.0")
    installed.register(library)
    assert installed.registered() == [library, library / "Lib 2.0.0"]
    assert Store().child((), "Lib") is not None


def test_resources(library: Path) -> None:
    store = Store([library])
    data = library / "Lib 2.0.0" / "Resources" / "Data" / "x.txt"
    assert store.resource("modelica://Lib/Resources/Data/x.txt") == data
    assert store.resource("modelica:/Lib.Resources/Data/x.txt") == data
    assert store.resource(data.as_uri()) == data
    assert store.resource("data.txt") == Path("data.txt")
    with pytest.raises(ModelicaError, match=r"E592.*'Nowhere'"):
        store.resource("modelica://Nowhere/x.txt")


def write_and_wait(path: Path, text: str) -> None:
    """Write a file, and let a moment pass: nothing is kept of a file that was changed just now."""
    path.write_text(text, encoding="utf-8")
    wait_until(lambda: is_settled(stamp_of(str(path))), "the file settles")


def tree_of(file: SourceFile) -> StoredDefinition:
    """As a store reads a file that it was given by name, and forgets it."""
    trees = Trees()
    found = trees.whole(file)
    trees.keep()
    return found


def test_trees_are_kept_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    write_and_wait(path, 'model M parameter Real x(unit="m") = 2*y[1]; equation connect(a, b); end M;')
    first, second = tree_of(SourceFile(str(path))), tree_of(SourceFile(str(path)))
    assert first == second
    assert first is not second
    (kept,) = (tmp_path / "cache").rglob("trees.pack")
    kept.write_bytes(kept.read_bytes()[:40])  # damaged: parsed again
    assert tree_of(SourceFile(str(path))) == first
    path.write_text("model M end M;", encoding="utf-8")
    assert tree_of(SourceFile(str(path))) != first


def test_nothing_but_trees_comes_out_of_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    write_and_wait(path, "model M end M;")
    expected = tree_of(SourceFile(str(path)))
    (kept,) = (tmp_path / "cache").rglob("trees.pack")
    (name,) = Pack(kept).names()
    Pack(kept).add({name: pickle.dumps(os.getcwd)})
    assert tree_of(SourceFile(str(path))) == expected


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions of POSIX")
def test_a_folder_others_can_write_to_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "M.mo"
    write_and_wait(path, "model M end M;")
    tree_of(SourceFile(str(path)))
    (kept,) = (tmp_path / "cache").rglob("trees.pack")
    kept.parent.chmod(0o777)
    kept.write_bytes(b"damaged")
    tree_of(SourceFile(str(path)))
    assert kept.read_bytes() == b"damaged"  # neither read nor replaced


def test_the_first_example_of_the_standard_library_reads_few_files() -> None:
    store = msl()
    found = store.child(("Modelica", "Electrical", "Analog", "Examples"), "CauerLowPassAnalog")
    assert found is not None
    assert found.path == "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog"
    assert store.libraries["Modelica"].version
