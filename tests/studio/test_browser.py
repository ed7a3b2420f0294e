"""The studio in a real browser: a drive from an empty page, with the mistakes that people make."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tellegen as tg
from studio.browser_story import Person, build_page, person_at
from tellegen.studio.server import static_files


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    monkeypatch.setattr(static_files, "STATIC", static_files.STATIC)  # set back afterwards
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    build_page(tmp_path / "page")
    models = tmp_path / "models"
    models.mkdir()
    with person_at(models, tmp_path / "page") as somebody:
        yield somebody


def test_a_dc_drive_from_an_empty_page(person: Person, tmp_path: Path) -> None:
    browser = person.browser
    person.click("#new")
    browser.wait_for("document.activeElement.id == 'new-name'")
    person.type("Drive", enter=True)
    browser.wait_for("studio.store.document?.cls == 'Drive'")
    compose(person)
    refused(person)
    floating(person)
    curves_follow_a_slider(person)
    assert person.actions < 40, person.actions
    person.click("#save")
    browser.wait_for("!studio.store.document.dirty")
    assert (tmp_path / "models" / "drive.py").read_text() == EXPECTED
    assert len((tmp_path / "models" / "drive.layout.json").read_text().splitlines()) == 6
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
    browser.wait_for("""document.querySelector('[data-slides="inertia.J"]') !== null""")
    person.slide("inertia.J", (0.4, 0.6, 0.8))
    person.ran()
    after = person.curve("inertia.w")
    space: dict[str, object] = {"__name__": "drive"}
    exec(browser.value("studio.store.document.text"), space)
    low, high, value = browser.value("(s => [s.low, s.high, s.value])(studio.store.sliders[0])")
    moved = (value - low) / (high - low)
    assert 0.78 < moved < 0.83, "the mouse takes it to 0.8, the key one step of 200 further"
    same = tg.simulate(space["Drive"](), 2.0, points=501, parameters={"inertia.J": value})["inertia.w"]  # type: ignore[operator]
    np.testing.assert_allclose(after, same, rtol=1e-9)
    assert np.abs(after - first).max() > 0.1 * np.abs(first).max(), "the curve follows"
    picture = person.look("slider")
    blue = (np.abs(picture.astype(int) - (59, 130, 246)).sum(axis=2) < 30).sum()
    assert blue > 300, "a curve is drawn"
