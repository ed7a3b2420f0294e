"""The three minutes of docs/studio.md, followed word by word in a real browser, with the pictures of that page.

    python benchmarks/studio_tutorial.py [FOLDER FOR PICTURES]

Every word that the page tells somebody to type, press or drag is done here by mouse and keys; what it promises is
looked for. The words in **bold** or `code` are read from the page: if it is changed, this fails where they differ.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from _studio_cpu import ROOT
from PIL import Image

from browser import Browser, find_browser
from studio.browser_story import Person, build_page, studio_of
from tellegen.studio.server import static_files

PAGE = ROOT / "docs" / "studio.md"


def steps() -> list[str]:
    """The numbered steps of the page."""
    text = PAGE.read_text(encoding="utf-8").partition("## Three minutes")[2].partition("\n## ")[0]
    return [" ".join(step.split()) for step in re.split(r"\n\d\. ", text)[1:]]


def promised(step: str, *words: str) -> None:
    """The step tells what is done here."""
    for word in words:
        assert word in step, f"the page says {step!r}, not {word!r}"


class Newcomer(Person):
    """Somebody who follows the page."""

    def __init__(self, browser: Browser, address: object, pictures: Path | None) -> None:
        super().__init__(browser, address)  # type: ignore[arg-type]
        self.pictures = pictures

    def photograph(self, name: str) -> None:
        """A picture for the page."""
        self.browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        if self.pictures is not None:
            Image.fromarray(self.browser.picture()).quantize(256, Image.Quantize.MAXCOVERAGE).save(
                self.pictures / f"studio-{name}.png", optimize=True
            )

    def button(self, words: str) -> None:
        """Press the button that has these words."""
        found = f"[...document.querySelectorAll('button')].find(b => b.textContent.includes({words!r}) && !b.disabled)"
        self.browser.wait_for(f"{found} !== undefined")
        box = f"{found}.getBoundingClientRect()"
        x, y = self.browser.value(f"(b => [b.left + b.width / 2, b.top + b.height / 2])({box})")
        self.browser.click(x, y)


def draw(person: Newcomer, all_steps: list[str]) -> None:
    """Steps 1 to 5: parts, lines, a line that is refused, the reference that is missing."""
    browser = person.browser
    promised(all_steps[0], "**New**", "`Drive`", "Enter")
    person.button("New")
    browser.wait_for("document.activeElement.id === 'new-name'")
    person.type("Drive", enter=True)
    browser.wait_for("studio.store.document?.cls === 'Drive'")
    promised(all_steps[1], "`step`", "*StepVoltage*", "**R**")
    person.add("step", "electrical.StepVoltage", 150, 220)
    person.key("r")
    browser.wait_for("studio.store.document.diagram.parts[0].place.turned === 'r90'")
    promised(all_steps[2], "*Resistor*", "*EMF*", "*Inertia*")
    person.add("resistor", "electrical.Resistor", 290, 150)
    person.add("emf", "electrical.EMF", 430, 220)
    person.add("inertia", "rotational.Inertia", 580, 220)
    promised(all_steps[3], "source to resistor", "resistor to EMF", "EMF back to the source", "EMF to the inertia")
    person.wire_and_wait("step_voltage.p", "resistor.p")
    person.wire_and_wait("resistor.n", "emf.p")
    person.wire_and_wait("emf.n", "step_voltage.n")
    person.wire_and_wait("emf.flange", "inertia.flange_a")
    person.wire("inertia.flange_b", "resistor.p")
    browser.wait_for("document.querySelector('.toast')?.textContent.includes('different domains')")
    promised(all_steps[4], "red ring", "**Add a Ground**")
    person.checked()
    about = browser.value("studio.store.check.checked.diagnostics[0].about")
    assert {"step_voltage", "resistor", "emf"} <= set(about), "the parts that have a red ring"
    person.photograph("message")
    person.button("Add a Ground")
    browser.wait_for("studio.store.check.checked.ok")


def run(person: Newcomer, all_steps: list[str]) -> None:
    """Steps 6 to 9: a value with a unit, a run, a slider, the file."""
    browser = person.browser
    promised(all_steps[5], "`2.4 ohm`")
    person.set("resistor", '[data-parameter="resistor.R"]', "2.4 ohm")
    person.checked()
    promised(all_steps[6], "**Run**", "The states are shown as curves")
    person.button("Run")
    person.ran()
    assert browser.value("studio.store.shown.includes('inertia.w')")
    promised(all_steps[7], "**⇔**", "*J*", "**Keep**", "**Apply**")
    browser.click(*person.where("inertia"))
    person.click('[data-slider="inertia.J"]')
    person.button("Keep")
    person.slide("inertia.J", (0.4, 0.55, 0.7))
    person.ran()
    person.photograph("slider")
    person.click("#theme")
    person.photograph("dark")
    person.click("#theme")
    promised(all_steps[8], "**Save**", "`drive.py`")
    person.button("Save")
    browser.wait_for("!studio.store.document.dirty")


def compare(folder: Path) -> None:
    """The file that was written is the one on the page, and runs."""
    shown = PAGE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    body = shown.partition("class Drive")[2].partition("\n\n\nprint")[0]
    written = (folder / "drive.py").read_text(encoding="utf-8").partition("class Drive")[2]
    assert written.strip() == body.strip(), written


def others(browser: Browser, folder: Path, pictures: Path) -> None:
    """The pictures of the page beside those of the tutorial: a tree upon the sheet, a robot in motion."""
    for name in ("op_amp_drive.py", "robot_arm.py"):
        shutil.copy(ROOT / "examples" / name, folder)
    shutil.copytree(ROOT / "examples" / "data", folder / "data")
    with studio_of(folder) as address:
        person = Newcomer(browser, address, pictures)
        graph(person)
        scene(person)


def graph(person: Newcomer) -> None:
    """The linear graph of a circuit."""
    browser = person.browser
    browser.value("studio.open('op_amp_drive.py')")
    person.click("#trust")
    person.checked()
    person.click('[data-view="understand"]')
    person.button("Linear graph")
    browser.wait_for("studio.store.explained.has('graph')")
    person.photograph("graph")


def scene(person: Newcomer) -> None:
    """The robot, beside its sheet."""
    browser = person.browser
    browser.value("studio.open('robot_arm.py')")
    browser.wait_for("studio.store.document?.path === 'robot_arm.py'")
    person.checked()
    person.click("#run")
    person.ran()
    person.click("#scene-button")
    browser.wait_for("studio.store.scene && document.getElementById('scene').dataset.shown === studio.store.scene")
    browser.value("new Promise(done => setTimeout(() => done(1), 3000))")
    person.photograph("scene")


def main() -> None:
    """Follow the page."""
    pictures = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    program = find_browser()
    if program is None:
        sys.exit("no browser is installed (chromium, google-chrome; or name one in CHROME)")
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CONFIG_HOME"] = f"{name}/config"
        folder = Path(name) / "empty"
        folder.mkdir()
        build_page(Path(name) / "page")
        static_files.STATIC = Path(name) / "page"
        with Browser(program, (1280, 800)) as browser:
            with studio_of(folder) as address:
                person = Newcomer(browser, address, pictures)
                draw(person, steps())
                run(person, steps())
            compare(folder)
            print(f"all {len(steps())} steps, {person.actions} actions")
            if pictures is not None:
                others(browser, folder, pictures)


if __name__ == "__main__":
    main()
