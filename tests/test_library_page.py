"""The class reference in docs/library is that of the classes as they are, and every module offers just its classes."""

from __future__ import annotations

import difflib
import inspect
import os
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

import tellegen as tg
from library_page import pages
from tellegen.class_reference import domains, laws, library_entries, symbol
from validation.test_electrical_sources import SHAPES

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "library"
HOW = "pytest tests/test_library_page.py --rewrite-golden"


def test_the_pages_are_up_to_date() -> None:
    new = pages()
    if os.environ.get("TELLEGEN_REWRITE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        for path in FOLDER.glob("*.md"):
            path.unlink()
        for name, text in new.items():
            (FOLDER / name).write_text(text, encoding="utf-8")
    old = written()
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name, ""), new.get(name, "")
        if before != after:
            lines = difflib.unified_diff(before.splitlines(), after.splitlines(), name, "now", lineterm="")
            diff = "\n".join(line[:200] for line in lines)
            pytest.fail(f"docs/library/{name} differs from the library; write it anew with {HOW}:\n{diff}", False)


def written() -> dict[str, str]:
    """The pages as they are: whether they are up to date is another test, for which all of them are made."""
    return {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")}


def test_every_page_is_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    missing = [name for name in written() if f"library/{name}\n" not in navigation]
    assert not missing, f"nav in mkdocs.yml lacks library/{', library/'.join(missing)}"


@pytest.mark.parametrize("module", domains().values(), ids=list(domains()))
def test_a_module_offers_its_classes_with_a_line_about_each(module: ModuleType) -> None:
    offered = {name: getattr(module, name) for name in module.__all__}  # some are imported on first use
    own = {
        name
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, tg.Component | tg.Connector)
        and f"{value.__module__}.".startswith(f"{module.__name__}.")
    }
    assert {name for name in module.__all__ if inspect.isclass(offered[name])} == own
    assert all(offered[name].__doc__ for name in own)


def test_symbols_are_pictures() -> None:
    """Each is well-formed, shows as many ports as the class has, and the common elements are not just letters."""
    for entry in library_entries():
        picture = ElementTree.fromstring(symbol(entry))
        assert picture.tag == "svg"
        marks = [node for node in picture.iter() if node.get("stroke") == "none" and node.tag in ("rect", "path")]
        ports = [row for row in entry.members if row.kind in ("port", "input", "output")]
        assert entry.connector or len(marks) == len(ports), entry.full_name
    drawn = {entry.name: "<text" not in symbol(entry) for entry in library_entries()}
    assert all(drawn[name] for name in ("Resistor", "Capacitor", "Inductor", "Spring", "Damper", "Mass", "IdealGear"))


def test_equations_are_those_of_the_templates() -> None:
    entries = {entry.full_name: entry.cls for entry in library_entries()}
    resistor = dict(laws(entries["electrical.Resistor"]))
    assert resistor[""] == ["v == p.v - n.v", "i == p.i", "p.i + n.i == 0", "v == R*i"]
    assert "v == R*(1 + alpha*(heat_port.T - T_ref))*i" in resistor["use_heat_port=True"]
    clutch = laws(entries["rotational.Clutch"])[0][1]
    assert any("…" in text for text in clutch)  # the statement about its mode is too long to be read
    assert max(len(text) for texts in clutch for text in texts.split("\n")) < 400


def test_links_to_the_class_reference_lead_somewhere() -> None:
    """Pages name components by their anchor, `library/electrical.md#resistor`; mkdocs would only warn of the file."""
    anchors = {name: set(re.findall(r"\{ #(\S+) \}", text)) for name, text in written().items()}
    for path in (ROOT / "docs").rglob("*.md"):
        for page, anchor in re.findall(r"library/(\w+\.md)#(\w+)", path.read_text(encoding="utf-8")):
            assert anchor in anchors[page], f"{path.name}: there is no {anchor} in library/{page}"


def test_every_component_is_tested_by_name() -> None:
    """Every public class is named in some test besides the lists of the power balance; bases are where theirs are."""
    texts = [
        path.read_text(encoding="utf-8")
        for path in (ROOT / "tests").rglob("*.py")
        if path.parent.name not in ("mistakes", "golden_models") and not path.name.startswith("cases_")
    ]
    words = set(re.findall(r"\w+", "\n".join(texts)))
    words |= {f"{shape}{kind}" for shape in SHAPES for kind in ("Voltage", "Current")}  # a test that joins them
    entries = [entry for entry in library_entries() if not entry.connector]
    bases = {base for entry in entries for base in entry.cls.__mro__[1:]}
    missing = [entry.full_name for entry in entries if entry.name not in words and entry.cls not in bases]
    assert not missing, f"no test names {', '.join(missing)}"


def test_every_physical_component_states_its_law() -> None:
    """Its docstring has a formula, or that of a base or of what it is made of; signals may be told in words."""
    entries = {entry.cls: entry for entry in library_entries()}
    bases = {base for cls in entries for base in cls.__mro__[1:]}
    silent = []
    for cls, entry in entries.items():
        texts = [
            base.__dict__.get("__doc__") or "" for base in cls.__mro__ if base.__module__ != "tellegen.library.losses"
        ]
        formula = any(re.search(r"\S [=<>]=? \S", text) for text in texts)
        itself = entry.rows("port") and not entry.rows("part") and cls not in bases
        silent += [entry.full_name] if itself and not formula else []
    assert not silent, f"no equation in the docstring of {', '.join(silent)}"
