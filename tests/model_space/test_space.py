"""The model space: tree, count, iteration, restriction, drawing, files, the command."""

from __future__ import annotations

import itertools
import random
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

import tellegen as tg
from motors import ComplexMotor, Drive, Motor, drive_system
from tellegen.cli.app import app
from tellegen.model_space.tree import Alternative, Slot, walk
from waiting import costs_at_most

TREE = """\
Drive: 3 models
└─ motor: Motor
   ├╴ideal (default)  [cost 1]
   └╴complex  [cost 3]
     └─ armature: Armature
        ├╴resistive (default)
        └╴inductive"""


class Fleet(tg.Component):
    """26 drives: 3**26 = 2.5e12 models."""

    def build(self):
        self.drives = [Drive() for _ in range(26)]


def test_the_tree_of_a_drive() -> None:
    space = tg.model_space(Drive())
    assert str(space) == TREE
    assert space.count == 3
    assert space.default == {"motor": "ideal"}
    assert list(space) == [
        {"motor": "ideal"},
        {"motor": "complex", "motor.armature": "resistive"},
        {"motor": "complex", "motor.armature": "inductive"},
    ]
    assert space[-1] == {"motor": "complex", "motor.armature": "inductive"}
    assert tg.model_space(drive_system()).count == 3
    for binding in space:
        assert tg.flatten(space.bind(binding)).bindings == binding


def test_what_is_bound_stays_open() -> None:
    space = tg.model_space(tg.bind(Drive(), {"motor": "complex"}))
    assert space.count == 3
    assert space.default == {"motor": "complex", "motor.armature": "resistive"}
    assert "complex (bound)" in str(space)


def test_a_large_space_is_counted_at_once() -> None:
    fleet = Fleet()
    drive = Drive()
    assert costs_at_most(300.0, lambda: tg.model_space(fleet).count, lambda: tg.model_space(drive).count)
    space = tg.model_space(fleet)
    assert space.count == 3**26
    assert repr(space) == "<ModelSpace of Fleet: 2.54e+12 models>"
    first = list(itertools.islice(space, 4))
    assert first == [space[k] for k in range(4)]
    assert len({str(binding) for binding in space.sample(50, seed=1)}) == 50
    assert space[-1]["drives[25].motor.armature"] == "inductive"
    assert str(space).endswith("...")


def random_slots(rng: random.Random, depth: int) -> tuple[Slot, ...]:
    """A random tree."""

    def alternative(name: str) -> Alternative:
        parts = random_slots(rng, depth - 1) if depth and rng.random() < 0.4 else ()
        return Alternative(name, parts, {"cost": rng.randrange(4)} if rng.random() < 0.7 else {})

    names = [f"m{k}" for k in range(rng.randint(1, 3))]
    numbers = [rng.randrange(10**9) for _ in range(rng.randint(1, 2))]  # paths that occur once
    return tuple(Slot(f"s{k}", "I", tuple(map(alternative, names)), "m0") for k in numbers)


def enumerated(slots: tuple[Slot, ...], above: str = "") -> list[dict[str, Any]]:
    """All induced trees by brute force: the oracle."""
    out: list[dict[str, Any]] = [{}]
    for slot in slots:
        path = f"{above}{slot.path}"
        mine = [{path: one.name, **x} for one in slot.alternatives for x in enumerated(one.parts, f"{path}.")]
        out = [{**a, **b} for a in out for b in mine]
    return out


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_against_brute_force(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    space = tg.ModelSpace("random", random_slots(rng, 3))
    every = enumerated(space.slots)
    assert space.count == len(every)
    if len(every) > 3000:
        return
    assert list(space) == every
    space.save(tmp_path / "space.json")
    again = tg.model_space(tmp_path / "space.json")
    assert list(again) == every
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "space.json").read_bytes()
    costs = {(path, one.name): one.tags.get("cost", 0) for path, _, one in walk(space.slots)}
    cheap = [one for one in every if all(costs[item] <= 2 for item in one.items())]
    if cheap:
        assert list(space.restrict(tags="cost <= 2")) == cheap
    else:
        with pytest.raises(tg.BindingError, match="E807: no candidate is left"):
            space.restrict(tags="cost <= 2")
    ET.fromstring(space.svg())


def test_restrictions() -> None:
    space = tg.model_space(Drive())
    assert list(space.restrict({"motor": "ideal"})) == [{"motor": "ideal"}]
    assert space.restrict({"*.armature": ["inductive"]}).count == 2
    assert space.restrict(tags="cost < 2").count == 1
    assert space.restrict(keep=lambda one: one.name != "resistive").count == 2
    assert space.restrict(domains=["electrical", "rotational"]).count == 3
    with pytest.raises(tg.BindingError, match="E807: no candidate is left for 'motor'"):
        space.restrict(domains=["thermal"])
    with pytest.raises(tg.BindingError, match="E804: 'motor' has no candidate 'idael'; perhaps you meant 'ideal'"):
        space.restrict({"motor": "idael"})
    with pytest.raises(tg.BindingError, match="E803: 'moter' fits no interface"):
        space.restrict({"moter": "ideal"})
    with pytest.raises(tg.BindingError, match="E807: 'cheap' is not a condition"):
        space.restrict(tags="cheap")


