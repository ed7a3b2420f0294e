"""CAD assemblies: exact mass properties, joints from contacts, the seeker; all that needs Open CASCADE."""

from __future__ import annotations

import importlib.util
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("OCP", reason="Open CASCADE is not installed: pip install 'tellegen[cad]'")

import tellegen as tg
from importers.step_parts import ball, box, cone, cut, cylinder, fuse, place, write
from importers.test_mass_properties import REFERENCE
from tellegen.importers.assembly.difference import difference
from tellegen.importers.step.worker import measure
from tellegen.network.mechanics.twists import Tolerance

FINE = Tolerance(1e-6, 1e-6)
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "seeker.py"


def measured(path: Path, clearance: float = 0.0) -> Any:
    """What the kernel finds, in this process: importing it once is enough."""
    found = measure(str(path), FINE, clearance)
    assert found is not None
    return found


def joints_of(tmp_path: Path, clearance: float = 0.0, **parts: Any) -> dict[str, Any]:
    found = measured(write(tmp_path / "parts.step", parts), clearance)
    return {joint.name: joint for joint in found.joints}


def test_mass_properties_are_exact(tmp_path: Path) -> None:
    """The reference table, to 1e-9."""
    parts = {
        "box": box((0, 0, 0), (100, 200, 300)),
        "ring": cut(cylinder((0, 0, 0), 100, 45), cylinder((0, 0, 0), 80, 45)),
        "sphere": ball((0, 0, 0), 40),
        "cone": cone((0, 0, 0), 50, 0, 120),
        "bracket": fuse(box((0, 0, 0), (100, 20, 50)), box((0, 0, 50), (20, 20, 130))),
        "plate": cut(box((-100, -50, -5), (100, 50, 5)), cylinder((50, 20, -5), 20, 10)),
    }
    densities = {"box": 2700, "ring": 1200, "sphere": 1070, "cone": 7850, "bracket": 2700, "plate": 7850}
    for name, shape in parts.items():
        (part,) = measured(write(tmp_path / f"{name}.step", {name: shape})).parts
        mass, centre, (xx, yy, zz, xy, xz, yz) = REFERENCE[name]
        found = part.mass.scaled(densities[name])
        assert (part.name, found.m) == (name, pytest.approx(mass, rel=1e-9))
        np.testing.assert_allclose(found.r_CM, centre, rtol=1e-9, atol=1e-12)
        expected = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
        np.testing.assert_allclose(found.I, expected, rtol=1e-8, atol=1e-12)


def test_mass_properties_of_a_file(tmp_path: Path) -> None:
    path = write(tmp_path / "two.step", {"a": box((0, 0, 0), (100, 100, 100)), "b": box((0, 0, 100), (100, 100, 200))})
    found = tg.mass_properties(path, density="1 g/cm3")
    assert found.m == pytest.approx(2.0, rel=1e-12)
    np.testing.assert_allclose(found.r_CM, [0.05, 0.05, 0.1], atol=1e-12)


def test_parts_have_places(tmp_path: Path) -> None:
    """A bar turned by 90 degrees about x and moved, in an assembly."""
    bar = box((0, 0, 0), (100, 20, 10))
    where = {"bar": place((0, 0, 500), (1, 0, 0), np.pi / 2), "base": place((0, 0, 0))}
    path = write(tmp_path / "placed.step", {"bar": bar, "base": box((0, 0, 0), (10, 10, 10))}, where)
    parts = {part.name: part for part in measured(path).parts}
    np.testing.assert_allclose(parts["bar"].mass_in_world.r_CM, [0.05, -0.005, 0.51], atol=1e-12)
    np.testing.assert_allclose(parts["bar"].mass.r_CM, [0.05, 0.01, 0.005], atol=1e-12)


PIN = cylinder((0, 0, -20), 5, 60)
PLATE = cut(box((-30, -30, 0), (30, 30, 20)), cylinder((0, 0, -10), 5, 60))


