"""Instance -> Model: the recipe."""

from __future__ import annotations

from collections.abc import Iterator

from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.kinds.bus_declarations import declare_on_buses, has_buses
from tellegen.frontends.modelica.kinds.buses import leave_out_unused
from tellegen.frontends.modelica.kinds.connect import Connector, Joint, OptionalEdge
from tellegen.frontends.modelica.kinds.connection_answers import ConnectionAnswers
from tellegen.frontends.modelica.kinds.copies.different_copies import different_copies
from tellegen.frontends.modelica.kinds.declarations import Declarations, read_declarations
from tellegen.frontends.modelica.kinds.experiment import experiment_of
from tellegen.frontends.modelica.kinds.members import MemberTable, events_of
from tellegen.frontends.modelica.kinds.overconstrained import ConnectionGraph
from tellegen.frontends.modelica.kinds.parts import PartTree
from tellegen.frontends.modelica.kinds.pending import Pending, pending_assertion, pending_statements
from tellegen.frontends.modelica.kinds.ports import PortTable
from tellegen.frontends.modelica.kinds.share import Contents, KindBuilder
from tellegen.frontends.modelica.sections.read_sections import statements_of
from tellegen.frontends.modelica.sections.statements import GraphStatement
from tellegen.frontends.modelica.sections.topology import topology_of
from tellegen.ir.expressions.expr import Const, Der, Expr, Slot, walk
from tellegen.ir.model import Model, Rules
from tellegen.start.records import dataclass

MODELICA_RULES = Rules(
    units_agree=False,
    components_balance=False,
    networks_have_references=False,
    inputs_have_sources=False,
    events_at_start=False,
    reinit_at_once=False,
)


def build_model(root: Instance, name: str = "") -> Model:
    """The Model of an instance of a class."""
    reading = _read(root)
    for text in root.translation.texts:
        text.value()  # one that neither an equation nor a statement determines is an error
    tree = reading.tree
    declarations = reading.declarations
    ports = reading.ports
    joints = leave_out_unused(ports, reading.network.joints, reading.scalars_read)
    declarations.leave_out(v for of_part in ports.ports for p in of_part if p.is_absent for v in p.variables)
    members = MemberTable(tree, root.translation, ports, declarations, events_of(reading.statements))
    constants = _structural_numbers(declarations)
    sorted_out = _by_component(tree, members, [*members.pending, *reading.statements], constants)
    kind = KindBuilder(tree, members, Contents(sorted_out, joints, ports.ports, constants)).build()
    title = name or root.view.path.rpartition(".")[2]
    return Model(title, kind, traced=len(tree.parts), experiment=experiment_of(root.view), rules=MODELICA_RULES)


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """Everything the text says about a model."""

    tree: PartTree
    ports: PortTable
    network: Network
    statements: list[Pending]
    declarations: Declarations

    def scalars_read(self) -> set[int]:
        """The scalars in statements and bindings."""
        return _scalars_read(self.statements, self.declarations)


def _read(root: Instance) -> Reading:
    """Read the text of all components but copies; of those too that turn out to differ from their originals."""
    translation = root.translation
    apart: set[int] = set()
    while True:
        tree = PartTree(root, apart)
        if has_buses(tree):
            tree = PartTree(root, share=False)
            if declare_on_buses(tree):
                tree = PartTree(root, share=False)
        ports = PortTable(tree)
        network = _connect(tree, ports, translation)
        statements = list(network.graph.equations())
        for part in tree.parts:
            if not part.is_copy:
                statements += pending_statements(statements_of(part.instance), part.number)
        declarations = read_declarations(tree, translation)
        statements += _called_assertions(tree, translation)
        structural = len(translation.structural)
        different = different_copies(tree, translation, statements, declarations)
        if not different and len(translation.structural) == structural:
            return Reading(tree, ports, network, statements, declarations)
        apart |= different


def _called_assertions(tree: PartTree, translation: Translation) -> Iterator[Pending]:
    """Those of functions that declarations call; what is said of an original holds for its copies."""
    for called in translation.called.all():
        part = tree.number_of(called.instance) if called.instance is not None else 0
        if not tree.parts[part].is_copy:
            yield pending_assertion(called.assertion, part)


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """What all components say about connections."""

    joints: list[list[Joint]]
    graph: ConnectionGraph


def _connect(tree: PartTree, ports: PortTable, translation: Translation) -> Network:
    """Read all connections; from here on operators that depend on them have answers."""
    connector = Connector(ports, translation)
    answers = ConnectionAnswers(ports, connector.uses, translation)
    translation.connections = answers
    graph: list[GraphStatement] = []
    edges: list[OptionalEdge] = []
    joints: list[list[Joint]] = []
    for part in tree.parts:
        if part.is_copy:
            joints.append([])
            continue
        topology = topology_of(part.instance)
        found = connector.read(topology.connects, part.number)
        graph += topology.graph
        edges += found.edges
        joints.append(found.joints)
    answers.graph = ConnectionGraph(graph, edges)
    return Network(joints, answers.graph)


def _scalars_read(statements: list[Pending], declarations: Declarations) -> set[int]:
    """The scalars in statements and bindings."""
    expressions = [expression for statement in statements for expression in statement.expressions]
    for declaration in declarations.known:
        if declaration.binding is not None:
            expressions += [value for value in declaration.binding.values if isinstance(value, Expr)]
            if declaration.variable.variability != "parameter":
                expressions += [Slot(number) for number in declaration.numbers]
    return {node.index for node in walk(*expressions) if isinstance(node, Slot | Der)}


def _structural_numbers(declarations: Declarations) -> dict[int, Const]:
    """The values of Real parameters that decide the structure: numbers in every statement."""
    found: dict[int, Const] = {}
    for declaration in declarations.structural:
        variable = declaration.variable
        if variable.base == "Real":
            for element, number in enumerate(declaration.numbers):
                value = variable.known_element(element, "a structural parameter")
                assert isinstance(value, int | float)
                found[number] = Const(float(value))
    return found


def _by_component(
    tree: PartTree, members: MemberTable, statements: list[Pending], constants: dict[int, Const]
) -> list[list[Pending]]:
    """Every statement at the innermost component that contains all its scalars: outer ones belong further out."""
    found: list[list[Pending]] = [[] for _ in tree.parts]
    for statement in statements:
        used = {node.index for node in walk(*statement.expressions) if isinstance(node, Slot | Der)}
        owners = {members.place(scalar).part for scalar in used if scalar not in constants}
        found[tree.common(statement.part, owners)].append(statement)
    return found
