"""Version 1: every element and attribute of the document type is read and written.

TABLE is the document type as the source prints it, repaired: `!` required, `?` optional, `=` the default. What is
tested is made from it, not from the records.
"""

from __future__ import annotations

import pytest

import tellegen as tg
from tellegen.markup.document_source import open_source
from tellegen.markup.version1.convert import read_document, read_record, write_record
from tellegen.markup.version1.records import Component, Document, Implementation, Interface
from tellegen.xml.elements import Element, Text
from tellegen.xml.reader import parse
from tellegen.xml.writer import document_text, made

LIMITED = "min=-big max=big"
MATRIX = "row-l? row-h? col-l? col-h?"
TABLE = f"""
document: version! is_library=false
require: url!
library: name!
package: name!
interface: ident! abstract=false super-type=null sub-types=null
generics:
boundary:
terminal: name! nature-type=electrical
quantity: name! nature-type=real range=false direction! default? row-l? row-h?
interface-signal: name! nature-type! range=false signal-kind? guarded=false default? row-l? row-h?
assertions:
assert: label? postponed=false condition! report? severity?
semantics:
qprop: sign=pos Q1! Q2!
assumption: def!
pprop:
implementations:
specification: name! url! default=false
record: ident!
description:
implementation: ident! of-interface! compound=false configure=false is-default=false vrml?
concurrent-statements:
free-quantity: nature-type! ident! range=false default? {LIMITED} {MATRIX} semantics?
spectral-quantity: ident! nature-type! magnitude! phase!
noise-quantity: ident! nature-type! definition!
branch-quantity: across-vars? through-vars? plus-terminal! minus-terminal?
constant: ident! nature-type! range=false default? {LIMITED} {MATRIX} semantics!
variable: ident! nature-type! range=false default? shared=false {LIMITED} {MATRIX}
signal: name! nature-type! range=false signal-kind? default? row-l? row-h?
type: name! type-definition!
sub-type: name! subtype-indication!
component: final=false name! interface-name! vrml? url?
parameter-binding: formal-part! actual-part!
bound-implementation: implementation-name!
candidate-implementation: is-default=false implementation-name!
function: name! return-type!
function-args:
formal-arg: name! nature-type! range=false default? {MATRIX}
function-body:
process: label?
break: label?
equation: label?
connect: terminal-A! terminal-B!
position: x=0 y=0 z=0 roll=0 pitch=0 yaw=0
parameter: nature-type! ident! range=false default? {LIMITED} {MATRIX} semantics?
"""
NEEDED = {
    "generics": ["parameter"],
    "boundary": ["terminal"],
    "assertions": ["assert"],
    "semantics": ["assumption"],
    "implementations": ["specification"],
    "record": ["parameter"],
    "implementation": ["concurrent-statements"],
    "function": ["function-args", "function-body"],
    "function-args": ["formal-arg"],
}
"""Elements that must be inside."""
INSIDE = {
    "document": "require library package interface implementation record",
    "interface": "generics boundary signal constant type sub-type variable package assertions semantics "
    "implementations",
    "boundary": "terminal quantity interface-signal",
    "semantics": "qprop assumption pprop",
    "implementation": "branch-quantity free-quantity spectral-quantity noise-quantity terminal component function "
    "signal constant type sub-type variable package concurrent-statements description",
    "concurrent-statements": "process break equation assert connect",
    "component": "parameter-binding bound-implementation candidate-implementation position",
    "bound-implementation": "component",
    "candidate-implementation": "component",
}
"""Elements that may be inside, in an order that is accepted."""
WITH_TEXT = ("pprop", "description", "function-body", "process", "break", "equation")
WORDS = {
    "direction": "out",
    "sign": "neg",
    "nature-type of terminal": "rotational",
    "signal-kind of signal": "bus",
    "signal-kind of interface-signal": "buffer",
}


def elements() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in TABLE.strip().splitlines():
        tag, _, attributes = line.partition(":")
        found[tag] = [*attributes.split()]
    return found


def name_of(attribute: str) -> str:
    return attribute.rstrip("!?").partition("=")[0]


def sample(tag: str, attribute: str) -> str:
    """A value that is not the default."""
    name = name_of(attribute)
    if attribute.endswith("=false"):
        return "true"
    return WORDS.get(f"{name} of {tag}") or WORDS.get(name) or f"{name}-1"


def smallest(tag: str) -> Element:
    """An element with what it must have."""
    required = {name_of(a): sample(tag, a) for a in elements()[tag] if a.endswith("!")}
    content = [smallest(inner) for inner in NEEDED.get(tag, ())]
    return made(tag, required, *content)


def attributes() -> list[tuple[str, str]]:
    return [(tag, attribute) for tag, attributes in elements().items() for attribute in attributes]


def round_trip(element: Element) -> Element:
    record = read_record(parse(open_source(None, document_text(element))))
    written = write_record(record)
    text = document_text(written)
    assert read_record(parse(open_source(None, text))) == record
    assert document_text(write_record(record)) == text
    return written


def same(one: Element | Text, other: Element | Text) -> bool:
    """Whether two elements have the same attributes, in any order, and the same content."""
    if isinstance(one, Text) or isinstance(other, Text):
        return isinstance(one, Text) and isinstance(other, Text) and one.value == other.value
    alike = (one.tag, one.attributes, len(one.content)) == (other.tag, other.attributes, len(other.content))
    return alike and all(map(same, one.content, other.content))