def test_lower_pairs(tmp_path: Path) -> None:
    collar = fuse(PIN, cylinder((0, 0, 20), 10, 5))
    rail = box((-100, -10, -10), (100, 10, 10))
    slider = cut(box((-20, -20, -20), (20, 20, 20)), box((-100, -10, -10), (100, 10, 10)))
    socket = cut(box((-30, -30, -30), (30, 30, 5)), ball((0, 0, 0), 20))
    pairs = {
        "cylindrical": (PLATE, PIN),
        "revolute": (PLATE, collar),
        "prismatic": (rail, slider),
        "spherical": (socket, ball((0, 0, 0), 20)),
        "planar": (PLATE, box((-10, 10, 20), (20, 25, 30))),
    }
    for kind, (a, b) in pairs.items():
        found = joints_of(tmp_path, a=a, b=b)
        assert [joint.kind for joint in found.values()] == [kind], kind
    joint = joints_of(tmp_path, a=rail, b=slider)["a_b"]
    np.testing.assert_allclose(np.abs(joint.direction), [1, 0, 0], atol=1e-9)
    assert "blocked" not in joint.evidence
    assert not joint.accepted


def test_cones_and_screwed_blocks(tmp_path: Path) -> None:
    seat = cut(box((-30, -30, 0), (30, 30, 30)), cone((0, 0, 0), 5, 20, 30))
    (joint,) = joints_of(tmp_path, seat=seat, plug=cone((0, 0, 0), 5, 20, 30)).values()
    assert joint.kind == "revolute"
    np.testing.assert_allclose(joint.direction, [0, 0, 1], atol=1e-9)
    corner = fuse(box((-10, 0, 0), (0, 50, 50)), box((0, -10, 0), (50, 0, 50)), box((-10, -10, -10), (50, 50, 0)))
    (joint,) = joints_of(tmp_path, corner=corner, block=box((0, 0, 0), (20, 20, 20))).values()
    assert joint.kind == "fixed"
    assert "one-sided" in joint.evidence


def test_clearance(tmp_path: Path) -> None:
    thin = cylinder((0, 0, -20), 4.95, 60)
    assert not joints_of(tmp_path, plate=PLATE, pin=thin)
    (joint,) = joints_of(tmp_path, clearance=1e-4, plate=PLATE, pin=thin).values()
    assert joint.kind == "cylindrical"
    assert "0.05 mm clearance" in joint.evidence


def test_parts_that_pass_each_other_do_not_touch(tmp_path: Path) -> None:
    """Coplanar faces with opposite normals, side by side."""
    assert not joints_of(tmp_path, a=box((0, 0, 0), (10, 10, 10)), b=box((20, 0, 10), (30, 10, 20)))
    assert not joints_of(tmp_path, a=box((0, 0, 0), (10, 10, 10)), b=box((10, 0, 10), (30, 10, 20)))  # an edge


def test_what_is_in_the_way_is_said(tmp_path: Path) -> None:
    """A shaft with a key of a free form: the round faces alone would let it turn."""
    keyed = fuse(PIN, cylinder((5, 0, 0), 2, 20))
    hub = cut(PLATE, cylinder((5, 0, -1), 2.0, 30), cylinder((5, 0, -1), 2.001, 30))
    (joint,) = joints_of(tmp_path, hub=hub, shaft=keyed).values()
    assert "blocked: cannot turn" in joint.evidence


