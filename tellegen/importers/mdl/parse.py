"""From tokens to modules, rule by rule of the grammar (thesis, appendix B).

    module_def   ::= module name (is | isa configuration with) [interface] [body] endmodule ;
    interface    ::= interface declare(field, value) ; ...
    body         ::= submodules ... ; connections ... ; initialization ... ;

A section of a body may be empty; its word must be there.
"""

from __future__ import annotations

from dataclasses import replace

from tellegen.errors import DocumentError
from tellegen.importers.mdl.arithmetic import expression
from tellegen.importers.mdl.stream import Stream
from tellegen.importers.mdl.syntax import (
    Arrays,
    Body,
    Connection,
    Initialization,
    Interface,
    ModuleDefinition,
    Port,
    Submodule,
)
from tellegen.importers.mdl.tokens import tokens_of

_SECTIONS = ("interface", "submodules", "connections", "initialization", "endmodule", "module")


def parse(text: str, file: str) -> list[ModuleDefinition]:
    """The modules of a file, in their order."""
    stream = Stream(tokens_of(text, file))
    out: dict[str, ModuleDefinition] = {}
    while stream.next.kind != "end":
        made = _module(stream)
        if made.name in out:
            raise DocumentError(
                "E863",
                f"the module '{made.name}' is defined twice",
                location=made.location,
                details=[f"first at {out[made.name].location}"],
                advice="give one of them another name",
            )
        out[made.name] = made
    return list(out.values())


def _module(stream: Stream) -> ModuleDefinition:
    stream.expect("module", "a file consists of modules: module name is ... endmodule;")
    name = stream.name("the name of a module")
    is_configuration = not stream.at("is")
    if is_configuration:
        stream.expect("isa", "write 'is' for a primitive module, 'isa configuration with' for a configuration")
        stream.expect("configuration", "write 'isa configuration with'")
        stream.expect("with", "write 'isa configuration with'")
    else:
        stream.advance()
    interface = _interface(stream) if stream.at("interface") else None
    body = _body(stream) if stream.at("submodules") else None
    if not stream.at("endmodule"):
        raise _misplaced(stream)
    stream.advance()
    stream.expect(";", "end the module with 'endmodule;'")
    return ModuleDefinition(name.text, name.location, is_configuration, interface, body)


def _misplaced(stream: Stream) -> DocumentError:
    if stream.next.keyword in ("interface", "connections", "initialization"):
        advice = "the sections are interface, submodules, connections, initialization, in this order"
        return stream.wrong("another section", advice)
    return stream.wrong("'endmodule'", "a module ends with 'endmodule;'; a statement belongs to a section")


def _ends(stream: Stream) -> bool:
    return stream.next.kind == "end" or stream.next.keyword in _SECTIONS


def _interface(stream: Stream) -> Interface:
    made = Interface(stream.advance().location)
    declared: set[str] = set()
    while not _ends(stream):
        stream.expect("declare", "an interface consists of declare(inputs, 2); and the like")
        stream.expect("(", "write declare(inputs, 2)")
        field = stream.advance()
        if field.keyword not in ("inputs", "outputs", "states", "dft"):
            raise DocumentError(
                "E862",
                f"{field} cannot be declared",
                location=field.location,
                advice="declare inputs, outputs, states or dft",
            )
        if field.keyword in declared:
            raise DocumentError(
                "E862", f"{field} is declared twice", location=field.location, advice="remove one of them"
            )
        declared.add(field.keyword)
        stream.expect(",", "write declare(inputs, 2)")
        made = _declared(stream, made, field.keyword)
        stream.expect(")", "write declare(inputs, 2)")
        stream.expect(";", "put a ; after every declaration")
    return made


