"""Version 2: models come back from documents as they were, and what is wrong in one is said with line and column.

benchmarks/markup_round_trip.py does the same for the whole library and all examples.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import motors
import tellegen as tg
from markup import markup_code
from markup.mutations import mutated
from tellegen.ir.expressions.template import EquationTemplate, Noise, SlotInfo
from tellegen.ir.model import (
    BoundPart,
    ChildGroup,
    Experiment,
    Kind,
    Look,
    Mechanical,
    Model,
    Parameter,
    Port,
    Rating,
    Variable,
)
from tellegen.library import blocks, electrical, fluid, multibody, rotational, thermal


class Ball(tg.Component):
    """Falls, bounces, counts."""

    e = tg.parameter(0.8, "1", "restitution", min=0.0, max=1.0)
    h = tg.variable("m", "height", start=1.0, fixed=True)
    v = tg.variable("m/s", start=0.0, fixed=True)
    bounces = tg.integer(start=0)

    def equations(self):
        yield tg.der(self.h) == self.v
        yield tg.der(self.v) == -9.81
        yield tg.when(self.h < 0, tg.reinit(self.v, -self.e * tg.pre(self.v)), self.bounces == tg.pre(self.bounces) + 1)
        yield tg.region(self.v > -100.0)


class Rod(tg.Component):
    """Arrays, structural parameters, an angle in degrees, a table, an initial equation."""

    n = tg.parameter(6, structural=True)
    angle = tg.parameter(30.0, "deg", "inclination")
    k = tg.parameter(2.0)
    T = tg.variable("degC", shape=n, start=20.0)

    def equations(self):
        T = self.T
        yield tg.der(T[1:-1]) == self.k * (T[2:] - 2 * T[1:-1] + T[:-2])
        yield T[0] == 293.15 + tg.sin(self.angle)
        loss = tg.interpolate(T[self.n - 1] - 290.0, [0.0, 1.0, 3.0], [0.0, 2.0, 3.0])
        yield tg.der(T[self.n - 1]) == -loss

    def initial_equations(self):
        yield self.T[self.n - 1] == 350.0


class Switching(tg.Component):
    """Operating regions with their equations."""

    x = tg.variable(start=0.0, fixed=True)

    def equations(self):
        yield tg.modes(
            tg.mode("rising", tg.der(self.x) == 1.0),
            tg.mode("falling", tg.der(self.x) == -self.x),
            tg.transition("rising", "falling", self.x > 1.0),
            tg.transition("falling", "rising", self.x < 0.2),
        )


class Cells(tg.Component):
    """Arrays of components, values by element, an outer component."""

    ambient = thermal.FixedTemperature(T=300.0)
    cells = thermal.HeatCapacitor.array(3, C=[1.0, 2.0, 3.0], T=tg.variable(start=320.0))
    walls = thermal.ThermalConductor.array(3, G=2.0)

    def connections(self):
        yield self.cells.port, self.walls.port_a
        yield self.walls.port_b, self.ambient.port


SAMPLES = [
    *(Ball, Rod, Switching, Cells),
    *(electrical.Resistor, electrical.Diode, electrical.Transformer, rotational.Inertia, rotational.Clutch),
    *(blocks.PID, blocks.TransferFunction, fluid.StaticPipe, multibody.Revolute, multibody.World),
]


def made(cls: type[tg.Component]) -> tg.Component:
    return cls()


def outcome(model: object) -> str:
    """The flat model as text, or why there is none: a component by itself may lack what it needs."""
    try:
        return str(tg.flatten(model))
    except tg.TellegenError as error:
        return f"{error.code}: {error.message}"


@pytest.mark.parametrize("cls", SAMPLES, ids=lambda cls: cls.__name__)
def test_models_come_back(cls: type[tg.Component]) -> None:
    text = tg.write_markup(made(cls))
    assert tg.write_markup(made(cls)) == text, "writing twice gives the same bytes"
    model = tg.read_markup(text=text)
    assert outcome(model) == outcome(made(cls))
    assert tg.write_markup(model) == text


@pytest.mark.parametrize("name", ["dc_drive:Drive", "clutch_drive_train:DriveTrain", "pendulum:Pendulum"])
def test_examples_come_back(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file, _, cls = name.partition(":")
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))
    module = __import__(file)
    component = getattr(module, cls, None) or next(
        value for value in vars(module).values() if isinstance(value, type) and value.__module__ == file
    )
    assert outcome(tg.read_markup(text=tg.write_markup(component()))) == outcome(component())


def test_a_model_that_was_read_runs_as_before(tmp_path: Path) -> None:
    path = tmp_path / "ball.xml"
    tg.write_markup(Ball(h=tg.variable(start=2.0, fixed=True)), path)
    read = tg.simulate(tg.read_markup(path), stop=1.5)
    written = tg.simulate(Ball(h=tg.variable(start=2.0, fixed=True)), stop=1.5)
    assert np.array_equal(read.time, written.time)
    for variable in ("h", "v", "bounces"):
        assert np.array_equal(read[variable], written[variable])


def test_code_is_named_and_imported_only_if_allowed() -> None:
    for cls in (markup_code.Spring, markup_code.Lag, markup_code.LagInC):
        text = tg.write_markup(cls())
        with pytest.raises(tg.DocumentError, match=r"E848: .* neither imported nor loaded unless you") as caught:
            tg.read_markup(text=text)
        assert caught.value.location is not None
        assert caught.value.location.column
        model = tg.read_markup(text=text, allow_code=True)
        assert outcome(model) == outcome(cls())
    text = tg.write_markup(markup_code.Spring()).replace("markup.markup_code:characteristic", "os:abort")
    with pytest.raises(tg.DocumentError, match=r"E848: 'os:abort' of .* cannot be imported, or is not a tg.function"):
        tg.read_markup(text=text, allow_code=True)


def test_code_without_a_name_cannot_be_written() -> None:
    @tg.function(opaque=True)
    def local(x: float) -> float:
        return x

    class Model(tg.Component):
        x = tg.variable(start=1.0)

        def equations(self):
            yield tg.der(self.x) == local(self.x)

    with pytest.raises(tg.DocumentError, match=r"E849: the function '.*local' cannot be written"):
        tg.write_markup(Model())


class MotorInterface(tg.Interface):
    """An interface, to bind a part to."""

    p = electrical.Pin()
    n = electrical.Pin()
    R = tg.parameter(1.0, "ohm", semantics="armature_resistance")
    semantics = tg.Semantics(limits={"current_max": "p.i"})


class Winding(tg.Component, implements=MotorInterface, name="winding", default=True):
    """Its implementation."""

    def equations(self):
        yield self.p.v - self.n.v == self.R * self.p.i
        yield self.p.i + self.n.i == 0


class Circuit(tg.Component):
    """Composed of an interface."""

    source = electrical.ConstantVoltage(V=6.0)
    motor = MotorInterface()
    ground = electrical.Ground()

    def connections(self):
        yield self.source.p, self.motor.p
        yield self.source.n, self.motor.n, self.ground.p


def test_bound_parts_and_implementations_come_back() -> None:
    part = tg.Part("M1", MotorInterface, parameters={"R": 3.0}, limits={"current_max": "1.5 A"}, source="a test")
    bound = tg.bind(Circuit(), {"motor": part})
    model = tg.read_markup(text=tg.write_markup(bound))
    assert isinstance(model, Model)
    assert model.parts == tg.flatten(bound).parts
    assert tg.flatten(model).bindings == {"motor": "winding"}
    assert outcome(model) == outcome(bound)


def test_how_a_model_is_run_comes_back() -> None:
    circuit = tg.read_spice(text="a filter\nV1 a 0 SIN(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n.tran 1u 2m 0 0.5u\n.end")
    model = tg.read_markup(text=tg.write_markup(circuit))
    assert isinstance(model, Model)
    assert model.experiment == tg.flatten(circuit).experiment
    assert model.experiment.longest_step == 5e-7


def test_everything_a_model_has_is_written() -> None:
    """Whoever adds a field to these records has to write and read it here, or say below why not."""
    member = "name unit display description shape array array_name first_index location attributes"
    known = {
        Kind: "name description location structure variables parameters ports groups stamps settings connections "
        "mechanics interface implementation",
        Model: "name root settings traced experiment visuals mechanism parts rules",  # not traced, visuals, mechanism
        Variable: f"{member} role type literals discrete initial_parameter",
        Parameter: f"{member} literal numbered",  # not numbered: FMUs, which have such, are not written
        Port: "name connector family variables count is_array location must_connect foreign driven",  # not driven: FMUs
        ChildGroup: "kind names size is_array locations",
        Mechanical: "verb ports members parts look motion location",
        Look: "shape color opacity marked surface",
        Experiment: "stop initial shown start tolerance longest_step",
        BoundPart: "name ratings",
        Rating: "name value unit quantity",
        EquationTemplate: "slots owner location lhs rhs noises",
        Noise: "name density exponent factor",
        SlotInfo: "name parameter unit role type discrete literals",
    }
    for record, names in known.items():
        assert [field.name for field in fields(record)] == names.split(), record.__name__


DOCUMENT = tg.write_markup(Ball())


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ('version="2"', 'version="3"', "E844", "version='3' of the document is not known"),
        ('component="Ball"', 'component="Bal"', "E846", "there is no component 'Bal'; perhaps you meant 'Ball'"),
        ("der(h) ==", "der(hh) ==", "E845", "'hh' is not declared"),
        ("der(h) == v", "der(h) = v", "E845", "'=' is not expected here"),
        ("der(h) == v", "der(h) + v", "E845", "this is not an equation"),
        ('unit="m/s"', 'unit="m/sx"', "E843", "unit='m/sx' of <variable name='v'> is not a unit"),
        ('<reinit of="v">', '<reinit of="e">', "E843", "'e' of <reinit> is not a variable"),
        ('<reinit of="v">', '<reinit of="w">', "E846", "'w' is not declared"),
        ('value="0.8"', 'value="much"', "E843", "value='much' of <parameter name='e'> is not made of numbers"),
        ('value="0.8"', 'value="1 2"', "E843", "has 2 numbers, and the array has 1 elements"),
        ("<condition>", "<Condition>", "E840", "mismatched tag"),
        ('name="v"', 'name="h"', "E843", "'h' is declared twice"),
        ("<model", '<model begin="1"', "E843", "unknown attribute 'begin'"),
        ("<equation", '<equation rows="2"', "E842", ""),
    ],
)
def test_mistakes(old: str, new: str, code: str, words: str) -> None:
    text = DOCUMENT.replace(old, new, 1)
    if not words:  # scalars serve all rows
        tg.read_markup(text=text)
        return
    with pytest.raises(tg.DocumentError) as caught:
        tg.read_markup(text=text)
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.location is not None
    assert caught.value.location.column


def test_damaged_documents_give_errors_of_ours() -> None:
    """Hundreds of mutations; benchmarks/markup_round_trip.py makes thousands."""
    documents = [tg.write_markup(cls()) for cls in (Ball, Rod, Switching, Cells, electrical.Transformer)]
    errors: list[tg.TellegenError] = []
    for seed in (*range(300), 100309, 100869, 102074):  # the last ones: connectors of a family with other variables
        text = mutated(documents[seed % len(documents)], np.random.default_rng(seed))
        try:
            tg.flatten(tg.read_markup(text=text))
        except tg.TellegenError as error:
            errors.append(error)
    assert not [error for error in errors if isinstance(error, tg.InternalError)]
    nowhere = [
        error for error in errors if isinstance(error, tg.DocumentError) and not getattr(error.location, "column", 0)
    ]
    assert not nowhere
    assert 150 < len(errors) < 295


def test_one_number_is_set_once(tmp_path: Path) -> None:
    tg.write_markup(_resistors(), tmp_path / "s.xml")
    text = (tmp_path / "s.xml").read_text()
    line = next(line for line in text.splitlines() if "<set " in line and "R" in line)
    with pytest.raises(tg.DocumentError, match="which another <set> sets already") as caught:
        tg.read_markup(text=text.replace(line, f"{line}\n{line}"))
    assert "'r.R'" in str(caught.value)


def _resistors() -> tg.System:
    system = tg.System("s")
    system.add(r=electrical.Resistor(R=3.0), v=electrical.ConstantVoltage(), ground=electrical.Ground())
    system.connect(system.r.p, system.v.p)
    system.connect(system.r.n, system.v.n, system.ground.p)
    return system


def test_a_document_in_the_place_of_its_path() -> None:
    with pytest.raises(tg.DocumentError, match="E840: a document was given in the place of its path") as caught:
        tg.read_markup("<document version='2.0'/>")
    assert "text=" in str(caught.value)


@pytest.fixture(scope="module")
def drives() -> str:
    return tg.write_markup(motors.Drive(), candidates=True)


@pytest.mark.parametrize(
    "binding",
    [
        {"motor": "ideal"},
        {"motor": "complex"},
        {"motor": "complex", "motor.armature": "inductive"},
        {"motor": "complex", "motor.armature": "resistive"},
    ],
)
def test_a_document_with_candidates_is_bound(drives: str, binding: dict[str, str]) -> None:
    """As the component itself: the same curves, and the same binding in results."""
    found = tg.simulate(tg.read_markup(text=drives, bind=binding), 0.05, parameters={"motor.R": 1.7})
    expected = tg.simulate(tg.bind(motors.Drive(), binding), 0.05, parameters={"motor.R": 1.7})
    assert found.bindings == expected.bindings
    for path in ("load.w", "motor.p.i"):
        assert np.allclose(found[path], expected[path], rtol=1e-9, atol=1e-12)


def test_a_document_with_candidates_is_the_same_model(drives: str) -> None:
    alone = tg.read_markup(text=tg.write_markup(motors.Drive()))
    assert str(tg.flatten(tg.read_markup(text=drives))) == str(tg.flatten(alone))
    assert tg.write_markup(motors.Drive(), candidates=True) == drives


def test_parts_of_one_kind_are_bound_one_by_one() -> None:
    class Pair(tg.Component):
        left = motors.Drive()
        right = motors.Drive()

    text = tg.write_markup(Pair(), candidates=True)
    found = tg.simulate(tg.read_markup(text=text, bind={"right.motor": "complex"}), 0.05)
    assert found.bindings["left.motor"] == "ideal"
    assert found.bindings["right.motor"] == "complex"
    expected = tg.simulate(tg.bind(Pair(), {"right.motor": "complex"}), 0.05)
    assert np.allclose(found["right.load.w"], expected["right.load.w"], rtol=1e-9)


@pytest.mark.parametrize(
    ("binding", "code", "words"),
    [
        ({"motor": "complx"}, "E804", "no implementation 'complx' of Motor; perhaps you meant 'complex'"),
        ({"motr": "ideal"}, "E803", "no part 'motr' on the way to 'motr'"),
        ({"load": "ideal"}, "E803", "'load' is not an interface"),
        ({"motor.armature": "inductive"}, "E803", "no part 'armature' on the way"),
    ],
)
def test_bindings_that_a_document_does_not_have(drives: str, binding: dict[str, str], code: str, words: str) -> None:
    with pytest.raises(tg.BindingError, match=words) as caught:
        tg.read_markup(text=drives, bind=binding)
    assert caught.value.code == code


def test_a_model_of_a_document_is_a_part(drives: str) -> None:
    """Two of them in a component, with values of their own."""
    Drive = tg.component_class(tg.read_markup(text=drives, bind={"motor": "complex"}))

    class Two(tg.Component):
        a = Drive()
        b = Drive(**{"motor.R": 1.2})

    found = tg.simulate(Two(), 0.05)
    expected = tg.simulate(tg.bind(motors.Drive(), {"motor": "complex"}), 0.05, parameters={"motor.R": 1.2})
    assert np.allclose(found["b.load.w"], expected["load.w"], rtol=1e-5, atol=1e-9)
    assert not np.allclose(found["a.load.w"], expected["load.w"], rtol=1e-2)

    class Outer(tg.Component):
        inner = Two(**{"b.motor.R": 1.7})
        plain = Two()

    values = tg.flatten(Outer()).parameters
    numbers = dict(zip(values.names(), values.column("value").tolist(), strict=True))
    assert [numbers[f"{path}.motor.R"] for path in ("inner.a", "inner.b", "plain.b")] == [2.4, 1.7, 1.2]


def test_models_are_bound_when_they_are_read(drives: str) -> None:
    with pytest.raises(tg.BindingError, match=r"E803: tg\.bind needs a component, not the Model Drive") as caught:
        tg.bind(tg.read_markup(text=drives), {"motor": "complex"})
    assert "read_markup(path, bind=" in str(caught.value)
    with pytest.raises(tg.DocumentError, match="E849: candidates are those of a component"):
        tg.write_markup(tg.read_markup(text=drives), candidates=True)
