"""Fixes in a line of the text: a name, a unit, an import, a word that is missing."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Iterator

from tellegen.start.records import dataclass
from tellegen.studio.document.edits.edit_imports import import_of
from tellegen.studio.document.operations import ReplaceText
from tellegen.studio.document.text.source_file import USUAL_NAMES, SourceFile
from tellegen.studio.document.text.splice import Span, Splice, dotted, spliced
from tellegen.studio.library.shapes import Shapes
from tellegen.studio.messages.diagnostic import Diagnostic, Fix

MEANT = re.compile(
    r"(?:'(?P<owner>\w+)'(?: \(\w+\))? |(?P<cls>\w+) )?has no '(?P<wrong>\w+)'; perhaps you meant (?P<right>.+)"
)
UNIT = re.compile(
    r"'(?P<wrong>[^']+)' (?:is not a unit|is unknown|cannot be converted to .*); perhaps you meant '(?P<right>[^']+)'"
)
NO_NAME = re.compile(r"name '(\w+)' is not defined")


@dataclass(frozen=True)
class Mistake:
    """A message about a file, and what stands in its line."""

    found: Diagnostic
    file: SourceFile
    nodes: tuple[ast.AST, ...]
    library: Shapes


def text_fixes(found: Diagnostic, file: SourceFile, library: Shapes) -> Iterator[Fix]:
    """What can be done about a message by another text in its line."""
    mistake = Mistake(found, file, tuple(_statement(file, found.line)), library)
    for rule in (_names, _units, _imports, RULES.get(found.code)):
        if rule is not None:
            yield from rule(mistake)


def _statement(file: SourceFile, line: int) -> list[ast.AST]:
    """The innermost statement around a line, and all that it consists of; those in its body are others."""
    around = [
        node
        for node in ast.walk(file.tree)
        if isinstance(node, ast.stmt) and line and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    if not around:
        return []
    inner = max(around, key=lambda node: node.lineno)
    return [inner, *(node for node in ast.walk(inner) if not isinstance(node, ast.stmt))]


def _replaced(words: str, file: SourceFile, splices: list[Splice]) -> Iterator[Fix]:
    """Splices as one piece of the text that becomes another."""
    if not splices:
        return
    start = min(splice.span.start for splice in splices)
    end = max(splice.span.end for splice in splices)
    inner = [Splice(Span(one.span.start - start, one.span.end - start), one.text) for one in splices]
    before = file.text[start:end]
    yield Fix(words, ReplaceText(start, before, spliced(before, inner)))


def _inserted(words: str, file: SourceFile, at: int, text: str) -> Iterator[Fix]:
    yield from _replaced(words, file, [Splice(Span(at, at), text)])


def _names(at: Mistake) -> Iterator[Fix]:
    """A member, port or argument that was meant, by the names that the message suggests."""
    named = MEANT.search(at.found.message)
    for right in re.findall(r"'(\w+)'", named["right"]) if named else []:
        assert named is not None
        spans = list(_written(at, named["wrong"], named["owner"] or ""))
        yield from _replaced(f"Write {right}", at.file, [Splice(span, right) for span in spans])


def _written(at: Mistake, name: str, owner: str) -> Iterator[Span]:
    """Where a name stands as a member of something, or as that of an argument."""
    for node in at.nodes:
        if isinstance(node, ast.Attribute) and node.attr == name and dotted(node.value).endswith(owner):
            end = at.file.positions.span(node).end
            yield Span(end - len(name), end)
        elif isinstance(node, ast.keyword) and node.arg == name:
            start = at.file.positions.span(node).start
            yield Span(start, start + len(name))


def _units(at: Mistake) -> Iterator[Fix]:
    """A unit in the spelling that is known; a decimal point for a comma."""
    named = UNIT.search(at.found.message)
    for node in at.nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        value = node.value
        right = value.replace(named["wrong"], named["right"]) if named else value
        if named and re.match(r"[-+.\d]", named["right"]) and named["wrong"] in value:
            right = named["right"]
        if "cannot be read as a unit" in at.found.message and re.match(r"[-+]?\d+,\d", value):
            right = value.replace(",", ".", 1)
        if right != value:
            span = at.file.positions.span(node)
            quote = span.of(at.file.text)[-1]
            yield from _replaced(f"Write {right}", at.file, [Splice(span, f"{quote}{right}{quote}")])


def _words(at: Mistake) -> Iterator[Fix]:
    """E703: one of the words that are known."""
    named = re.search(r"(\w+)='([^']*)' does not exist; perhaps you meant (.+)", at.found.message)
    for right in re.findall(r"'(\w+)'", named[3]) if named else []:
        assert named is not None
        keywords = [node for node in at.nodes if isinstance(node, ast.keyword) and node.arg == named[1]]
        spans = [at.file.positions.span(node.value) for node in keywords if ast.unparse(node.value) == repr(named[2])]
        yield from _replaced(f"Write {right}", at.file, [Splice(span, f'"{right}"') for span in spans])


def _alike(name: str, known: list[str]) -> list[str]:
    lowered = {other.lower(): other for other in known}
    return [lowered[close] for close in difflib.get_close_matches(name.lower(), lowered, n=3, cutoff=0.6)]


def _imports(at: Mistake) -> Iterator[Fix]:
    """A name that is not defined: a module of the library, a class of it, or a name of the file that is alike."""
    named = NO_NAME.search(at.found.message)
    if named is None:
        return
    name = str(named[1])
    spans = [at.file.positions.span(node) for node in at.nodes if isinstance(node, ast.Name) and node.id == name]
    domains = sorted({shape.domain for shape in at.library.values() if shape.domain and "#" not in shape.key})
    for domain in (domain for domain in domains if name in (domain, USUAL_NAMES.get(domain))):
        yield from _replaced(f"Import {domain}", at.file, [import_of(at.file, domain, name)])
    for shape in (shape for shape in at.library.values() if shape.name == name and shape.domain in domains):
        module = at.file.module_name(shape.domain)
        own = module or USUAL_NAMES.get(shape.domain, shape.domain)
        imports = [] if module else [import_of(at.file, shape.domain, own)]
        yield from _replaced(
            f"Write {own}.{name}", at.file, [*imports, *(Splice(span, f"{own}.{name}") for span in spans)]
        )
    for right in _alike(name, sorted(at.file.taken)):
        yield from _replaced(f"Write {right}", at.file, [Splice(span, right) for span in spans])


def _yield(at: Mistake) -> Iterator[Fix]:
    """E147: a connection that is written but not yielded."""
    if at.nodes and isinstance(at.nodes[0], ast.Expr):
        yield from _inserted("Write yield in front", at.file, at.file.positions.span(at.nodes[0]).start, "yield ")


def _yields(at: Mistake) -> Iterator[Fix]:
    """E145: all connections of a method that yields none."""
    body = at.nodes[0].body if at.nodes and isinstance(at.nodes[0], ast.FunctionDef) else []
    pairs = [node for node in body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Tuple | ast.Compare)]
    starts = [at.file.positions.span(node).start for node in pairs]
    yield from _replaced("Write yield in front", at.file, [Splice(Span(start, start), "yield ") for start in starts])


def _instance(at: Mistake) -> Iterator[Fix]:
    """E118: a class where a part of it is wanted."""
    named = re.match(r"'(\w+)' of (\w+) is the class", at.found.message)
    cls = at.file.classes.get(named[2]) if named else None
    for item in cls.body if cls is not None else []:
        if named and isinstance(item, ast.Assign) and [dotted(target) for target in item.targets] == [named[1]]:
            end = at.file.positions.span(item.value).end
            yield from _inserted("Write parentheses", at.file, end, "()")


def _port(at: Mistake) -> Iterator[Fix]:
    """E137: a component where one of its ports is wanted."""
    named = re.match(r"'([\w.]+)' is a component", at.found.message)
    ports = re.search(r"one of its ports: (.+)", at.found.advice)
    for port in re.findall(r"\w+", ports[1]) if named and ports else []:
        assert named is not None
        ends = [node for node in at.nodes if isinstance(node, ast.Attribute) and dotted(node) == f"self.{named[1]}"]
        parents = {id(node.value) for node in at.nodes if isinstance(node, ast.Attribute)}
        spans = [at.file.positions.span(node) for node in ends if id(node) not in parents]
        yield from _replaced(
            f"Write {named[1]}.{port}", at.file, [Splice(Span(span.end, span.end), f".{port}") for span in spans]
        )


def _without(at: Mistake) -> Iterator[Fix]:
    """E136, E146: a statement that has to go; a body needs at least one."""
    statement = at.nodes[0] if at.nodes else None
    if not isinstance(statement, ast.Expr):
        return
    bodies = [node.body for node in ast.walk(at.file.tree) if isinstance(node, ast.FunctionDef)]
    if any(statement in body and len(body) > 1 for body in bodies):
        span = at.file.positions.whole_lines(statement)
        yield from _replaced("Remove this line", at.file, [Splice(span, "")])


def _by_name(at: Mistake) -> Iterator[Fix]:
    """E122: a value without a name."""
    named = re.match(r"write (\w+)\((\w+)=", at.found.advice)
    for node in at.nodes:
        if named and isinstance(node, ast.Call) and node.args and dotted(node.func).endswith(named[1]):
            start = at.file.positions.span(node.args[0]).start
            yield from _inserted(f"Write {named[2]}=", at.file, start, f"{named[2]}=")


def _copy(at: Mistake) -> Iterator[Fix]:
    """E109: one part under two names."""
    named = re.match(r"'(\w+)' and '(\w+)' of (\w+) are the same object", at.found.message)
    cls = at.file.classes.get(named[3]) if named else None
    values = {
        dotted(item.targets[0]): item.value
        for item in (cls.body if cls is not None else [])
        if isinstance(item, ast.Assign) and len(item.targets) == 1
    }
    for one, other in ((named[1], named[2]), (named[2], named[1])) if named else ():
        value = values.get(one)
        if isinstance(value, ast.Name) and value.id == other and other in values:
            made = at.file.positions.span(values[other]).of(at.file.text)
            yield from _replaced(
                f"Make {one} a part of its own", at.file, [Splice(at.file.positions.span(value), made)]
            )


def _structural(at: Mistake) -> Iterator[Fix]:
    """E117: a parameter that determines a size."""
    named = re.match(r"'(\w+)' determines the structure", at.found.message)
    calls = [
        item.value
        for cls in at.file.classes.values()
        for item in cls.body
        if named and isinstance(item, ast.Assign) and [dotted(target) for target in item.targets] == [named[1]]
    ]
    for call in calls:
        if isinstance(call, ast.Call) and at.file.meaning(dotted(call.func)) == "tellegen.parameter":
            end = at.file.positions.span(call).end - 1
            text = ", structural=True" if call.args or call.keywords else "structural=True"
            yield from _inserted("Make it a structural parameter", at.file, end, text)


def _integer(at: Mistake) -> Iterator[Fix]:
    """E125: a number in quotes."""
    for node in at.nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip().isdigit():
            number = str(int(node.value))
            yield from _replaced(f"Write {number}", at.file, [Splice(at.file.positions.span(node), number)])


def _power(at: Mistake) -> Iterator[Fix]:
    """E176: the sign of a power."""
    for node in at.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitXor):
            between = Span(at.file.positions.span(node.left).end, at.file.positions.span(node.right).start)
            sign = between.start + between.of(at.file.text).index("^")
            yield from _replaced("Write **", at.file, [Splice(Span(sign, sign + 1), "**")])


RULES: dict[str, Callable[[Mistake], Iterator[Fix]]] = {
    "E109": _copy,
    "E117": _structural,
    "E118": _instance,
    "E122": _by_name,
    "E125": _integer,
    "E136": _without,
    "E137": _port,
    "E145": _yields,
    "E146": _without,
    "E147": _yield,
    "E176": _power,
    "E703": _words,
}
