"""Copies of components that differ from their originals after all, found once everything is read.

What elements of an array are called, how they are connected, which of their parameters are needed as numbers and what
statements outside of them do to them shows only when sections are read. Such elements are read on their own then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tellegen.frontends.modelica.instances.copies.alike import has_value_by_position, have_same_value, outermost_copy
from tellegen.frontends.modelica.instances.instance import Instance
from tellegen.frontends.modelica.instances.translation import Translation
from tellegen.frontends.modelica.instances.variable import VariableInstance
from tellegen.frontends.modelica.kinds.declarations import Declaration, Declarations, scalars_in
from tellegen.frontends.modelica.kinds.parts import Part, PartTree
from tellegen.frontends.modelica.kinds.pending import Pending, actions_of
from tellegen.frontends.modelica.values.value import Scalar


def different_copies(
    tree: PartTree, translation: Translation, statements: Iterable[Pending], declarations: Declarations
) -> set[int]:
    """Copies to be read on their own, by id, and originals that can have no copies."""
    if not tree.has_copies:
        return set()
    found = _Differences(tree, translation)
    for instance in translation.distinguished:
        found.add_with(instance)
    for statement in statements:
        if statement.section == "when":
            found.targets(statement)
    for number in translation.structural:
        found.needed_number(number)
    for declaration in declarations.structural:
        found.structural(declaration)
    found.unknowns_of_initialization(declarations.known)
    return found.apart


class _Differences:
    def __init__(self, tree: PartTree, translation: Translation) -> None:
        self.tree = tree
        self.translation = translation
        self.apart: set[int] = set()

    def add_with(self, instance: Instance) -> None:
        """What is said about this instance holds for it alone: it and the components around it share nothing."""
        copy = outermost_copy(instance)
        if copy is not None:
            self._add_copy(copy)
            return
        number = self.tree.number_of(instance)
        while number >= 0:
            part = self.tree.parts[number]
            if self.tree.is_original(number):
                self.apart.add(id(part.instance))
            number = part.parent

    def _add_copy(self, copy: Instance) -> None:
        if self.tree.is_shared(copy):
            self.apart.add(id(copy))

    def targets(self, statement: Pending) -> None:
        """What a when-clause assigns outside of its own component."""
        for _, target in actions_of(statement):
            if target >= 0:
                self._used(target, statement.part)

    def _used(self, number: int, by: int) -> None:
        """One component does something to a scalar that others do not do to its counterparts."""
        variable, _ = self.translation.variable_of(number)
        owner = self.tree.number_of(variable.owner)
        if self.tree.parts[owner].is_copy or self.tree.copies(owner, by) is not None:
            self.add_with(variable.owner)

    def needed_number(self, number: int) -> None:
        """A parameter is needed as a number by a component around it, or in a copy and not in the original."""
        for reader in self.translation.readers.get(number, ()):
            self._used(number, self.tree.number_of(reader))
        original = self.translation.original(number)
        if original != number and original not in self.translation.structural:
            variable, _ = self.translation.variable_of(number)
            self.add_with(variable.owner)

    def structural(self, declaration: Declaration) -> None:
        """A parameter of the original is needed as a number, which is another one in a copy."""
        variable = declaration.variable
        if not has_value_by_position(variable):
            return
        for copy in self._counterparts(variable, declaration.part):
            if not have_same_value(variable, copy):
                self.add_with(copy.owner)

    def _counterparts(self, variable: VariableInstance, part: Part) -> Iterator[VariableInstance]:
        copies = self.tree.copies(part.number)
        if copies is not None and variable.first_number >= 0 and variable.size:
            for (number,) in copies.rows([variable.first_number]).tolist()[1:]:
                yield self.translation.variable_of(number)[0]

    def unknowns_of_initialization(self, declarations: Iterable[Declaration]) -> None:
        """A parameter follows from one with fixed=false in some copies and not in others."""
        known = list(declarations)
        initial = {number for declaration in known if declaration.is_initial for number in declaration.numbers}
        if not initial:
            return
        for declaration in known:
            binding = declaration.binding
            size = declaration.variable.size
            if binding is None or len(binding.values) == size or not size:
                continue
            firsts = range(0, len(binding.values), size)
            follows = [self._follows(binding.values[first : first + size], initial) for first in firsts]
            for first, value in zip(firsts, follows, strict=True):
                if value != follows[0]:
                    self.add_with(self.translation.variable_of(binding.scalars[first])[0].owner)

    def _follows(self, values: list[Scalar], initial: set[int]) -> bool:
        return any(self.translation.original(number) in initial for number in scalars_in(values))
