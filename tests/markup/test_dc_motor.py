"""The reconfigurable DC motor in version 1: two listings of the source, realized and simulated.

interface.xml and implementation.xml are the listings, with these readings of what disagrees in the source: the torque
constant is called tau, the friction is friction-impl, and there are two components in armature-l-impl. subsystems.xml
adds what the listings use and do not show.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy

import tellegen as tg
from markup.mutations import mutated
from tellegen.library import electrical as el
from tellegen.library import rotational as rot
from tellegen.markup.version1.library import MarkupDocument

FOLDER = Path(__file__).parent / "dc_motor"
V, J = 12.0, 1e-3
K, R, L, B = 32e-3, 10.0, 0.1, 1e-5


def read(name: str, **options: Any) -> MarkupDocument:
    document = tg.read_markup(FOLDER / name, **options)
    assert isinstance(document, MarkupDocument)
    return document


@pytest.fixture(scope="module")
def motors() -> MarkupDocument:
    return read("motor.xml")


def rig(motor: Any) -> tg.System:
    system = tg.System("rig")
    system.add(motor=motor, source=el.ConstantVoltage(V=V), ground=el.Ground())
    system.add(load=rot.Inertia(J=J), fixed=rot.Fixed())
    system.connect(system.source.p, system.motor.pos)
    system.connect(system.source.n, system.motor.neg, system.ground.p)
    system.connect(system.motor.rotor, system.load.flange_a)
    system.connect(system.motor.reference, system.fixed.flange)
    return system


def expected(friction: float, times: Any) -> Any:
    """Speed from the two linear differential equations of the motor."""
    A = np.array([[-R / L, -K / L], [K / J, -friction / J]])
    forced = np.linalg.solve(A, [-V / L, 0.0])
    return np.array([(forced - scipy.linalg.expm(A * t) @ forced)[1] for t in times])


def test_the_interface_of_the_listing() -> None:
    (interface,) = read("interface.xml").interfaces.values()
    parameters = interface._info.parameters
    assert {name: one.semantics for name, one in parameters.items()} == {
        "tau": "torque_constant",
        "km": "motor_constant",
        "Ra": "armature_resistance",
        "La": "armature_inductance",
        "Jm": "rotor_inertia",
        "Bm": "friction",
    }
    assert [type(port).__name__ for port in interface._info.ports.values()] == ["Pin", "Pin", "Flange", "Flange"]


def test_the_implementation_by_itself_is_read_and_written() -> None:
    document = read("implementation.xml")
    assert tg.write_markup(document) == tg.write_markup(tg.read_markup(text=tg.write_markup(document)))
    with pytest.raises(tg.DocumentError, match="E846: the interface 'DCmotor' is not defined"):
        _ = document.implementations


@pytest.mark.parametrize(("name", "friction"), [("motor", B), ("smooth", 0.0)])
def test_both_bindings_run(motors: MarkupDocument, name: str, friction: float) -> None:
    times = np.linspace(0.0, 30.0, 7)
    solution = tg.simulate(rig(motors.components[name]), stop=30.0, rtol=1e-8)
    found = np.interp(times, solution.time, solution["load.w"])
    np.testing.assert_allclose(found, expected(friction, times), rtol=1e-4, atol=1e-4)


def test_other_implementations_can_be_bound_later(motors: MarkupDocument) -> None:
    bound = tg.bind(rig(motors.components["motor"]), {"motor.mech": "no-friction-impl"})
    speed = tg.simulate(bound, stop=30.0, rtol=1e-8)["load.w"][-1]
    np.testing.assert_allclose(speed, expected(0.0, [30.0])[0], rtol=1e-4)


def test_parameters_of_the_scope_are_passed_down(motors: MarkupDocument) -> None:
    flat = tg.flatten(rig(motors.components["motor"]))
    values = dict(zip(flat.parameters.names(), flat.parameter_values, strict=True))
    assert values["motor.elect.ra.r"] == 10.0
    assert values["motor.elect.la.l"] == 0.1


def test_errors_of_equations_are_at_their_lines_and_columns() -> None:
    text = (FOLDER / "subsystems.xml").read_text(encoding="utf-8")
    wrong = text.replace("v == l*i'dot;", "\n        v == l*ii'dot;")
    document = tg.read_markup(text=wrong)
    line = wrong[: wrong.index("ii'dot")].count("\n") + 1
    with pytest.raises(tg.DocumentError, match="E845: 'ii' is not declared") as caught:
        tg.flatten(document.implementations["inductance"]())  # type: ignore[union-attr]
    assert caught.value.location is not None
    assert (caught.value.location.line, caught.value.location.column) == (line, 16)


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("friction-impl", "frictions-impl", "E846", "the implementation 'frictions-impl' is not defined"),
        ('formal-part="Bm"', 'formal-part="Bn"', "E846", "'Bn' is not a parameter of mech-subsystem"),
        ('"mech.load"', '"mech.loads"', "E846", "'loads' of the terminal 'mech.loads' is not declared"),
        ("no-friction-impl", "conv-impl", "E846", "'conv-impl' does not implement the interface 'mech-subsystem'"),
        ("interface.xml", "http://example.org/interface.xml", "E847", "nothing is fetched from a network"),
        ("interface.xml", "missing.xml", "E847", "the document 'missing.xml' cannot be read"),
        ("interface.xml", "package:tellegen.nothing/interface.xml", "E847", "cannot be read: No module"),
        ("interface.xml", "ftp://example.org/a.xml", "E847", "'ftp:' is not known"),
    ],
)
def test_mistakes(tmp_path: Path, old: str, new: str, code: str, words: str) -> None:
    for path in FOLDER.iterdir():
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    for name in ("motor.xml", "implementation.xml"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(tg.DocumentError) as caught:
        tg.flatten(tg.read_markup(tmp_path / "motor.xml").components["smooth"])  # type: ignore[union-attr]
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.location is not None
    assert caught.value.location.line


def test_what_cannot_be_simulated_is_said() -> None:
    body = "<process>wait;</process>"
    text = f"""<document version="1"><interface ident="a"><boundary><terminal name="p"/></boundary></interface>
    <implementation ident="b" of-interface="a"><concurrent-statements>{body}</concurrent-statements></implementation>
    </document>"""
    document = tg.read_markup(text=text)
    with pytest.raises(tg.DocumentError, match="E850: <process> cannot be simulated"):
        tg.flatten(document.implementations["b"]())  # type: ignore[union-attr]


def test_catalogues_give_parts() -> None:
    parts = """<document version="1.0">
      <component name="R-10" interface-name="resistor" url="subsystems.xml">
        <parameter-binding formal-part="r" actual-part="10"/>
        <bound-implementation implementation-name="resistor"/>
      </component>
    </document>"""
    path = FOLDER / "motor.xml"
    document = MarkupDocument(tg.read_markup(text=parts).document, path.parent)  # type: ignore[union-attr]
    (part,) = document.parts
    assert (part.name, dict(part.parameters), part.implementation) == ("R-10", {"r": 10.0}, "resistor")


def outcome_of_damage(seed: int) -> Exception | None:
    """What comes of reading and flattening everything in a damaged document of version 1."""
    text = mutated((FOLDER / "subsystems.xml").read_text(encoding="utf-8"), np.random.default_rng(seed))
    try:
        document = tg.read_markup(text=text)
        for model in document.implementations.values():  # type: ignore[union-attr]
            tg.flatten(model())
    except Exception as error:
        return error
    return None


def test_damaged_documents_give_errors_of_ours() -> None:
    errors = [outcome_of_damage(seed) for seed in range(80)]
    assert not [error for error in errors if isinstance(error, tg.InternalError)]
    assert not [error for error in errors if error is not None and not isinstance(error, tg.TellegenError)]
