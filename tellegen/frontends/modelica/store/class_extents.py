"""Where the classes inside of a class begin and end in its text, found without making tokens of them.

    package P model A "x" ... end A; function f = g; end P;      of P: from after "x" to after `end A`

`end NAME` closes a class of this name and nothing else. One regular expression steps from keyword to keyword; strings,
comments and quoted names are stepped over. A text in which that fails is read as a whole, which reports what is wrong.
"""

from __future__ import annotations

import re

from tellegen.frontends.modelica.syntax.lexer import BLANKS, COMMENT, QUOTED_NAME, STRING

_RESTRICTIONS = ("block", "class", "connector", "function", "model", "operator", "package", "record", "type")
_HEADS = frozenset(_RESTRICTIONS)
_WORDS = "|".join((*_RESTRICTIONS, "end"))
_FIRST = "".join(sorted({word[0] for word in (*_RESTRICTIONS, "end")}))
_KEYWORD = re.compile(
    rf"(?:[^{_FIRST}\"'/]++"  # in long runs: letters inside of words, numbers and signs
    rf"|(?:(?<=\w)|(?!(?:{_WORDS})\b))[{_FIRST}]\w*+"
    rf"|{STRING}|{COMMENT}|/(?![/*])|{QUOTED_NAME})*(?:(?<!\w)({_WORDS})\b|$)",
    re.ASCII | re.DOTALL,
)
_NAME = re.compile(rf"{BLANKS}([A-Za-z_]\w*+|{QUOTED_NAME})", re.ASCII | re.DOTALL)
_DESCRIPTION = re.compile(rf"(?:{BLANKS}{STRING}(?:{BLANKS}\+{BLANKS}{STRING})*)?", re.ASCII | re.DOTALL)
_END = re.compile(rf"(?<!\w)end\b{BLANKS}([A-Za-z_]\w*+|{QUOTED_NAME})", re.ASCII | re.DOTALL)
_PASSED = re.compile(rf"(?:[^\"'/]++|{STRING}|{COMMENT}|/(?![/*])|{QUOTED_NAME})*+", re.ASCII | re.DOTALL)
_BEFORE_NAMES = (*_RESTRICTIONS, "extends", "*/")
_NEAR = 200  # characters before a name in which the keyword stands
_NO_BODY = re.compile(rf"{BLANKS}[=(]", re.ASCII | re.DOTALL)  # a short class, or a function with some arguments

Extent = tuple[int, int]
"""The first character of a part of a text, and the one after its last."""


class _UnclosedError(Exception):
    """A class, a string or a comment has no end."""


def classes_inside(text: str, part: Extent, *, is_file: bool) -> list[Extent] | None:
    """The bodies of the classes inside of a class, or of the classes of a file; None where that is not Modelica."""
    at, end = part
    found: list[Extent] = []
    open_class = ""  # of a file
    try:
        while True:
            word, at = _keyword_after(text, at, end)
            name = _NAME.match(text, at, end)
            if not word:
                return found
            if name is None or _NO_BODY.match(text, name.end(), end) or name[1] == "extends":
                continue  # x[end], or nothing that has a body; the body after `extends NAME(...)` is read at once
            if word == "end":
                open_class = "" if name[1] == open_class else open_class
            elif name[1] in _HEADS:
                continue  # operator record
            elif is_file and not open_class:
                open_class = name[1]
            else:
                at = _body_after(text, name.end(), end)
                found.append((at, _end_of(name[1], text, at, end)))
                at = found[-1][1]
    except _UnclosedError:
        return None


def _keyword_after(text: str, at: int, end: int) -> tuple[str, int]:
    """The next keyword of a class and the place after it; "" where there is none."""
    found = _KEYWORD.match(text, at, end)
    if found is None:
        raise _UnclosedError
    return found[1] or "", found.end()


def _body_after(text: str, at: int, end: int) -> int:
    """The place after the description of a class."""
    found = _DESCRIPTION.match(text, at, end)
    return found.end() if found is not None else at


def _end_of(name: str, text: str, at: int, end: int) -> int:
    """The place after the `end NAME` of a class whose body begins here."""
    begin = at
    while True:
        at = text.find("end", at, end)
        if at < 0:
            raise _UnclosedError
        found = _END.match(text, at, end)
        if found is None or found[1] != name:
            at += len("end")
            continue
        if "//" in text[text.rfind("\n", begin, at) + 1 : at] or _may_begin_inside(name, text, begin, at):
            return _end_by_keywords(name, text, begin, end)
        passed = _PASSED.match(text, begin, at)
        if passed is not None and passed.end() == at:  # no part of a string or a comment
            return found.end()
        at = found.end()


def _may_begin_inside(name: str, text: str, begin: int, end: int) -> bool:
    """Whether a class of this name may begin in a part of a text."""
    at = text.find(name, begin, end)
    while at >= 0:
        before = text[max(begin, at - _NEAR) : at]
        words = before.rstrip()
        if len(words) < len(before) and (words.endswith(_BEFORE_NAMES) or "//" in words.rpartition("\n")[2]):
            return True
        at = text.find(name, at + len(name), end)
    return False


def _end_by_keywords(name: str, text: str, at: int, end: int) -> int:
    """The same where classes of the same name may be inside."""
    inner = 0  # classes of the same name that were begun inside
    while True:
        word, at = _keyword_after(text, at, end)
        if not word:
            raise _UnclosedError
        found = _NAME.match(text, at, end)
        extends = word != "end" and found is not None and found[1] == "extends"
        if extends and found is not None:
            found = _NAME.match(text, found.end(), end)
        if found is None or found[1] != name:
            continue
        if word != "end":
            inner += extends or _NO_BODY.match(text, found.end(), end) is None
        elif inner:
            inner -= 1
        else:
            return found.end()
