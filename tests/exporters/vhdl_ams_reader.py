"""A reader of VHDL-AMS for the tests, written from the syntax rules of IEEE 1076.1, and checks of what it reads.

Beyond the grammar: names that are declared, formals that exist, and the rule of solvability, that every
architecture has as many simultaneous statements as it has unknowns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from lark import Lark, Token, Tree

GRAMMAR = r"""
start: (context_item* unit)+
context_item: "library"i ID ";" | "use"i selected ";"
?unit: package | package_body | entity | architecture
package: "package"i ID "is"i package_item* "end"i "package"i ID ";"
?package_item: nature | type_decl | function_spec ";"
nature: "nature"i ID "is"i ID "across"i ID "through"i ID "reference"i ";"
type_decl: "type"i ID "is"i "array"i "(" ID "range"i BOX ")" "of"i ID ";"
function_spec: "function"i ID "(" parameter_list ")" "return"i ID
parameter_list: parameter (";" parameter)*
parameter: ID ("," ID)* ":" ID
package_body: "package"i "body"i ID "is"i function_body* "end"i "package"i "body"i ID ";"
function_body: function_spec "is"i local* "begin"i sequential* "end"i "function"i ID ";"
local: ("constant"i | "variable"i) ID ":" subtype [_BECOMES expression] ";"

entity: "entity"i ID "is"i [generics] [ports] "end"i "entity"i ID ";"
generics: "generic"i "(" generic (";" generic)* ")" ";"
generic: ID ":" subtype [_BECOMES expression]
ports: "port"i "(" port (";" port)* ")" ";"
?port: terminal_port | quantity_port | signal_port
terminal_port: "terminal"i ID ":" ID
quantity_port: "quantity"i ID ":" mode subtype
signal_port: "signal"i ID ":" mode subtype
subtype: ID ["(" expression "to"i expression ")"]
!mode: "in"i | "out"i | "buffer"i

architecture: "architecture"i ID "of"i ID "is"i block_item* "begin"i concurrent* "end"i "architecture"i ID ";"
?block_item: constant | free_quantity | branch_quantity | signal | terminal
constant: "constant"i ID ":" subtype _BECOMES expression ";"
free_quantity: "quantity"i ID ":" subtype ";"
branch_quantity: "quantity"i ID "across"i [ID "through"i] ID ["to"i ID] ";"
signal: "signal"i ID ":" subtype [_BECOMES expression] ";"
terminal: "terminal"i ID ":" ID ";"

?concurrent: simple | conditional | break_on | break_start | assignment | check | process | instance
?simultaneous: simple | conditional
simple: expression _EQ expression ";"
conditional: "if"i use_branch ("elsif"i use_branch)* "else"i simultaneous+ "end"i "use"i ";"
use_branch: expression "use"i simultaneous+
break_on: "break"i "on"i name ("," name)* ";"
break_start: "break"i break_element ("," break_element)* ["when"i expression] ";"
break_element: name _ARROW expression
assignment: name LE expression ";"
check: "assert"i expression "report"i STRING "severity"i ID ";"
process: ID ":" "process"i ["(" name ("," name)* ")"] "begin"i sequential* "end"i "process"i ID ";"
instance: ID ":" "entity"i selected [generic_map] [port_map] ";"
generic_map: "generic"i "map"i "(" association ("," association)* ")"
port_map: "port"i "map"i "(" association ("," association)* ")"
association: ID _ARROW expression

?sequential: assignment | variable_assignment | if_statement | loop | for_loop | wait | break_start | check | return
variable_assignment: name _BECOMES expression ";"
if_statement: "if"i then_branch ("elsif"i then_branch)* ["else"i sequential*] "end"i "if"i ";"
then_branch: expression "then"i sequential*
loop: "loop"i sequential* "end"i "loop"i ";"
for_loop: "for"i ID "in"i expression "to"i expression "loop"i sequential* "end"i "loop"i ";"
wait: "wait"i "for"i expression ";"
return: "return"i expression ";"

?expression: relation | relation ("and"i relation)+ -> logical | relation ("or"i relation)+ -> logical
?relation: sum | sum (RELATION | LE) sum -> comparison
?sum: term | SIGN term -> signed | sum SIGN term -> added
?term: factor | term TIMES factor -> product
?factor: primary | primary _POWER primary -> power | "abs"i primary -> magnitude | "not"i primary -> negation
?primary: NUMBER | STRING | name | "(" expression ")" | aggregate
aggregate: "(" choice ("," choice)* ")"
choice: NUMBER _ARROW expression
name: ID | name "'" ID ["(" expression ")"] -> attribute | name "(" expression ("," expression)* ")" -> indexed
selected: ID ("." (ID | "all"i))+

