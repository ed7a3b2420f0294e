"""The studio in a real browser: a drive, a house and a mechanism from an empty page, with the mistakes people make."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import tellegen as tg
from studio.browser_story import Person, build_page, person_at
from studio.large_sheets import plate, plate_layout
from tellegen.studio.server import static_files


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="module")
def person(folder: Path) -> Iterator[Person]:
    """One browser for all stories: it takes seconds to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(static_files, "STATIC", static_files.STATIC)  # set back afterwards
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        build_page(folder / "page")
        models = folder / "models"
        models.mkdir()
        with person_at(models, folder / "page") as somebody:
            yield somebody


def test_a_dc_drive_from_an_empty_page(person: Person, folder: Path) -> None:
    browser = person.browser
    person.new("Drive")
    compose(person)
    refused(person)
    floating(person)
    curves_follow_a_slider(person)
    assert person.actions < 40, person.actions
    person.click("#save")
    browser.wait_for("!studio.store.document.dirty")
    assert (folder / "models" / "drive.py").read_text() == EXPECTED
    assert len((folder / "models" / "drive.layout.json").read_text().splitlines()) == 6
    understand_and_share(person)
    own = f"http://127.0.0.1:{person.address.port}/", f"ws://127.0.0.1:{person.address.port}/"
    foreign = [said for said in browser.complaints if not any(f"a request to {start}" in said for start in own)]
    assert foreign == [], "no errors in the console, and no request leaves the machine"


EXPECTED = '''"""A model, composed in the studio."""

import tellegen as tg
from tellegen.library import electrical as el
from tellegen.library import rotational as rot


class Drive(tg.Component):
    step_voltage = el.StepVoltage()
    resistor = el.Resistor(R="2.4 ohm")
    emf = el.EMF()
    inertia = rot.Inertia()
    ground = el.Ground()

    def connections(self):
        yield self.step_voltage.p, self.resistor.p
        yield self.resistor.n, self.emf.p
        yield self.step_voltage.n, self.emf.n, self.ground.p
        yield self.emf.flange, self.inertia.flange_a
'''


def compose(person: Person) -> None:
    person.add("step voltage", "electrical.StepVoltage", 150, 220)
    person.key("r")
    person.browser.wait_for("studio.store.document.diagram.parts[0].place.turned == 'r90'")
    person.add("resistor", "electrical.Resistor", 290, 150)
    person.add("emf", "electrical.EMF", 430, 220)
    person.add("inertia", "rotational.Inertia", 580, 220)
    for ends in (
        ("step_voltage.p", "resistor.p"),
        ("resistor.n", "emf.p"),
        ("step_voltage.n", "emf.n"),
        ("emf.flange", "inertia.flange_a"),
    ):
        person.wire_and_wait(*ends)


def refused(person: Person) -> None:
    """A wire between domains is not drawn, and the page says why."""
    before = person.browser.value("studio.store.document.revision")
    person.wire("inertia.flange_b", "resistor.p")
    person.browser.wait_for("document.querySelector('.toast')?.textContent.includes('different domains')")
    assert person.browser.value("studio.store.document.revision") == before
    person.look("refused")


def floating(person: Person) -> None:
    """No ground: the message is on the parts and the port, and its button fixes it."""
    person.checked()
    (message,) = person.browser.value("studio.store.check.checked.diagnostics")
    assert message["code"] == "E210"
    assert {"step_voltage", "resistor", "emf"} <= set(message["about"])
    assert any("." in path for path in message["about"]), "a port that floats"
    person.look("floating")
    person.click(".fix")
    person.browser.wait_for("studio.store.document.diagram.parts.length == 5")
    person.browser.wait_for("studio.store.check.checked.ok")
    person.browser.wait_for("document.querySelector('.message') === null")


