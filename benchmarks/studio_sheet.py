"""A thousand parts on one sheet of the studio: open, pan, drag, edit and check, in a real browser.

    python benchmarks/studio_sheet.py [ROWS COLUMNS]

CPU time, since machines are shared: of all processes of the browser (scripts, layout, painting: without a GPU that is
work of the processor, too), and of the server with the process that checks the model. A frame is one
requestAnimationFrame of a drag. Wall times and the median interval of frames stand beside, for what they are worth on a
busy machine; a browser shows at most 60 frames a second.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from _studio_cpu import Spent, watched

from browser import Browser, find_browser
from studio.browser_story import Person, build_page, studio_of
from studio.large_sheets import plate, plate_layout
from tellegen.studio.server import static_files

FRAMES = 60


DRAG = """new Promise(done => {
  const sheet = document.getElementById('sheet'), box = sheet.getBoundingClientRect();
  let frame = 0, last = performance.now(); const gaps = [];
  const go = now => {
    if (frame) gaps.push(now - last);
    last = now;
    if (frame++ === @frames) return done(gaps.sort((a, b) => a - b)[@frames >> 1]);
    const [x, y] = [box.left + @x + 4 * Math.min(frame, @frames - frame), box.top + @y + 2 * frame];
    sheet.dispatchEvent(new PointerEvent('pointermove', {clientX: x, clientY: y, bubbles: true}));
    requestAnimationFrame(go);
  };
  requestAnimationFrame(go);
})"""


MIDDLE = """(() => {
  const {view, size} = studio.sheet;
  const off = (place, zoom, shift, whole) => place * zoom + shift - whole / 2;
  const far = ({place: {x, y}}) => Math.hypot(off(x, view.zoom, view.x, size.x), off(y, view.zoom, view.y, size.y));
  return studio.store.document.diagram.parts.reduce((a, b) => (far(a) < far(b) ? a : b)).name;
})()"""
"""The part nearest to the middle of the sheet."""


def dragged(person: Person, at: tuple[float, float]) -> tuple[Spent, float]:
    """A press at a point of the sheet, then a move in every frame: what was spent, and the median interval in ms."""
    left, top = person.browser.value("(b => [b.left, b.top])(document.getElementById('sheet').getBoundingClientRect())")
    held = {"button": "left", "clickCount": 1}
    person.browser.call("Input.dispatchMouseEvent", type="mousePressed", x=at[0], y=at[1], **held)
    script = DRAG.replace("@frames", str(FRAMES)).replace("@x", str(at[0] - left)).replace("@y", str(at[1] - top))
    with watched(person.browser) as spent:
        gap = person.browser.value(script)
    person.browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=at[0], y=at[1], **held)
    return spent, gap


def report(words: str, spent: Spent, frames: int = 1, rest: str = "") -> None:
    """A row of the table."""
    unit = 1e3 / frames
    each = " a frame" if frames > 1 else ""
    columns = "   ".join(f"{unit * value:8.1f} ms" for value in (spent.browser, spent.studio, spent.wall))
    print(f"{words:28} {columns}{each} {rest}")


def until(person: Person, condition: str, action: Callable[[], object]) -> Spent:
    """What an action takes until a condition holds and the page is painted."""
    with watched(person.browser) as spent:
        action()
        person.browser.wait_for(condition)
        person.browser.picture()
    return spent


def zoomed(person: Person, zoom: float) -> None:
    """Another magnification, painted; 0 shows all parts."""
    person.browser.value(f"studio.zoom({zoom})")
    person.browser.picture()


def measure(person: Person) -> None:
    """Everything that a person does with the sheet."""
    browser = person.browser
    print(f"{'':28} " + "   ".join(f"{name:>11}" for name in ("browser", "studio", "wall")))
    shown = "studio.store.document?.diagram.parts.length > 100"
    report("open", until(person, shown, lambda: person.choose("#files", "plate.py")))
    print(f"  {person.parts()} parts, {browser.value('studio.store.document.diagram.wires.length')} connections")
    report("trust and first check", until(person, "studio.store.check?.checked.ok", lambda: person.click("#trust")))
    for words, zoom in (("pan, all parts", 0.0), ("pan, zoom 0.4", 0.4), ("pan, zoom 1", 1.0)):
        zoomed(person, zoom)
        spent, gap = dragged(person, person.empty_place())
        report(words, spent, FRAMES, f"median interval {gap:.1f} ms")
    name = browser.value(MIDDLE)
    spent, gap = dragged(person, person.where(name))
    report("drag one part, zoom 1", spent, FRAMES, f"median interval {gap:.1f} ms")
    revision = browser.value("studio.store.document.revision")

    def edit() -> None:
        browser.value("studio.edit({kind: 'SetArgument', part: 'c5_5', parameter: 'C', typed: '77'})")

    now = "studio.store.document.revision"
    done = f"{now} > {revision} && studio.store.check?.revision === {now}"
    report("edit and check", until(person, done, edit))


def main() -> None:
    """Measure one sheet."""
    rows, columns = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (18, 19)
    program = find_browser()
    if program is None:
        sys.exit("no browser is installed (chromium, google-chrome; or name one in CHROME)")
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CONFIG_HOME"] = f"{name}/config"
        folder = Path(name) / "models"
        folder.mkdir()
        (folder / "plate.py").write_text(plate(rows, columns))
        (folder / "plate.layout.json").write_text(plate_layout(rows, columns))
        (folder / "other.py").write_text("import tellegen as tg\n\n\nclass Other(tg.Component):\n    pass\n")
        build_page(Path(name) / "page")
        static_files.STATIC = Path(name) / "page"
        with studio_of(folder) as address, Browser(program, (1440, 900), opengl=False) as browser:
            measure(Person(browser, address))


if __name__ == "__main__":
    main()