def _declared(stream: Stream, interface: Interface, field: str) -> Interface:
    """declare(field, value)."""
    token = stream.next
    flag = {"true": True, "false": False}.get(token.keyword)
    if field == "dft":
        if flag is None:
            raise DocumentError(
                "E862", f"dft is true or false, not {token}", location=token.location, advice="declare(dft, false)"
            )
        stream.advance()
        return replace(interface, feedthrough=flag)
    if flag is not None:
        raise DocumentError(
            "E862", f"{field} are a number, not {token}", location=token.location, advice=f"declare({field}, 2)"
        )
    number = stream.integer(f"the number of {field}")
    if field == "inputs":
        return replace(interface, inputs=number)
    return replace(interface, outputs=number) if field == "outputs" else replace(interface, states=number)


def _body(stream: Stream) -> Body:
    begin = stream.advance().location
    submodules: list[Submodule] = []
    connections: list[Connection] = []
    initializations: list[Initialization] = []
    while not _ends(stream):
        submodules += _submodules(stream)
        stream.expect(";", "put a ; after every submodule: g isa module gimbal;")
    stream.expect("connections", "after the submodules come 'connections' and 'initialization'")
    while not _ends(stream):
        connections.append(_connection(stream))
        stream.expect(";", "put a ; after every connection: a.out[0] @ b.in[0];")
    stream.expect("initialization", "after the connections comes 'initialization'")
    while not _ends(stream):
        initializations.append(_initialization(stream))
        stream.expect(";", "put a ; after every initialization: setParam(g, [1, 2]);")
    return Body(begin, tuple(submodules), tuple(connections), tuple(initializations))


def _submodules(stream: Stream) -> list[Submodule]:
    """a, b isa module name."""
    names = [stream.name("the name of a submodule")]
    while stream.take(","):
        names.append(stream.name("the name of a submodule"))
    stream.expect("isa", "write 'name isa module kind'")
    stream.expect("module", "write 'name isa module kind'")
    module = stream.name("the name of a module").text
    return [Submodule(name.text, module, name.location) for name in names]


def _connection(stream: Stream) -> Connection:
    one = _port(stream)
    stream.expect("@", "a connection is written a.out[0] @ b.in[0]")
    return Connection(one, _port(stream))


def _port(stream: Stream) -> Port:
    """in[0], out[0], instance.in[0], instance.out[0]."""
    begin = stream.next
    instance = ""
    if not (stream.at("in") or stream.at("out")):
        instance = stream.name("a port").text
        stream.expect(".", "a port is written instance.in[0] or instance.out[0]")
    if not (stream.at("in") or stream.at("out")):
        raise stream.wrong("'in' or 'out'", "a port is written in[0] or out[0]")
    is_input = stream.advance().keyword == "in"
    stream.expect("[", "the number of a port stands in brackets: in[0]")
    number = stream.integer("the number of a port")
    stream.expect("]", "the number of a port stands in brackets: in[0]")
    return Port(instance, is_input, number, begin.location)


def _initialization(stream: Stream) -> Initialization:
    begin = stream.next
    what = {"setstate": "setState", "setparam": "setParam"}.get(begin.keyword)
    if what is None:
        raise stream.wrong("'setState' or 'setParam'", "write setState(g, [0, 0]); or setParam(g, [1, 2]);")
    stream.advance()
    stream.expect("(", f"write {what}(instance, [1, 2])")
    instance = stream.name("the name of a submodule").text
    stream.expect(",", f"write {what}(instance, [1, 2])")
    arrays = _arrays(stream, what)
    stream.expect(")", f"write {what}(instance, [1, 2])")
    return Initialization(what, instance, arrays, begin.location)


def _arrays(stream: Stream, what: str) -> Arrays:
    """[1, 2] or {[1, 2], [3]}."""
    if not stream.take("{"):
        return (_array(stream, what),)
    arrays = [_array(stream, what)]
    while stream.take(","):
        arrays.append(_array(stream, what))
    stream.expect("}", "close the list of arrays with }")
    return tuple(arrays)


def _array(stream: Stream, what: str) -> tuple[float, ...]:
    stream.expect("[", f"numbers stand in brackets: {what}(instance, [1, 2])")
    numbers = [expression(stream)]
    while stream.take(","):
        numbers.append(expression(stream))
    stream.expect("]", "close the array with ]")
    return tuple(numbers)
