"""Every page of the documentation can be found: from the index by links, and in the menu; what pages name is there."""

from __future__ import annotations

import importlib
import re
from functools import cache
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
LINK = re.compile(r"\]\(([^)#\s]+\.md)(?:#[^)\s]*)?\)")
LIBRARY_NAME = re.compile(r"`(?:library\.)?([a-z_]+)\.([A-Z]\w*)`")
LIBRARY_PACKAGE = re.compile(r"`library\.([a-z_]+)`")
GUIDES = ["coming-from-modelica.md", "coming-from-simscape.md", "kinks-and-events.md"]


def links(page: str) -> set[str]:
    """The pages that a page links."""
    folder = (DOCS / page).parent
    text = (DOCS / page).read_text(encoding="utf-8")
    return {(folder / target).resolve().relative_to(DOCS).as_posix() for target in LINK.findall(text)}


def test_the_index_links_every_page() -> None:
    assert PAGES - {"index.md"} <= links("index.md")


def test_the_menu_has_every_page() -> None:
    menu = (DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^\s+- (?:[^:\n]+: )?(\S+\.md)$", menu, re.M)
    assert sorted(listed) == sorted(PAGES)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_lead_to_pages(page: str) -> None:
    assert links(page) <= PAGES


@cache
def headings(page: str) -> set[str]:
    """The anchors of a page: those written after headings, or as the site makes them of the words."""
    text = re.sub(r"^```.*?^```", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.M | re.S)
    written = set(re.findall(r"^#+ .*\{ *#(\S+) *\}", text, re.M))
    found = re.findall(r"^#+ +([^{\n]+?) *$", text, re.M)
    slugs = [re.sub(r"[^\w\s-]", "", re.sub(r"<[^>]+>", "", heading)).strip().lower() for heading in found]
    return written | {re.sub(r"[-\s]+", "-", slug) for slug in slugs}


@pytest.mark.parametrize("page", sorted(PAGES))
def test_links_lead_to_headings(page: str) -> None:
    folder = (DOCS / page).parent
    text = (DOCS / page).read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#\s]*\.md)?#([^)\s]+)\)", text):
        other = (folder / target).resolve().relative_to(DOCS).as_posix() if target else page
        assert anchor in headings(other), f"{page}: {other}#{anchor}"


@pytest.mark.parametrize("page", GUIDES)
def test_guides_name_components_that_exist(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for package in LIBRARY_PACKAGE.findall(text):
        importlib.import_module(f"tellegen.library.{package}")
    for package, name in LIBRARY_NAME.findall(text):
        if package != "tg":
            assert hasattr(importlib.import_module(f"tellegen.library.{package}"), name), f"{package}.{name}"
    for name in re.findall(r"`tg\.(\w+)", text):
        assert hasattr(importlib.import_module("tellegen"), name), f"tg.{name}"


def test_every_shown_image_exists() -> None:
    shown = set()
    for page in (*PAGES, "../README.md"):
        folder = (DOCS / page).parent
        text = (DOCS / page).read_text(encoding="utf-8")
        shown |= {(folder / name).resolve() for name in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text)}
    assert not [str(path) for path in shown if not path.is_file()]


def test_the_tests_that_keep_attacks_answered_exist() -> None:
    """`file.py::test` names a test, `::test` one of the file named before it."""
    page = (DOCS / "inside" / "attacks.md").read_text(encoding="utf-8")
    file = ""
    named = re.findall(r"`([\w/]*(?:\.py)?)::(\w+)`", page)
    assert len(named) > 40
    for path, name in named:
        file = path or file
        text = (DOCS.parent / "tests" / file).read_text(encoding="utf-8")
        assert f"def {name}(" in text, f"{file}::{name}"