@pytest.fixture(scope="module")
def hinge_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pin between lugs, for all: the kernel, which takes a second to start, is asked once and then the cache."""
    lever = cut(box((-8, -8, 25), (60, 8, 40)), cylinder((0, 0, 0), 5, 60))
    path = tmp_path_factory.mktemp("hinge") / "hinge.step"
    return write(path, {"bracket": PLATE, "pin": PIN, "lever": lever})


def test_a_pin_between_lugs_has_idle_freedoms(hinge_file: Path) -> None:
    hinge = tg.read_step(hinge_file, density=7850, ground="bracket")
    assert any("'pin' can move without moving anything else (cylindrical" in note for note in hinge.notes)
    hinge.glue("pin", "bracket").accept()
    assert not any("can move" in note for note in hinge.notes)
    assert [joint.kind for joint in hinge.checked().joints] == ["cylindrical"]


def seeker_script() -> Any:
    """examples/seeker.py, which draws the nine bodies of the thesis' Table 1."""
    spec = importlib.util.spec_from_file_location("seeker", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


@pytest.fixture(scope="module")
def seeker_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The nine bodies as a file, the same for all."""
    return write(tmp_path_factory.mktemp("seeker") / "seeker.step", seeker_script().draw())


def test_the_seeker_from_step_to_three_lumps_and_two_joints(seeker_file: Path) -> None:
    script = seeker_script()
    path = seeker_file
    seeker = tg.read_step(path, density=script.DENSITY, ground="housing")
    kinds = [joint.kind for joint in seeker.found.joints]
    assert (kinds.count("revolute"), kinds.count("planar"), kinds.count("fixed")) == (4, 6, 1)
    with pytest.raises(tg.NetlistError, match="E516: these joints were inferred from geometry and are not accepted"):
        seeker.checked()
    reduced = script.decide(seeker).checked()
    assert {frozenset(lump.members) for lump in reduced.lumps} == {
        frozenset({"world", "housing", "pitch_connector_a", "pitch_connector_b"}),
        frozenset({"gimbal_ring", "yaw_connector_a", "yaw_connector_b"}),
        frozenset({"camera", "shaft_a", "shaft_b"}),
    }
    assert [(joint.name, joint.kind) for joint in reduced.joints] == [("pitch", "revolute"), ("yaw", "revolute")]
    np.testing.assert_allclose(np.abs(reduced.joints[0].direction), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(np.abs(reduced.joints[1].direction), [0, 0, 1], atol=1e-12)
    assert reduced.lump_of("camera").name == "camera"


def test_a_changed_file_is_read_again_and_compared(seeker_file: Path, tmp_path: Path) -> None:
    script = seeker_script()
    parts = script.draw()
    path = tmp_path / "seeker.step"
    path.write_bytes(seeker_file.read_bytes())
    seeker = script.decide(tg.read_step(path, density=script.DENSITY, ground="housing"))
    assert not difference("seeker", tg.Assembly.load(script.SAVED).found, seeker.found), "save data/seeker.json again"
    seeker.save(tmp_path / "seeker.json")
    assert not seeker.changed_files
    assert not seeker.refresh()
    parts["camera"] = fuse(parts["camera"], box((25, -5, -5), (35, 5, 5)))
    write(path, parts)
    assert seeker.changed_files == [str(path)]
    found = seeker.refresh()
    assert {change.of for change in found.changes} == {"camera"}
    assert any("mass 0.2742" in change.what for change in found.changes)
    assert len(seeker.lumps) == 3
    before = tg.Assembly.load(tmp_path / "seeker.json")
    assert len(before.lumps) == 3
    assert before.parts[2].mass.m < seeker.parts[2].mass.m
    assert {change.of for change in before.refresh().changes} == {"camera"}
    del parts["shaft_a"]
    write(path, parts)
    with pytest.raises(tg.NetlistError, match="E519: a decision about 'seeker' no longer fits its file"):
        seeker.refresh()
    assert len(seeker.parts) == 9


def test_a_file_that_was_read_once_needs_no_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLEGEN_CACHE", str(tmp_path / "cache"))
    path = write(tmp_path / "pin.step", {"plate": PLATE, "pin": PIN})
    first = tg.read_step(path, density=1000)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    second = tg.read_step(path, density=2000)
    assert second.parts[0].mass.m == pytest.approx(2 * first.parts[0].mass.m)
    assert [joint.kind for joint in second.found.joints] == ["cylindrical"]
    os.utime(path)
    path.write_bytes(path.read_bytes() + b"\n")
    with pytest.raises(tg.NetlistError, match="E517: STEP files are read by Open CASCADE"):
        tg.read_step(path, density=1000)


def test_mistakes(hinge_file: Path, tmp_path: Path) -> None:
    with pytest.raises(tg.NetlistError, match="E518: no density is given for 'pin'"):
        tg.read_step(hinge_file, density={"bracket": 1000, "lever": 1000})
    with pytest.raises(tg.NetlistError, match="E516: ground: there is no part 'brackt'; perhaps you meant 'bracket'"):
        tg.read_step(hinge_file, density=1000, ground="brackt")
    (tmp_path / "text.step").write_text("nothing")
    with pytest.raises(tg.NetlistError, match=r"E510: .* is not a STEP file"):
        tg.read_step(tmp_path / "text.step", density=1000)


def test_damaged_files_end_no_session(tmp_path: Path) -> None:
    """The kernel crashes on some of them, in its own process."""
    path = write(tmp_path / "pin.step", {"plate": PLATE, "pin": PIN})
    lines = path.read_bytes().splitlines()
    rng = np.random.default_rng(7)
    for _ in range(2):
        damaged = list(lines)
        for _ in range(20):
            a, b = rng.integers(0, len(lines), 2)
            damaged[a] = damaged[b]
        path.write_bytes(b"\n".join(damaged))
        with suppress(tg.NetlistError, tg.DataError):
            tg.read_step(path, density=1000)