def curves_follow_a_slider(person: Person) -> None:
    browser = person.browser
    browser.click(*person.where("resistor"))
    person.click('[data-parameter="resistor.R"]')
    person.type("2.4 ohm", enter=True)
    browser.wait_for("studio.store.document.text.includes('2.4 ohm')")
    person.checked()
    person.click("#run")
    person.ran()
    browser.click(*person.where("inertia"))
    person.actions += 2
    assert browser.value("studio.store.shown.includes('inertia.w')"), "states are shown first"
    person.click('[data-slider="inertia.J"]')
    first = person.curve("inertia.w")
    person.slide("inertia.J", (0.4, 0.6, 0.8))
    person.ran()
    after = person.curve("inertia.w")
    low, high, value = browser.value("(s => [s.low, s.high, s.value])(studio.store.sliders[0])")
    moved = (value - low) / (high - low)
    assert 0.78 < moved < 0.83, "the mouse takes it to 0.8, the key one step of 200 further"
    same = simulated(person, 2.0, {"inertia.J": value})["inertia.w"]
    np.testing.assert_allclose(after, same, rtol=1e-9)
    assert np.abs(after - first).max() > 0.1 * np.abs(first).max(), "the curve follows"
    person.look("slider")
    picture = browser.picture()
    blue = (np.abs(picture.astype(int) - (59, 130, 246)).sum(axis=2) < 30).sum()
    assert blue > 300, "a curve is drawn"


def understand_and_share(person: Person) -> None:
    """States and graph on the sheet, bars beside parameters, X-Y, the files that can be taken away."""
    browser = person.browser
    person.click("#bars")
    person.press(person.empty_place())
    browser.wait_for("document.querySelectorAll('.sensitivity').length >= 3")
    browser.click(*person.where("resistor"))
    browser.wait_for("""document.querySelector('[data-bar="resistor.R"]') !== null""")
    person.look("bars")
    person.click('[data-view="understand"]')
    browser.wait_for("document.getElementById('explained')?.textContent.includes('order of evaluation')")
    person.look("states")
    person.click('[data-page="graph"]')
    browser.wait_for("document.getElementById('explained')?.textContent.includes('NormalTree')")
    person.look("graph")
    person.click('[data-view="xy"]')
    browser.wait_for("studio.store.run.curves.has(studio.store.across)")
    person.look("xy")
    texts = browser.value("({csv: studio.csv(), sheet: studio.sheetSvg(), plot: studio.plotSvg()})")
    times = np.loadtxt(texts["csv"].splitlines(), delimiter=",", skiprows=1)
    np.testing.assert_allclose(times[:, 1], person.curve("inertia.w"), rtol=1e-12)
    assert texts["csv"].startswith("time [s],inertia.w [rad/s]")
    assert texts["sheet"].count("<polyline") >= 5
    assert "2.4 ohm" in texts["sheet"]
    assert texts["plot"].count("<polyline") == browser.value("studio.store.shown.length") - 1, "one is the axis"
    for text in (texts["sheet"], texts["plot"]):
        ElementTree.fromstring(text)
    for kind, name in (("sheet-png", "drive_sheet.png"), ("plot-png", "drive_plot.png"), ("script", "drive_script.py")):
        assert offered(person, kind) == name
    person.click('[data-view="curves"]')
    compared(person)


def offered(person: Person, kind: str) -> str:
    """The name of the file that the page offers when it is chosen from its menu; an empty file has none."""
    heard = "addEventListener('offered', ({detail}) => done(detail.size > 200 ? detail.name : ''), {once: true})"
    chosen = f"(s => {{ s.value = {kind!r}; s.dispatchEvent(new Event('change')); }})(document.getElementById('share'))"
    return person.browser.value(f"new Promise(done => {{ {heard}; {chosen} }})")


