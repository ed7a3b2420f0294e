"""The parser, part four: classes and what they declare (Modelica Language Specification, A.2.1 to A.2.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tellegen.frontends.modelica.syntax.classes import (
    ClassDefinition,
    Component,
    Constraint,
    DerivativeOf,
    EnumerationLiteral,
    Extends,
    External,
    Import,
    Section,
    ShortClass,
    StoredDefinition,
)
from tellegen.frontends.modelica.syntax.lexer import END_OF_FILE
from tellegen.frontends.modelica.syntax.parse_modifications import ModificationParser
from tellegen.frontends.modelica.syntax.token_reader import NESTED, UnexpectedTokenError

if TYPE_CHECKING:
    from tellegen.frontends.modelica.syntax.classes import Element
    from tellegen.frontends.modelica.syntax.expressions import Expression, Reference

_RESTRICTIONS = frozenset(
    {
        *("class", "model", "record", "operator record", "block", "connector", "expandable connector", "type"),
        *("package", "function", "pure function", "impure function", "operator"),
        *("operator function", "pure operator function", "impure operator function"),
    }
)
RESTRICTION_WORDS = frozenset(word for restriction in _RESTRICTIONS for word in restriction.split())
_BEFORE_ELEMENT = frozenset({"redeclare", "final", "inner", "outer", "replaceable"})
_BEFORE_CLASS = RESTRICTION_WORDS | {"encapsulated", "partial"}
_PREFIXES = frozenset({"flow", "stream", "discrete", "parameter", "constant", "input", "output"})


class ClassParser(ModificationParser):
    """Reads classes."""

    __slots__ = ()

    def stored_definition(self) -> StoredDefinition:
        """A file."""
        within = None
        if self.take("within"):
            within = () if self.tokens[self.at] == ";" else self.name()
            self.want(";")
        classes: list[ClassDefinition] = []
        while self.tokens[self.at] != END_OF_FILE:
            final = self.take("final")
            definition = self.class_definition()
            definition.final = final
            self.want(";")
            classes.append(definition)
        return StoredDefinition(within, classes)

    def class_definition(self) -> ClassDefinition:
        """A class with its prefixes."""
        self.deeper()
        start = self.at
        encapsulated = self.take("encapsulated")
        partial = self.take("partial")
        definition = ClassDefinition("", self.restriction(), start, encapsulated=encapsulated, partial=partial)
        if self.take("extends"):
            self.class_extends(definition)
        else:
            self.class_specifier(definition)
        self.depth -= NESTED
        return definition

    def restriction(self) -> str:
        """model, operator record, pure function ..."""
        start = self.at
        while self.tokens[self.at] in RESTRICTION_WORDS:
            self.at += 1
        restriction = " ".join(self.tokens[start : self.at])
        if restriction not in _RESTRICTIONS:
            raise UnexpectedTokenError(start, "'model', 'package', 'function' or another kind of class")
        return restriction

    def class_specifier(self, definition: ClassDefinition) -> None:
        """NAME ... end NAME, or NAME = ..."""
        definition.token = self.at
        definition.name = self.identifier("the name of a class")
        if self.tokens[self.at] == "=":
            self.short_class(definition)
        else:
            self.composition(definition)

    def class_extends(self, definition: ClassDefinition) -> None:
        """extends NAME(...) ... end NAME."""
        definition.token = self.at
        definition.name = self.identifier("the name of a class")
        definition.extends_inherited = True
        definition.extends_modification = self.class_modification()
        self.composition(definition)

    def short_class(self, definition: ClassDefinition) -> None:
        """= T(...), = enumeration(...), = der(...)."""
        self.want("=")
        if self.take("enumeration"):
            self.enumeration(definition)
        elif self.take("der"):
            self.want("(")
            function = self.type_specifier()
            variables: list[str] = []
            while self.take(","):
                variables.append(self.identifier())
            self.want(")")
            definition.derivative_of = DerivativeOf(function, tuple(variables))
        else:
            prefixes = self.prefixes()
            specifier = self.type_specifier()
            definition.short = ShortClass(specifier, prefixes, self.dimensions(), self.class_modification())
        self.class_description(definition)

    def class_description(self, definition: ClassDefinition) -> None:
        """The description and annotation after a short class."""
        definition.description = self.description()
        if self.tokens[self.at] == "annotation":
            definition.annotation = self.annotation()

    def enumeration(self, definition: ClassDefinition) -> None:
        """(a, b "description") or (:)."""
        self.want("(")
        literals: list[EnumerationLiteral] = []
        definition.open_enumeration = self.take(":")
        while self.tokens[self.at] != ")":
            if literals:
                self.want(",")
            literals.append(EnumerationLiteral(self.identifier(), self.description()))
            if self.tokens[self.at] == "annotation":
                self.annotation()
        self.at += 1
        definition.enumeration = tuple(literals)

    def composition(self, definition: ClassDefinition) -> None:
        """Everything between the name of a class and its end."""
        definition.description = self.description()
        self.inside(definition)

    def inside(self, definition: ClassDefinition) -> None:
        """The body of a class and its end."""
        self.body(definition)
        self.want("end")
        if self.tokens[self.at] != definition.name:
            self.fail(f"'{definition.name}', the name of the class that ends here")
        self.at += 1

    def body(self, definition: ClassDefinition) -> None:
        """Elements and sections; a mistake in one of them does not hide those in others."""
        tokens = self.tokens
        public = True
        while (token := tokens[self.at]) not in ("end", END_OF_FILE):
            depth = self.depth
            try:
                if token in ("public", "protected"):
                    public = token == "public"
                    self.at += 1
                elif not self.part(definition, token):
                    definition.elements.extend(self.element(public))
                    self.want(";")
            except UnexpectedTokenError as mistake:
                self.recover(mistake, depth)

    def part(self, definition: ClassDefinition, token: str) -> bool:
        """A section, the external function or the annotation of a class, if one of them stands here."""
        if token in ("equation", "algorithm", "initial"):
            definition.sections.append(self.class_section())
        elif token == "external":
            definition.external = self.external()
        elif token == "annotation":
            definition.annotation = self.annotation()
            self.want(";")
        else:
            return False
        return True

    def class_section(self) -> Section:
        """initial equation ..., algorithm ..."""
        initial = self.take("initial")
        if self.take("equation"):
            return Section(initial, equations=self.section(self.equation))
        self.want("algorithm")
        return Section(initial, statements=self.section(self.statement), is_algorithm=True)

    def external(self) -> External:
        """external "C" y = f(x) annotation(...);"""
        start = self.at
        self.at += 1
        language = self.string() if self.tokens[self.at][:1] == '"' else "C"
        found = External(language, None, "", (), start)
        if self.tokens[self.at] not in (";", "annotation"):
            self.external_call(found)
        if self.tokens[self.at] == "annotation":
            found.annotation = self.annotation()
        self.want(";")
        return found

    def external_call(self, found: External) -> None:
        """y = f(x, n)."""
        if self.tokens[self.at + 1] != "(":
            found.result = self.reference()
            self.want("=")
        found.function = self.identifier("the name of a function")
        self.want("(")
        if self.tokens[self.at] != ")":
            found.arguments = self.expressions()
        self.want(")")

    def element(self, public: bool) -> list[Element]:
        """An import, a base class, a class or one or more components."""
        token = self.tokens[self.at]
        if token == "import":
            return list(self.imports(public))
        if token == "extends":
            return [self.extends(public)]
        redeclare = final = inner = outer = replaceable = False
        if token in _BEFORE_ELEMENT:
            redeclare = self.take("redeclare")
            final = self.take("final")
            inner = self.take("inner")
            outer = self.take("outer")
            replaceable = self.take("replaceable")
        found: list[Element] = []
        if self.tokens[self.at] in _BEFORE_CLASS:
            elements: list[ClassDefinition] | list[Component] = [self.class_definition()]
        else:
            elements = self.components()
        constraint = self.constraint(elements)
        for element in elements:
            element.public = public
            element.redeclare = redeclare
            element.final = final
            element.inner = inner
            element.outer = outer
            element.replaceable = replaceable
            element.constraint = constraint
            found.append(element)
        return found

    def constraint(self, elements: list[ClassDefinition] | list[Component]) -> Constraint | None:
        """constrainedby T(...), if it stands here; a description after it is that of the elements."""
        if not self.take("constrainedby"):
            return None
        specifier = self.type_specifier()
        found = Constraint(specifier, self.class_modification())
        description = self.description()
        annotation = self.annotation() if self.tokens[self.at] == "annotation" else None
        for element in elements:
            element.description = element.description or description
            element.annotation = element.annotation or annotation
        return found

    def imports(self, public: bool) -> list[Import]:
        """import A.B; import C = A.B; import A.*; import A.{B, C}."""
        self.at += 1
        start = self.at
        if self.tokens[self.at + 1] == "=":
            alias = self.identifier()
            self.at += 1
            found = [Import(self.name(), alias, start, public)]
        else:
            found = self.imported_names(start, public)
        self.description()
        if self.tokens[self.at] == "annotation":
            self.annotation()
        return found

    def imported_names(self, start: int, public: bool) -> list[Import]:
        """A.B, A.*, A.{B, C}."""
        name = [self.identifier()]
        while self.take("."):
            if self.take("{"):
                names = [self.identifier()]
                while self.take(","):
                    names.append(self.identifier())
                self.want("}")
                return [Import((*name, last), last, start, public) for last in names]
            name.append(self.identifier())
        if self.take(".*"):
            return [Import(tuple(name), "", start, public)]
        return [Import(tuple(name), name[-1], start, public)]

    def extends(self, public: bool) -> Extends:
        """extends T(...)."""
        start = self.at
        self.at += 1
        specifier = self.type_specifier()
        modification = self.class_modification()
        annotation = self.annotation() if self.tokens[self.at] == "annotation" else None
        return Extends(specifier, modification, public, start, annotation)

    def prefixes(self) -> tuple[str, ...]:
        """flow, parameter, input ..."""
        start = self.at
        while self.tokens[self.at] in _PREFIXES:
            self.at += 1
        return tuple(self.tokens[start : self.at])

    def dimensions(self) -> tuple[Expression, ...]:
        """[3, :], or nothing."""
        return self.subscripts() if self.tokens[self.at] == "[" else ()

    def components(self) -> list[Component]:
        """parameter Real a = 1, b[3] if c "description"."""
        prefixes = self.prefixes()
        specifier = self.type_specifier()
        type_dimensions = self.dimensions()
        found = [self.component(prefixes, specifier, type_dimensions)]
        while self.take(","):
            found.append(self.component(prefixes, specifier, type_dimensions))
        return found

    def component(
        self, prefixes: tuple[str, ...], specifier: Reference, type_dimensions: tuple[Expression, ...]
    ) -> Component:
        """b[3](start = 1) = x if c "description" annotation(...)."""
        start = self.at
        name = self.identifier("the name of a component")
        dimensions = self.dimensions()
        modification = self.modification()
        condition = self.expression() if self.take("if") else None
        description = self.description()
        annotation = self.annotation() if self.tokens[self.at] == "annotation" else None
        return Component(
            name,
            specifier,
            prefixes,
            type_dimensions,
            dimensions,
            modification,
            condition,
            description,
            start,
            annotation,
        )

    def redeclared_element(self) -> ClassDefinition | Component:
        """The class or component of a redeclaration in a modification, with its constraining class."""
        replaceable = self.take("replaceable")
        if self.tokens[self.at] in _BEFORE_CLASS:
            element: ClassDefinition | Component = self.redeclared_class()
        else:
            prefixes = self.prefixes()
            specifier = self.type_specifier()
            element = self.component(prefixes, specifier, self.dimensions())
        element.replaceable = replaceable
        element.constraint = self.constraint([element])  # type: ignore[list-item]
        return element

    def redeclared_class(self) -> ClassDefinition:
        """package M = N(...): always a short class."""
        definition = self.class_definition()
        if definition.short is None and definition.enumeration is None and definition.derivative_of is None:
            raise UnexpectedTokenError(definition.token + 1, "'=': a redeclaration in a modification is a short class")
        return definition