def test_the_table_is_complete() -> None:
    assert len(elements()) == 45
    assert len(attributes()) == 142


@pytest.mark.parametrize("tag", elements())
def test_elements(tag: str) -> None:
    element = smallest(tag)
    assert same(round_trip(element), element)
    full = made(tag, element.attributes, *(smallest(inner) for inner in INSIDE.get(tag, "").split()))
    if tag in WITH_TEXT:
        full = made(tag, element.attributes, "some words, 1 < 2")
    if full.content:
        assert same(round_trip(full), full)
    with pytest.raises(tg.DocumentError, match=r"E843: .* has an unknown attribute 'colour'"):
        read_record(made(tag, {**element.attributes, "colour": "red"}, *element.content))
    with pytest.raises(tg.DocumentError, match="E842"):
        read_record(made(tag, element.attributes, *element.content, made("motor")))
    if element.content:
        with pytest.raises(tg.DocumentError, match=r"E842: .* has no <"):
            read_record(made(tag, element.attributes))


@pytest.mark.parametrize(("tag", "attribute"), attributes())
def test_attributes(tag: str, attribute: str) -> None:
    name = name_of(attribute)
    element = smallest(tag)
    given = made(tag, {**element.attributes, name: sample(tag, attribute)}, *element.content)
    assert round_trip(given).attributes[name] == sample(tag, attribute)
    if attribute.endswith("!"):
        rest = {key: value for key, value in element.attributes.items() if key != name}
        with pytest.raises(tg.DocumentError, match=f"E843: .* has no attribute '{name}'"):
            read_record(made(tag, rest, *element.content))
    elif "=" in attribute:  # what is absent is the default, and is not written
        default = attribute.partition("=")[2]
        given = made(tag, {**element.attributes, name: default}, *element.content)
        assert read_record(given) == read_record(element)
        assert name not in round_trip(given).attributes


CATALOGUE = """<document version="1.0">
  <require url="motors.xml"/>
  <component final="true" name="RE-25" interface-name="DCmotor" vrml="re25.wrl" url="motors.xml">
    <parameter-binding formal-part="Ra" actual-part="2.4"/>
    <candidate-implementation is-default="true" implementation-name="ideal"/>
    <candidate-implementation implementation-name="complex">
      <component name="elect" interface-name="elect-subsystem"/>
    </candidate-implementation>
    <position x="0.1" yaw="1.57"/>
  </component>
</document>
"""


def test_catalogues_keep_what_is_undecided() -> None:
    document = read_document(parse(open_source(None, CATALOGUE)))
    (part,) = document.components
    assert isinstance(part, Component)
    assert [candidate.name for candidate in part.candidates] == ["ideal", "complex"]
    assert [candidate.is_default for candidate in part.candidates] == [True, False]
    assert part.candidates[1].components[0].interface == "elect-subsystem"
    assert part.position is not None
    assert (part.position.x, part.position.yaw, part.position.z) == ("0.1", "1.57", "0")
    assert part.vrml == "re25.wrl"
    text = document_text(write_record(document))
    assert text.partition("\n")[2] == CATALOGUE


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("<motor/>", "E842", "1:1", "<motor> is not the beginning of a model"),
        ('<document version="1">\n <component name="a" interface-name="b"/>\n</document>', "", "", ""),
        (
            '<document version="1"><library name="a"/>\n<component name="a" interface-name="b"/></document>',
            "E842",
            "2:1",
            "definitions or the components of a catalogue",
        ),
        ('<interface ident="a">\n <terminal name="p"/></interface>', "E842", "2:2", "<terminal> is not expected"),
        (
            '<interface ident="a"><boundary><terminal name="p"/></boundary>\n'
            '<generics><parameter ident="a" nature-type="real"/></generics></interface>',
            "E842",
            "2:1",
            "<generics> is not at its place",
        ),
        ('<interface ident="a">some text</interface>', "E842", "1:22", "contains the text 'some text'"),
        ('<interface ident="a b"/>', "E843", "1:1", "ident='a b' of <interface ident='a b'> is not a name"),
        ('<interface ident="a" abstract="maybe"/>', "E843", "1:1", "is not true or false"),
        (
            '<interface ident="a"><boundary><terminal name="p" nature-type="electric"/></boundary></interface>',
            "E843",
            "1:32",
            "is not one of electrical, magnetic",
        ),
    ],
)
def test_mistakes(text: str, code: str, place: str, words: str) -> None:
    if not code:
        read_document(parse(open_source(None, text)))
        return
    with pytest.raises(tg.DocumentError) as caught:
        read_document(parse(open_source(None, text)))
    assert caught.value.code == code
    assert str(caught.value.location).endswith(f":{place}")
    assert words in caught.value.message


def test_a_definition_by_itself_is_a_document() -> None:
    interface = read_document(parse(open_source(None, '<interface ident="DCmotor"/>')))
    assert isinstance(interface, Document)
    assert isinstance(interface.definitions[0], Interface)
    body = '<implementation ident="a" of-interface="b"><concurrent-statements/></implementation>'
    assert isinstance(read_document(parse(open_source(None, body))).definitions[0], Implementation)