def test_phenomena_and_limits() -> None:
    class Spring(tg.Interface):
        c = tg.parameter(5.0, "N/m", semantics="stiffness")

    class Stiff(tg.Component, implements=Spring, name="stiff", default=True):
        c = tg.parameter(5.0, "N/m", min=100.0)

    class Soft(tg.Component, implements=Spring, name="soft", tags={"phenomena": ["vibration"]}):
        c = tg.parameter(5.0, "N/m", max=100.0)

    class Frame(tg.Component):
        left = Spring(c=20.0)
        right = Spring(c=200.0)

    space = tg.model_space(Frame())
    assert list(space.restrict(within_limits=True)) == [{"left": "soft", "right": "stiff"}]
    assert list(space.restrict(phenomena=["vibration"])) == [{"left": "soft", "right": "soft"}]
    with pytest.raises(tg.BindingError, match="no implementation has the phenomenon 'vibrations'; perhaps"):
        space.restrict(phenomena=["vibrations"])


def test_catalogue_parts_as_candidates() -> None:
    parts = [
        SimpleNamespace(name=f"M{k}", interface=Motor, implementation="ideal", parameters={"R": float(k)})
        for k in (1, 2)
    ]
    space = tg.model_space(Drive(), {"motor": ["complex", *parts]})
    assert space.count == 4
    assert space[2] == {"motor": parts[0]}
    assert tg.flatten(space.bind(2)).parts["motor"].name == "M1"
    with pytest.raises(tg.BindingError, match="E803: candidates are given for 'moter'"):
        tg.model_space(Drive(), {"moter": ["ideal"]})


def test_a_space_without_end() -> None:
    class Filter(tg.Interface):
        u = tg.input("1")
        y = tg.output("1")

    class Cascade(tg.Component, implements=Filter, default=True):
        first = Filter()

    class Chain(tg.Component):
        filter = Filter()

    with pytest.raises(tg.BindingError, match="E807: Cascade contains the interface that it implements"):
        tg.model_space(Chain())


@pytest.mark.parametrize("text", ["{}", "[1]", "nonsense", '{"format": "other"}'])
def test_files_that_are_no_spaces(text: str, tmp_path: Path) -> None:
    file = tmp_path / "space.json"
    file.write_text(text)
    with pytest.raises(tg.BindingError, match="E808"):
        tg.model_space(file)
    with pytest.raises(tg.BindingError, match="E808"):
        tg.model_space(tmp_path / "missing.json")


def test_a_loaded_space_names_bindings(tmp_path: Path) -> None:
    tg.model_space(Drive()).save(tmp_path / "space.json")
    loaded = tg.model_space(tmp_path / "space.json")
    assert type(tg.bind(Drive(), loaded[1]).motor) is ComplexMotor
    with pytest.raises(tg.BindingError, match="E808: a model space that was loaded knows no system"):
        loaded.bind(1)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    motors = Path(__file__).parent.parent / "motors.py"
    svg, json = tmp_path / "tree.svg", tmp_path / "tree.json"
    result = CliRunner().invoke(app, ["space", f"{motors}:Drive", "--svg", str(svg), "--json", str(json)])
    assert result.exit_code == 0
    assert result.output.rstrip() == TREE
    labels = [node.text for node in ET.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert set(labels) == {"Drive", "motor: Motor", "ideal", "complex", "armature: Armature", "resistive", "inductive"}
    assert tg.model_space(json).count == 3


def test_the_number_of_models_as_python_counts() -> None:
    assert len(tg.model_space(Drive())) == 3
    with pytest.raises(tg.BindingError, match=r"E808: len\(\) of Python cannot count"):
        len(tg.model_space(Convoy()))


class Convoy(tg.Component):
    """3**52 models, more than len() can be."""

    def build(self):
        self.fleets = [Fleet() for _ in range(2)]


@pytest.mark.parametrize("given", [[], "ideal"])
def test_candidates_are_a_list_that_is_not_empty(given: Any) -> None:
    with pytest.raises(tg.BindingError, match="E807: the candidates of 'motor' are"):
        tg.model_space(Drive(), candidates={"motor": given})


def test_a_tag_that_nobody_states() -> None:
    with pytest.raises(tg.BindingError, match=r"E807: no implementation states the tag 'kost'; perhaps.* 'cost'"):
        tg.model_space(Drive()).restrict(tags="kost <= 1")
