"""XML as it is read: positions, and what is not accepted from strangers."""

from __future__ import annotations

from pathlib import Path

import pytest

import tellegen as tg
from tellegen.markup.document_source import open_source
from tellegen.xml.elements import Element
from tellegen.xml.reader import DEEPEST, LARGEST, parse
from tellegen.xml.writer import document_text, made


def read(text: str) -> Element:
    return parse(open_source(None, text))


def test_text_knows_its_lines_and_columns() -> None:
    """Entities are longer in the file than in the string, and line ends begin a line."""
    (equation,) = read("<a>\n  <b>p &lt; q\n == r</b>\n</a>").children
    text = equation.text()
    assert text.value == "p < q\n == r"
    places = {0: (2, 6), 2: (2, 8), 4: (2, 13), 7: (3, 2), 10: (3, 5)}
    found = {offset: (text.location(offset).line, text.location(offset).column) for offset in places}
    assert found == places
    assert str(text.location(4)).endswith(":2:13")


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("<a>\n<b></a>", "E840", ":2:6"),
        ("", "E840", ":1:1"),
        ("<a \x00/>", "E840", ":1:4"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "E840", ":1:"),
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "E841", ":1:"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "/etc/passwd">]>\n<a>&x;</a>', "E841", ":1:"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://x.y/z.dtd"> %x;]><a/>', "E841", ":1:"),
        ('<!DOCTYPE a SYSTEM "a.dtd">\n<a>&x;</a>', "E841", ":2:4"),
        ("<a>" * (DEEPEST + 1), "E841", f":1:{3 * DEEPEST + 1}"),
        ("<a>&x;</a>", "E840", ":1:4"),
    ],
)
def test_what_is_not_accepted(text: str, code: str, place: str) -> None:
    with pytest.raises(tg.DocumentError) as caught:
        read(text)
    assert caught.value.code == code
    assert place in str(caught.value.location)


def test_a_million_laughs_is_rejected_at_once() -> None:
    entities = "".join(f'<!ENTITY l{k} "{f"&l{k - 1};" * 10}">' for k in range(1, 10))
    with pytest.raises(tg.DocumentError, match="E841"):
        read(f'<!DOCTYPE a [<!ENTITY l0 "ha">{entities}]><a>&l9;</a>')


def test_a_reference_to_a_document_type_is_not_followed() -> None:
    assert read('<!DOCTYPE a SYSTEM "http://unreachable.invalid/a.dtd"><a/>').tag == "a"


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(tg.DocumentError, match=r"E840: .*nothing\.xml' cannot be read: No such file"):
        open_source(tmp_path / "nothing.xml", None)
    for path, text in ((None, None), ("a.xml", "<a/>"), (3, None), (None, 3)):
        with pytest.raises(tg.DocumentError, match="E840"):
            open_source(path, text)  # type: ignore[arg-type]
    monkeypatch.setattr("os.path.getsize", lambda _: LARGEST + 1)
    with pytest.raises(tg.DocumentError, match="E841: the file has 67108865 bytes"):
        open_source(tmp_path / "nothing.xml", None)


def test_what_is_written_is_read() -> None:
    root = made("a", {"x": '<&>"\n\t', "y": None}, made("b", {}, "p < q & \u20ac"), made("c"))
    text = document_text(root)
    again = read(text)
    assert again.attributes == {"x": '<&>"\n\t'}
    assert [child.text().value for child in again.children] == ["p < q & \u20ac", ""]
    assert document_text(again) == text
    with pytest.raises(tg.DocumentError, match="E849: 'a\\\\x01b' contains"):
        document_text(made("a", {"x": "a\x01b"}))


def test_attributes_and_elements_are_checked() -> None:
    element = read('<a n="3" m="-1" flag="yes"><b/></a>')
    assert element.integer("n") == 3
    for call in (
        lambda: element.integer("m"),
        lambda: element.flag("flag"),
        lambda: element.word("missing"),
        lambda: element.check_attributes(("n", "m", "flags")),
    ):
        with pytest.raises(tg.DocumentError, match="E843"):
            call()
    with pytest.raises(tg.DocumentError, match="E842: <b> is not expected inside <a>"):
        element.check_children(("c",))
