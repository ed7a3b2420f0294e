// Inputs that equations of the class give: where their variables are taken, and what they are where these are of no part.

import type { Point } from "./geometry.ts";
import { partName, portDirection, portOf, portPlace } from "./geometry.ts";
import type { Pen } from "./pen.ts";
import type { Part, PortShape, Wire } from "./protocol.ts";
import { parts, tapPlace } from "./sheet.ts";
import { shapeOf, store } from "./store.ts";

const MOST_LETTERS = 22;
const SMALL = "10px ui-sans-serif, system-ui, sans-serif";
/** Below this magnification nobody could read it. */
const READ = 0.65;

export function drawEquated({ on, look, zoom }: Pen): void {
  const wires = (store.document?.diagram.wires ?? []).filter((wire) => wire.equation);
  if (!wires.length || zoom < READ) return;
  const byName = new Map(parts().map((part) => [part.name, part]));
  const above = new Map<string, number>();
  const taps = new Set<string>();
  on.font = SMALL;
  on.fillStyle = look.signal;
  for (const wire of wires) {
    const [first, second] = wire.ends;
    if (second === undefined) drawTag(on, wire, byName, above);
    else if (!taps.has(first!)) drawTap(on, first!, byName, taps);
  }
}

/** A point at a part with the name of its variable. Several of one part stand above each other. */
function drawTap(on: CanvasRenderingContext2D, end: string, byName: Map<string, Part>, taps: Set<string>): void {
  const part = byName.get(partName(end));
  const at = tapPlace(end, byName)?.at;
  if (!part || !at || part.port || portOf(shapeOf(part), end)) return;
  const before = [...taps].filter((other) => partName(other) === part.name).length;
  taps.add(end);
  on.beginPath();
  on.arc(at.x, at.y, 2.5, 0, 2 * Math.PI);
  on.fill();
  on.textAlign = "right";
  on.textBaseline = "bottom";
  on.fillText(end.slice(end.indexOf(".") + 1), at.x - 4, at.y - 5 - 11 * before);
}

/** What an input is equal to, outside of its port; at the top of a part one above the other. */
function drawTag(on: CanvasRenderingContext2D, wire: Wire, byName: Map<string, Part>, above: Map<string, number>): void {
  const part = byName.get(partName(wire.ends[0]!));
  const port = part && portOf(shapeOf(part), wire.ends[0]!);
  if (!part || !port) return;
  const { at, out } = besidePort(part, port);
  const rank = out.y ? (above.get(part.name) ?? 0) : 0;
  if (out.y) above.set(part.name, rank + 1);
  const text = `= ${wire.equation.replace(/\btg\./g, "")}`;
  on.textAlign = out.x < 0 ? "right" : "left";
  on.textBaseline = "middle";
  on.fillText(text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text, at.x, at.y + 12 * rank * out.y);
}

function besidePort(part: Part, port: PortShape): { at: Point; out: Point } {
  const out = portDirection(part, port);
  const place = portPlace(part, port);
  return { at: { x: place.x + 8 * out.x, y: place.y + 12 * out.y }, out };
}