def compared(person: Person) -> None:
    """A run that is kept is exported with the present one, with curves asked for later; curves from a tree."""
    browser = person.browser
    before = person.curve("inertia.w")
    person.click("#keep")
    browser.wait_for("studio.store.kept.length === 1")
    person.slide("inertia.J", (0.3,))
    person.ran()
    person.click('[data-tab="curves"]')
    person.click('[data-branch="resistor"]')
    person.click('[data-leaf="resistor.v"]')
    assert len(person.curve("resistor.v")) > 1
    texts = browser.value("({csv: studio.csv(), plot: studio.plotSvg()})")
    head, *rows = csv.reader(texts["csv"].splitlines())
    (number,) = (k for k, name in enumerate(head) if name.startswith("inertia.w [rad/s] (run 1: inertia.J"))
    np.testing.assert_allclose([float(row[number]) for row in rows if row[number]], before, rtol=1e-12)
    assert sum(name.startswith("resistor.v [V]") for name in head) == 2, "of both runs"
    assert texts["plot"].count("stroke-dasharray") == browser.value("studio.store.shown.length")
    person.look("compared")
    person.click('[data-leaf="resistor.v"]')
    person.click('[data-kept="1"]')
    person.click('[data-tab="library"]')


def test_a_thermostat_house(person: Person, folder: Path) -> None:
    browser = person.browser
    person.new("House")
    for words, cls, x, y in (
        ("fixed temperature", "thermal.FixedTemperature", 90, 120),
        ("thermal conductor", "thermal.ThermalConductor", 220, 120),
        ("heat capacitor", "thermal.HeatCapacitor", 380, 120),
        ("prescribed heat flow", "thermal.PrescribedHeatFlow", 380, 250),
        ("temperature sensor", "thermal.TemperatureSensor", 520, 120),
        ("constant", "blocks.Constant", 90, 330),
        ("on off", "blocks.OnOffController", 220, 330),
        ("triggered trapezoid", "blocks.TriggeredTrapezoid", 340, 330),
    ):
        person.add(words, cls, x, y)
    for ends in (
        ("fixed_temperature.port", "thermal_conductor.port_a"),
        ("thermal_conductor.port_b", "heat_capacitor.port"),
        ("prescribed_heat_flow.port", "heat_capacitor.port"),
        ("temperature_sensor.port", "heat_capacitor.port"),
        ("constant.y", "on_off_controller.reference"),
        ("on_off_controller.y", "triggered_trapezoid.u"),
    ):
        person.wire_and_wait(*ends)
    not_connected(person)
    person.wire_and_wait("temperature_sensor.T", "on_off_controller.u")
    person.wire_and_wait("triggered_trapezoid.y", "prescribed_heat_flow.Q_flow")
    for part, parameter, value in (
        ("fixed_temperature", "T", "0 degC"),
        ("thermal_conductor", "G", "150"),
        ("heat_capacitor", "C", "2e6"),
        ("constant", "k", "293.15"),
        ("on_off_controller", "bandwidth", "2"),
        ("triggered_trapezoid", "amplitude", "6e3"),
    ):
        person.set(part, f'[data-parameter="{part}.{parameter}"]', value)
    person.set("heat_capacitor", '[data-start="heat_capacitor.T"]', "22 degC")
    copies_group_and_note(person)
    person.stop("43200")
    person.checked()
    browser.wait_for("studio.store.check.checked.ok")
    person.click("#run")
    person.ran()
    events = browser.value("studio.store.run.events.length")
    assert events > 10, "the heating switches"
    temperature = person.curve("heat_capacitor.T")
    assert temperature[0] == pytest.approx(295.15)
    late = temperature[len(temperature) // 2 :]
    assert 291.9 < late.min() < 292.4
    assert 293.9 < late.max() < 294.4
    same = simulated(person, 43200.0, {})["heat_capacitor.T"]
    np.testing.assert_allclose(temperature, same, rtol=1e-9)
    slider_and_optimum(person)
    person.look("house")
    person.click("#save")
    browser.wait_for("!studio.store.document.dirty")
    text = (folder / "models" / "house.py").read_text()
    assert 'heat_capacitor = th.HeatCapacitor(C=2e6, T=tg.variable(start="22 degC", fixed=True))' in text
    assert "class Thermostat(tg.Component):" in text
    into_a_component_and_into_another_file(person)


def into_a_component_and_into_another_file(person: Person) -> None:
    """The names at the top lead back; a part whose class stands in this file is pasted into another one."""
    browser = person.browser
    person.press(person.where("thermostat"))
    browser.wait_for("studio.store.selected.has('thermostat')")
    person.key("o")
    browser.wait_for("studio.store.document.cls === 'Thermostat'")
    assert browser.value("studio.store.document.diagram.parts.some(part => part.name === 'on_off_controller')")
    person.click('[data-crumb="House"]')
    browser.wait_for("studio.store.document.cls === 'House' && document.querySelector('[data-crumb]') === null")
    person.press(person.where("thermostat"))
    browser.wait_for("studio.store.selected.has('thermostat')")
    person.key("c", modifiers=2)
    person.new("Cottage")
    browser.value("document.getElementById('sheet').focus()")
    person.key("v", modifiers=2)
    browser.wait_for("studio.store.document.text.includes('    thermostat = Thermostat()')")
    assert "from house import Thermostat\n" in browser.value("studio.store.document.text")


def not_connected(person: Person) -> None:
    """Inputs without a source: the message is on them, as in Python."""
    person.checked()
    (message,) = person.browser.value("studio.store.check.checked.diagnostics")
    assert "not connected" in message["message"]
    assert message["about"], message
    person.look("house-message")


def copies_group_and_note(person: Person) -> None:
    """A second wall by copy and paste, connected; three blocks become a component; a note, a layer."""
    browser = person.browser
    browser.click(*person.where("thermal_conductor"))
    browser.wait_for("studio.store.selected.has('thermal_conductor')")
    person.key("c", modifiers=2)
    person.key("v", modifiers=2)
    browser.wait_for("studio.store.document.text.includes('thermal_conductor2 = th.ThermalConductor(G=150)')")
    person.wire_and_wait("thermal_conductor2.port_a", "thermal_conductor.port_a")
    person.wire_and_wait("thermal_conductor2.port_b", "thermal_conductor.port_b")
    person.set("thermal_conductor2", '[data-parameter="thermal_conductor2.G"]', "30")
    for k, name in enumerate(("constant", "on_off_controller", "triggered_trapezoid")):
        person.press(person.where(name), shift=k > 0)
    person.click('[data-align="row"]')
    person.click("#group-name")
    person.type("Thermostat", enter=True)
    browser.wait_for("studio.store.document.classes.includes('Thermostat')")
    person.checked()
    person.click("#note-new")
    person.click("#note")
    browser.value("(() => { const area = document.getElementById('note'); area.focus(); area.select(); })()")
    browser.wait_for("document.activeElement.id === 'note'")
    person.type("A thermostat with a bandwidth of 2 K")
    browser.value("document.getElementById('note').blur()")
    browser.wait_for("studio.store.document.diagram.notes[0]?.place.note.startsWith('A thermostat')")
    person.choose("#layer", "thermal")
    person.look("layer")
    person.choose("#layer", "")


def slider_and_optimum(person: Person) -> None:
    """The conductance for which the room ends warmest, from the form; the result is written into the model."""
    browser = person.browser
    browser.click(*person.where("thermal_conductor"))
    person.click('[data-slider="thermal_conductor.G"]')
    before = person.curve("heat_capacitor.T")
    person.slide("thermal_conductor.G", (0.5, 0.9))
    person.ran()
    assert len(person.curve("heat_capacitor.T")) != len(before), "it switches at other times"
    person.click('[data-view="design"]')
    person.choose('[data-design="number"]', "mean")
    person.choose('[data-design="curve"]', "prescribed_heat_flow.Q_flow")
    person.click("#study")
    browser.wait_for("studio.store.table?.rows.length == 11")
    person.look("study")


def test_a_mechanism(person: Person) -> None:
    browser = person.browser
    person.new("Swing")
    person.add("revolute", "multibody.Revolute", 220, 200)
    person.add("body cylinder", "multibody.BodyCylinder", 360, 200)
    person.wire_and_wait("revolute.frame_b", "body_cylinder.frame_a")
    person.checked()
    (message,) = browser.value("studio.store.check.checked.diagnostics")
    assert message["code"] == "E217", "no World"
    person.add("world", "multibody.World", 90, 200)
    person.add("inertia", "rotational.Inertia", 360, 90)
    before = browser.value("studio.store.document.revision")
    person.wire("world.frame_b", "inertia.flange_a")
    browser.wait_for("document.querySelector('.toast')?.textContent.includes('different domains')")
    assert browser.value("studio.store.document.revision") == before
    browser.click(*person.where("inertia"))
    person.key("Delete")
    browser.wait_for("studio.store.document.diagram.parts.length == 3")
    person.wire_and_wait("world.frame_b", "revolute.frame_a")
    person.set("body_cylinder", '[data-parameter="body_cylinder.r"]', "[0.6, 0, 0]")
    person.set("body_cylinder", '[data-parameter="body_cylinder.diameter"]', "5 cm")
    person.checked()
    browser.wait_for("studio.store.check.checked.ok")
    person.click("#run")
    person.ran()
    angle = person.curve("revolute.phi")
    same = simulated(person, 2.0, {})["revolute.phi"]
    np.testing.assert_allclose(angle, same, rtol=1e-9, atol=1e-12)
    assert angle.min() < -3.0, "it swings from one side to the other"
    person.click("#scene-button")
    browser.wait_for("studio.store.scene && document.getElementById('scene').dataset.shown === studio.store.scene")
    browser.wait_for("document.getElementById('scene').getBoundingClientRect().width > 300")
    person.look("mechanism")
    person.click("#scene-button")


def test_a_rod_as_an_array(person: Person, folder: Path) -> None:
    """Copies, the button that connects each to the next, a condition, and the array as an image over time."""
    browser = person.browser
    person.new("Rod")
    person.add("thermal conductor", "thermal.ThermalConductor", 300, 120)
    person.set_in_details("thermal_conductor", "SetCount", "5")
    person.click("#chain")
    browser.wait_for("studio.store.document.text.includes('[:-1]')")
    person.add("heat capacitor", "thermal.HeatCapacitor", 300, 260)
    person.set_in_details("heat_capacitor", "SetCount", "5")
    person.wire_and_wait("thermal_conductor.port_a", "heat_capacitor.port")
    person.set("heat_capacitor", '[data-start="heat_capacitor.T"]', "[400, 300, 300, 300, 300]")
    person.set("heat_capacitor", '[data-parameter="heat_capacitor.C"]', "0.1")
    person.add("fixed temperature", "thermal.FixedTemperature", 120, 120)
    person.set_in_details("fixed_temperature", "SetCondition", "False")
    assert browser.value("studio.store.document.text").endswith(ROD)
    person.checked()
    person.click("#run")
    person.ran()
    assert not any(name.startswith("fixed_temperature") for name in browser.value("studio.store.names"))
    person.click('[data-view="field"]')
    person.choose("#field", "heat_capacitor[*].T")
    same = simulated(person, 2.0, {})
    for k in (0, 4):
        ours = person.curve(f"heat_capacitor[{k}].T")
        np.testing.assert_allclose(ours, same[f"heat_capacitor[{k}].T"], rtol=1e-9)
    browser.wait_for("studio.store.view === 'field'")
    person.look("field")
    picture = browser.picture()
    assert len(np.unique(picture[640:, 300:1100].reshape(-1, 3), axis=0)) > 40, "shades from 300 K to 400 K"
    opened_while_it_runs(person, folder)


def opened_while_it_runs(person: Person, folder: Path) -> None:
    """The run of one model ends when another one is shown: its curves do not appear there."""
    browser = person.browser
    (folder / "models" / "fall.py").write_text(FALL)
    browser.value("document.getElementById('run').click(); void studio.open('fall.py')")
    browser.wait_for("studio.store.document.path === 'fall.py' && !studio.store.running")
    assert browser.value("[studio.store.run, studio.store.names.length, studio.store.outcome]") == [None, 0, ""]
    browser.wait_for("document.getElementById('own-text')?.textContent.includes('yield tg.der(self.h)')")


FALL = """import tellegen as tg


class Fall(tg.Component):
    h = tg.variable("m", start=1.0, fixed=True)

    def equations(self):
        yield tg.der(self.h) == -1.0
"""


ROD = """class Rod(tg.Component):
    thermal_conductor = th.ThermalConductor.array(5)
    heat_capacitor = th.HeatCapacitor.array(5, T=tg.variable(start=[400, 300, 300, 300, 300], fixed=True), C=0.1)
    fixed_temperature = th.FixedTemperature().only_if(False)

    def connections(self):
        yield self.thermal_conductor[:-1].port_b, self.thermal_conductor[1:].port_a
        yield self.thermal_conductor.port_a, self.heat_capacitor.port
"""


def test_many_parts_are_drawn_where_they_are_seen_and_sent_when_they_change(person: Person, folder: Path) -> None:
    """Counts, which do not depend on how busy the machine is; times are those of benchmarks/studio_sheet.py."""
    browser = person.browser
    (folder / "models" / "plate.py").write_text(plate(8, 9))
    (folder / "models" / "plate.layout.json").write_text(plate_layout(8, 9))
    browser.value("studio.open('plate.py')")
    browser.wait_for("studio.store.document?.cls == 'Plate'")
    browser.wait_for("studio.store.library.has('plate.py#Plate')")  # the last that the server sends by itself
    browser.picture()  # all parts
    browser.value("studio.zoom(2)")
    assert person.parts() == 201
    before = counts(person)
    begin = person.empty_place()
    person.gesture(begin, [(begin[0] + 9 * k, begin[1] + 5 * k) for k in range(1, 21)])
    panned = spent(person, before)
    assert panned["frames"] > 10
    anew = panned["frames"] - panned["panned"]
    assert anew <= 2 + 2 * panned["messages"], "the first, the last; what the server sends is drawn, then panned again"
    assert panned["parts"] < 100 * anew, "no picture has all 201 parts"
    assert panned["routed"] == 0
    assert panned["panels"] <= 1 + panned["messages"]
    before = counts(person)
    where = person.where("c4_4")
    person.gesture(where, [(where[0] + 8 * k, where[1]) for k in range(1, 6)])
    browser.wait_for("studio.store.document.revision == 1 && studio.sheet.moved === null")
    moved = spent(person, before)
    assert 0 < moved["routed"] < 120, "lines at the part and near it, of 330"
    assert moved["messages"] == 3, "what changed, the answer, the description of its class"
    before = counts(person)
    browser.value("studio.edit({kind: 'AddPart', cls: 'thermal.HeatCapacitor', name: '', x: 0, y: 0, turned: ''})")
    browser.wait_for("studio.store.document.revision == 2")
    added = spent(person, before)
    assert added["messages"] == 2
    assert added["letters"] < 2500, "not the whole document"
    assert browser.value("studio.store.document.text").count("HeatCapacitor") == 73
    assert person.parts() == 202
    fingers_and_keys(person)


def fingers_and_keys(person: Person) -> None:
    """Two fingers zoom about their middle, one that rests opens the menu; keys choose, connect and make an array."""
    browser = person.browser
    browser.value("studio.zoom(1)")
    x, y = person.empty_place()
    person.touch("touchStart", (x - 20, y), (x + 20, y))
    person.touch("touchMove", (x - 50, y), (x + 50, y))
    person.touch("touchEnd")
    assert browser.value("studio.sheet.view.zoom") == pytest.approx(2.5)
    browser.value("studio.zoom(1)")
    person.touch("touchStart", person.where("c3_3"))
    browser.wait_for("document.querySelector('#menu [role=menuitem]') !== null")
    assert browser.value("[...studio.store.selected]") == ["c3_3"], "a finger selects"
    person.look("menu")
    person.touch("touchEnd")
    assert browser.value("document.querySelector('#menu [role=menuitem]') !== null"), "it stays when the finger leaves"
    person.key("Escape")
    browser.wait_for("document.querySelector('#menu [role=menuitem]') === null")
    assert browser.value("[...studio.store.selected]") == ["c3_3"]
    browser.value("document.getElementById('sheet').focus()")
    person.key("]")
    browser.wait_for("studio.store.selected.has('x3_3')")
    person.choose_from_list('[data-connect="x3_3.port_a"]', "heat_capacitor.port")
    browser.wait_for("studio.store.document.text.includes('self.heat_capacitor.port')")
    count = """document.querySelector('[data-set="SetCount"]')"""
    browser.value(f"({count}.value = '3', {count}.dispatchEvent(new Event('change')))")
    browser.wait_for("studio.store.document.revision > 3")
    assert "x3_3 = th.ThermalConductor.array(3, G=0.5)" in browser.value("studio.store.document.text")
    person.look("array")
    by_keys_alone(person)


def by_keys_alone(person: Person) -> None:
    """Tab goes through the library, Enter inserts a part of the catalogue; both once were taken from the page."""
    browser = person.browser
    browser.value("(s => (s.focus(), s.select()))(document.getElementById('search'))")
    person.type("1n4148")
    browser.wait_for("document.querySelector('[data-realized=\"1N4148\"]') !== null")
    for _ in range(20):
        person.key("Tab")
        if browser.value("document.activeElement.dataset.realized === '1N4148'"):
            break
    person.key("Enter")
    browser.wait_for("studio.store.selected.has('diode_1n4148')")
    assert "diode_1n4148 = interfaces.DynamicDiode(Is=2.52e-09" in browser.value("studio.store.document.text")


def test_an_optimum_is_applied_and_a_drag_goes_on_while_another_program_writes(person: Person, folder: Path) -> None:
    """A value is passed on to the parent, found by a search from the form, and written into the model."""
    browser = person.browser
    file = folder / "models" / "pushed.py"
    person.new("Pushed")
    person.add("constant force", "translational.ConstantForce", 150, 150)
    person.add("mass", "translational.Mass", 300, 150)
    person.wire_and_wait("constant_force.flange", "mass.flange_a")
    person.set("mass", '[data-parameter="mass.m"]', "2 kg")
    person.set("mass", '[data-start="mass.v"]', "0")
    person.set("mass", '[data-start="mass.s"]', "0")
    person.press(person.where("constant_force"))
    person.choose("#implementation", "translational.LinearSpeedDependentForce")
    browser.wait_for("studio.store.document.text.includes('tr.LinearSpeedDependentForce()')")
    person.click("#undo")
    browser.wait_for("studio.store.document.text.includes('tr.ConstantForce()')")
    person.press(person.where("constant_force"))
    person.click('[data-propagate="constant_force.f_constant"]')
    browser.wait_for("studio.store.document.diagram.parameters.length === 1")
    person.checked()
    person.stop("1")
    person.click("#run")
    person.ran()
    person.press(person.empty_place())
    person.click('[data-slider="f_constant"]')
    person.click('[data-view="design"]')
    person.choose('[data-design="number"]', "final")
    person.choose('[data-design="curve"]', "mass.v")
    person.choose('[data-design="limitNumber"]', "peak")
    person.choose('[data-design="limitCurve"]', "mass.s")
    most = """document.querySelector('[data-design="most"]')"""
    browser.value(f"({most}.value = '0.2', {most}.dispatchEvent(new Event('change')))")
    person.click("#maximize")
    browser.wait_for("studio.store.table !== null")
    found = browser.value("studio.store.table.values['f_constant']")
    assert found == pytest.approx(0.8, rel=1e-3), "s = f t^2/(2 m) is at most 0.2 m after a second"
    person.look("optimum")
    browser.wait_for("document.getElementById('table-title').getBoundingClientRect().bottom < innerHeight")
    person.click("#apply")
    browser.wait_for("studio.store.document.text.includes('f_constant = tg.parameter(0.')")
    person.click("#save")
    browser.wait_for("!studio.store.document.dirty")
    dragged_while_written(person, file)


def dragged_while_written(person: Person, file: Path) -> None:
    """Another program saves the file while a part is held: both changes are there."""
    browser = person.browser
    x, y = person.where("mass")
    before = browser.value("studio.store.document.diagram.parts.find(part => part.name === 'mass').place.x")
    person._mouse("mousePressed", x, y)
    person._mouse("mouseMoved", x + 40, y)
    file.write_text(file.read_text().replace("2 kg", "3 kg"))
    browser.wait_for("studio.store.document.text.includes('3 kg')")
    person._mouse("mouseMoved", x + 80, y)
    person._mouse("mouseReleased", x + 80, y)
    place = "studio.store.document.diagram.parts.find(part => part.name === 'mass').place.x"
    browser.wait_for(f"{place} > {before}")
    assert "3 kg" in browser.value("studio.store.document.text")
    person.click("#save")
    browser.wait_for("!studio.store.document.dirty")
    assert "3 kg" in file.read_text()
    assert str(browser.value(place)) in file.with_suffix(".layout.json").read_text()


def test_the_script_of_a_file(person: Person, folder: Path) -> None:
    """What it prints, its figure, and its runs, which are shown, kept and compared like those of the model."""
    browser = person.browser
    (folder / "models" / "twice.py").write_text(f"{FALL}{TWICE}")
    browser.value("studio.open('twice.py', 'Fall')")
    browser.wait_for("studio.store.document.path === 'twice.py'")
    if browser.value("document.getElementById('trust') !== null"):
        person.click("#trust")
    person.checked()
    person.click("#run")
    person.ran()
    person.click('[data-view="script"]')
    person.click("#script-run")
    browser.wait_for("studio.store.script.ended !== null")
    assert browser.value("document.getElementById('printed').textContent") == "0.4 m\n"
    browser.wait_for("document.querySelector('.figure')?.naturalWidth > 300")
    person.look("script")
    person.click('[data-made="0"]')
    browser.wait_for("studio.store.run.number === -1 && studio.store.view === 'curves'")
    assert person.curve("low.h")[-1] == pytest.approx(0.2), "a part of another class than the one on the sheet"
    person.click("#keep")
    browser.wait_for("studio.store.kept.length === 1")
    person.click('[data-view="script"]')
    person.click('[data-made="1"]')
    browser.wait_for("studio.store.run.number === -2")
    assert person.curve("low.h")[-1] == pytest.approx(0.4)
    assert browser.value("studio.csv()").startswith("time [s],low.h [m]")
    person.look("script-runs")
    person.click("#run")
    browser.wait_for("studio.store.run.number > 0")
    assert browser.value("[studio.store.names.includes('h'), studio.store.states]") == [True, ["h"]]


TWICE = """

class Two(tg.Component):
    low = Fall()
    high = Fall()


if __name__ == "__main__":
    for stop in (0.8, 0.6):
        run = tg.simulate(Two(), stop)
    print(f"{run['low.h'][-1]:.1f} m")
    run.plot("low.h").savefig("twice.png")
"""


def counts(person: Person) -> dict[str, int]:
    person.browser.picture()
    return person.browser.value("({...studio.counts})")


def spent(person: Person, before: dict[str, int]) -> dict[str, int]:
    return {name: value - before[name] for name, value in counts(person).items()}


def simulated(person: Person, stop: float, parameters: dict[str, float]) -> tg.Solution:
    """The same run by Python, of the text that the page shows."""
    space: dict[str, object] = {"__name__": "composed"}
    exec(person.browser.value("studio.store.document.text"), space)
    model = space[person.browser.value("studio.store.document.cls")]()  # type: ignore[operator]
    return tg.simulate(model, stop, points=500, parameters=parameters)
