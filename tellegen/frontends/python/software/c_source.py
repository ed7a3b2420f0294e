"""What the text of C code says without a compiler: which functions it defines, and which inputs one of them reads.

    char end = '}';  y[0] = u[U_error];  // u[1]     ->     only `error` is read

Comments and literals go in one pass, for each may contain the beginning of another. Whoever gets no input gets not a
number instead, so where anything is doubtful (a macro, a condition of the preprocessor) everything counts as read.
"""

from __future__ import annotations

import re

_SKIPPED = re.compile(
    r"""/\*.*?\*/ | //[^\n]* | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | (?P<doubt> \w["'] )  # raw strings, which end in their own way, and marks inside numbers""",
    re.DOTALL | re.VERBOSE,
)
_DOUBTFUL = re.compile(r"[#\\\"'`@$]|\?\?|<%|%>|<:|:>|%:|/\*")  # what is left of them: directives, other spellings
_STANDARD = re.compile(
    r"^\s*\#\s*include\s*<(?:assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal"
    r"|stdalign|stdarg|stdbool|stddef|stdint|stdio|stdlib|stdnoreturn|string|tgmath|time|uchar|wchar|wctype)\.h>\s*$",
    re.MULTILINE,
)


def without_literals(text: str) -> str | None:
    """The code with comments and literals left out; None where they cannot be found."""
    joined = re.sub(r"\\[ \t]*\r?\n", "", text)  # a backslash joins lines, even those of a comment
    if any(found["doubt"] for found in _SKIPPED.finditer(joined)):
        return None
    return _SKIPPED.sub(" ", joined)


def defined(text: str, names: tuple[str, ...]) -> list[str]:
    """Those of the names that the text declares as functions, whatever their type."""
    bare = without_literals(text) or text
    return [name for name in names if re.search(rf"\w[\s*]+{name}\s*\(", bare)]


def inputs_read(text: str, symbol: str, inputs: list[str]) -> set[str] | None:
    """The inputs that a function reads as `u[0]` or `u[U_name]`; None where that cannot be determined."""
    bare = _STANDARD.sub("", without_literals(text) or "#")
    found = re.search(rf"\bvoid\s+{symbol}\s*\(([^()]*)\)\s*\{{", bare)
    if found is None or _DOUBTFUL.search(bare) or len(found[1].split(",")) != 5:
        return None
    named = re.search(r"(\w+)\s*(?:\[\s*\])?\s*$", found[1].split(",")[2])
    body = _body(bare[found.end() :])
    positions = re.findall(r"\bU_\w+", bare), re.findall(r"\[\s*U_\w+\s*\]", bare)
    if named is None or body is None or len(positions[0]) != len(positions[1]):  # a place may be another's name here
        return None
    everything = {str(k): name for k, name in enumerate(inputs)} | {f"U_{name}": name for name in inputs}
    uses = [use[1] for use in re.finditer(rf"\b{named[1]}\b(?:\s*\[\s*(\w+)\s*\])?", body)]
    return None if any(use not in everything for use in uses) else {everything[use] for use in uses}


def _body(text: str) -> str | None:
    """What stands before the brace that closes a function."""
    depth = 1
    for k, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if not depth:
            return text[:k]
    return None
