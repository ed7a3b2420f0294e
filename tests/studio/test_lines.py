"""Lines on the sheets of examples, which nobody arranged: none runs through a part, its name or its value."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from studio.browser_story import in_node
from studio.test_examples_open import opened
from tellegen.studio.library.catalogue import library_shapes
from tellegen.studio.messages.codec import encoded

CROWDED = ("hydraulic_servo", "motor_heat", "radiator_loop", "pmsm_drive", "pneumatic_cylinder", "solenoid_valve")
"""Examples with lines through names before they looked for ways around."""
CROSSED = """
import { readFileSync } from "node:fs";
const pen = { font: "", measureText: (text) => ({ width: (pen.font.startsWith("600") ? 7.2 : 6.2) * text.length }) };
globalThis.document = { createElement: () => ({ getContext: () => pen }) };
const { routes, boxesOf } = await import("./src/lines.ts");
const { besideBody, labelPlace, parts, valueText } = await import("./src/sheet.ts");
const { bodyBox } = await import("./src/geometry.ts");
const { shapeOf, store } = await import("./src/store.ts");
const { library, states } = JSON.parse(readFileSync(@file, "utf8"));
store.library = new Map(library.map((shape) => [shape.key, shape]));
const found = [];
for (store.document of states) {
  const drawn = parts().filter((part) => !part.port);
  const own = (line, part) => line.equated && line.end.startsWith(part.name + ".");
  for (const line of routes().all)
    for (const part of drawn)
      for (const box of boxesOf(part, shapeOf(part)))
        for (let k = 2; k < line.points.length - 1; k++) {
          const [from, to] = [line.points[k - 1], line.points[k]];
          const across = Math.min(from.x, to.x) < box.right - 1 && Math.max(from.x, to.x) > box.left + 1;
          const along = Math.min(from.y, to.y) < box.bottom - 1 && Math.max(from.y, to.y) > box.top + 1;
          if (across && along) found.push(`${store.document.path}: ${line.end} through ${part.name}`);
        }
}
console.log(JSON.stringify([routes().all.length, found]));
"""


def test_no_line_runs_through_a_part_or_its_name(tmp_path: Path) -> None:
    states = [opened(f"{name}.py").state(trusted=False) for name in CROWDED]
    data = {"library": [encoded(shape) for shape in library_shapes().values()], "states": list(map(encoded, states))}
    file = tmp_path / "states.json"
    file.write_text(json.dumps(data))
    count, through = in_node(CROSSED.replace("@file", json.dumps(str(file))))
    assert count > 10
    assert through == []


def test_a_line_finds_its_way_between_walls() -> None:
    """Below the first and above the second, with as few corners as that takes."""
    walls = [(40, -800, 60, 100), (120, -100, 140, 800)]
    boxes = [dict(zip(("left", "top", "right", "bottom"), wall, strict=True)) for wall in walls]
    line = in_node(f"""
        const {{ Router }} = await import("./src/route.ts");
        const first = {{ at: {{ x: 0, y: 0 }}, out: {{ x: 1, y: 0 }} }};
        const second = {{ at: {{ x: 200, y: 0 }}, out: {{ x: -1, y: 0 }} }};
        console.log(JSON.stringify(new Router({json.dumps(boxes)}).route(first, second, 0)));""")
    pieces = list(pairwise((point["x"], point["y"]) for point in line))
    assert len(line) == 8
    for (x1, y1), (x2, y2) in pieces:
        assert x1 == x2 or y1 == y2
        for left, top, right, bottom in walls:
            assert max(x1, x2) <= left or min(x1, x2) >= right or max(y1, y2) <= top or min(y1, y2) >= bottom