_EQ.3: "=="
_ARROW.3: "=>"
_BECOMES.3: ":="
_POWER.3: "**"
BOX.3: "<>"
LE.3: "<="
RELATION: "=" | "/=" | "<" | ">" | ">="
SIGN: "+" | "-"
TIMES: "*" | "/"
NUMBER: /\d[\d_]*(\.\d+)?([eE][+-]?\d+)?/
STRING: /"([^"]|"")*"/
ID: /[a-zA-Z](_?[a-zA-Z0-9])*|\\([^\\]|\\\\)+\\/
COMMENT: /--[^\n]*/
%import common.WS
%ignore WS
%ignore COMMENT
"""

_PREDEFINED = """
real integer boolean natural real_vector now true false sqrt exp log log10 sin cos tan arcsin arccos arctan
sinh cosh tanh floor ceil sign realmax realmin choose electrical magnetic translational rotational thermal
fluidic warning error failure
"""
PREDEFINED = frozenset(_PREDEFINED.split())


@cache
def parser() -> Lark:
    """The parser, made once."""
    return Lark(GRAMMAR, parser="lalr", lexer="basic")


@dataclass
class Entity:
    """What instances of an entity must know."""

    generics: dict[str, bool] = field(default_factory=dict)  # whether a default is given
    ports: dict[str, str] = field(default_factory=dict)  # terminal, in, out, signal
    sizes: dict[str, int] = field(default_factory=dict)


def fold(token: Any) -> str:
    """An identifier as VHDL compares it: without case, unless it is extended."""
    text = str(token)
    return text if text.startswith("\\") else text.lower()


def _size(subtype: Tree[Any]) -> int:
    if len(subtype.children) < 3 or subtype.children[2] is None:
        return 1
    return int(str(subtype.children[2])) + 1


def read(text: str) -> dict[str, int]:
    """Parse a text and check it; returns the number of unknowns of every architecture."""
    tree = parser().parse(text)
    entities: dict[str, Entity] = {}
    functions: set[str] = set()
    unknowns: dict[str, int] = {}
    for spec in tree.find_data("function_spec"):
        functions.add(fold(spec.children[0]))
    natures = {fold(nature.children[0]) for nature in tree.find_data("nature")}
    for node in tree.children:
        assert isinstance(node, Tree)
        if node.data == "entity":
            name = fold(node.children[0])
            assert name not in entities, f"two entities {name}"
            assert fold(node.children[-1]) == name
            entities[name] = _entity(node, natures)
        elif node.data == "architecture":
            name = fold(node.children[1])
            unknowns[name] = _architecture(node, entities[name], entities, functions | natures)
    return unknowns


def _entity(node: Tree[Any], natures: set[str]) -> Entity:
    found = Entity()
    for generic in node.find_data("generic"):
        name = fold(generic.children[0])
        assert name not in found.generics
        found.generics[name] = generic.children[2] is not None
    for port in node.iter_subtrees():
        if port.data == "terminal_port":
            assert fold(port.children[1]) in PREDEFINED | natures
            found.ports[fold(port.children[0])] = "terminal"
        elif port.data in ("quantity_port", "signal_port"):
            mode = str(port.children[1].children[0]).lower()
            found.ports[fold(port.children[0])] = mode if port.data == "quantity_port" else "signal"
            found.sizes[fold(port.children[0])] = _size(port.children[2])
    return found


def _architecture(node: Tree[Any], own: Entity, entities: dict[str, Entity], visible: set[str]) -> int:
    """Check names and associations, and that statements determine the unknowns; returns how many these are."""
    declared = {*own.generics, *own.ports}
    count = sum(size for name, size in own.sizes.items() if own.ports[name] == "out")
    quantities = {name: size for name, size in own.sizes.items() if own.ports[name] != "signal"}

    def declare(token: Any) -> str:
        name = fold(token)
        assert name not in declared, f"{name} is declared twice"
        declared.add(name)
        return name

    for item in node.children:
        if not isinstance(item, Tree):
            continue
        if item.data == "free_quantity":
            name = declare(item.children[0])
            quantities[name] = _size(item.children[1])
            count += quantities[name]
        elif item.data == "branch_quantity":
            quantities[declare(item.children[0])] = 1
            if item.children[1] is not None:
                quantities[declare(item.children[1])] = 1
                count += 1
        elif item.data in ("signal", "terminal", "constant"):
            declare(item.children[0])
    equations = 0
    for item in node.children:
        if isinstance(item, Tree) and item.data in ("simple", "conditional"):
            equations += 1
        elif isinstance(item, Tree) and item.data == "process":
            declare(item.children[0])
        elif isinstance(item, Tree) and item.data == "instance":
            declare(item.children[0])
            count -= _instance(item, entities, quantities)
    _check_names(node, declared, quantities, visible)
    assert equations == count, f"{equations} statements for {count} unknowns in {node.children[1]}"
    return count


def _instance(item: Tree[Any], entities: dict[str, Entity], quantities: dict[str, int]) -> int:
    """Check the maps of an instance; returns how many quantities it determines."""
    entity = entities[fold(item.children[1].children[-1])]
    determined = 0
    given = {}
    for part in item.children[2:]:
        if part is None:
            continue
        formals = entity.generics if part.data == "generic_map" else entity.ports
        for association in part.children:
            formal = fold(association.children[0])
            assert formal in formals, f"{formal} is not a formal of {item.children[1]}"
            given[formal] = association.children[1]
            if part.data == "port_map" and entity.ports[formal] == "out":
                actual = fold(association.children[1].children[0])
                assert quantities[actual] == entity.sizes[formal]
                determined += quantities[actual]
    missing = [name for name, default in entity.generics.items() if not default and name not in given]
    missing += [name for name in entity.ports if name not in given]
    assert not missing, missing
    return determined


def _check_names(node: Tree[Any], declared: set[str], quantities: dict[str, int], visible: set[str]) -> None:
    for attribute in node.find_data("attribute"):
        word = str(attribute.children[1]).lower()
        root = next(token for token in attribute.scan_values(lambda t: isinstance(t, Token) and t.type == "ID"))
        assert word in ("dot", "above", "event", "delayed", "low"), word
        assert word == "low" or (word == "event") != (fold(root) in quantities), f"{root}'{word}"
    for name in node.find_data("name"):
        found = fold(name.children[0])
        assert found in declared | visible | PREDEFINED, f"{found} is not declared"
    for element in node.find_data("break_element"):
        root = next(token for token in element.scan_values(lambda t: isinstance(t, Token) and t.type == "ID"))
        assert fold(root) in quantities, f"break of {root}"
    for number in node.scan_values(lambda t: isinstance(t, Token) and t.type == "NUMBER"):
        assert not re.fullmatch(r"\d+[eE]-\d+", str(number)), f"{number} is not an integer"
