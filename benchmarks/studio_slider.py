"""A slider of the studio, moved in every frame: how many curves a second are drawn, in a real browser.

    python benchmarks/studio_slider.py [FILE:PARAMETER ...]

A frame is one requestAnimationFrame; in each of them the slider has another value, as by a fast hand. A curve counts
when it is that of a new run and was drawn. Its age is the time from the value to the frame that shows its run.
CPU time of the browser is that of all its processes for one frame, drawn without a GPU; that of the studio, with the
process of the model, is for one curve.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from _studio_cpu import watched

from browser import Browser, find_browser
from studio.browser_story import Person, build_page, studio_of
from studio.large_sheets import plate, plate_layout
from tellegen.studio.server import static_files

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
FRAMES = 180
USUAL = (
    "dc_drive.py:load.J",
    "suspension.py:",
    "two_tanks.py:",
    "rectifier.py:",
    "pmsm_drive.py:",
    "buck_converter.py:duty",
    "thermostat_house.py:",
    "plate.py:c5_5.C",
)
SLIDE = """new Promise(done => {
  const track = document.querySelector('[data-slides]');
  const gaps = [], ages = [], asked = [];
  let frame = 0, last = 0, first = 0, curves = 0, drawn = studio.counts.plots, shown = studio.store.run;
  const middle = rows => rows.length ? rows.sort((a, b) => a - b)[rows.length >> 1] : -1;
  const late = rows => rows.length ? rows.sort((a, b) => a - b)[Math.floor(0.95 * rows.length)] : -1;
  const go = now => {
    if (frame) gaps.push(now - last);
    else first = now;
    last = now;
    if (studio.store.run !== shown && studio.counts.plots > drawn) {
      shown = studio.store.run;
      drawn = studio.counts.plots;
      curves++;
      const begun = asked.find(([value]) => value === shown.values[0]);
      if (begun) ages.push(now - begun[1]);
    }
    if (frame++ === @frames) return done([middle(gaps), late(gaps), curves, now - first, middle(ages)]);
    const [low, high] = [Number(track.min), Number(track.max)];
    track.value = String(low + (high - low) * (0.5 + 0.45 * Math.sin(frame / 20)));
    asked.push([Number(track.value), now]);
    track.dispatchEvent(new Event('input'));
    requestAnimationFrame(go);
  };
  requestAnimationFrame(go);
})"""


def opened(person: Person, file: str, path: str) -> str:
    """Open a model, run it once and have a slider; the path of its parameter."""
    browser = person.browser
    browser.value(f"studio.open({file!r})")
    browser.wait_for(f"studio.store.document?.path === {file!r}")
    if not browser.value("studio.store.document.runnable"):
        person.click("#trust")
    person.checked()
    person.click("#run")
    person.ran()
    path = path or browser.value("[...studio.store.quantities.values()].find(row => row.value).path")
    browser.value(f"studio.slider({path!r})")
    browser.wait_for(f"""document.querySelector('[data-slides="{path}"]') !== null""")
    return path


def measured(person: Person, file: str, path: str) -> None:
    """A row of the table: the best of three, since others use the machine as well."""
    browser = person.browser
    path = opened(person, file, path)
    rows = []
    for _ in range(3):
        with watched(browser) as spent:
            gap, late, curves, wall, age = browser.value(SLIDE.replace("@frames", str(FRAMES)))
        each = 1e3 / max(curves, 1)
        rows.append((1e3 * curves / wall, gap, late, age, 1e3 / FRAMES * spent.browser, each * spent.studio))
    rate, gap, late, age, theirs, ours = max(rows)
    run = browser.value("studio.store.outcome")
    print(f"{file + ':' + path:40} {rate:6.1f} {gap:7.1f} {late:7.1f} {age:7.1f} {theirs:7.1f} {ours:7.1f}   {run}")


def main() -> None:
    """Measure some models."""
    wanted = [word.split(":") for word in sys.argv[1:] or USUAL]
    program = find_browser()
    if program is None:
        sys.exit("no browser is installed (chromium, google-chrome; or name one in CHROME)")
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CONFIG_HOME"] = f"{name}/config"
        folder = Path(name) / "models"
        shutil.copytree(EXAMPLES, folder)
        (folder / "plate.py").write_text(plate(18, 19))
        (folder / "plate.layout.json").write_text(plate_layout(18, 19))
        build_page(Path(name) / "page")
        static_files.STATIC = Path(name) / "page"
        columns = ("curves/s", "frame", "95 %", "age", "browser", "studio")
        print(f"{'ms, but for curves a second':37} " + " ".join(f"{word:>7}" for word in columns) + "   one run")
        with studio_of(folder) as address, Browser(program, (1440, 900), opengl=False) as browser:
            person = Person(browser, address)
            for file, path in wanted:
                measured(person, file, path)
        print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
