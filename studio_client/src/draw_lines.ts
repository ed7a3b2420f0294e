// Lines on the sheet: one by one where something about them can be seen, all of one colour at once from far away.

import { counts } from "./counts.ts";
import { inside } from "./geometry.ts";
import { lineShown } from "./layers.ts";
import type { Line, Lines } from "./lines.ts";
import { routes } from "./lines.ts";
import type { Pen } from "./pen.ts";
import { FAR } from "./pen.ts";
import { sheet } from "./sheet.ts";
import { diagnostics, store } from "./store.ts";
import type { Theme } from "./theme.ts";

const paths = new WeakMap<Line, Path2D>();
let far: { of: Lines | null; layer: string; paths: Map<string, Path2D> } = { of: null, layer: "", paths: new Map() };

export function drawLines(pen: Pen): void {
  const { on, look, errors } = pen;
  on.lineJoin = "round";
  on.lineCap = "round";
  if (pen.zoom < FAR && !store.wire && !errors.size) return drawFarLines(on, look);
  const { grid, junctions } = routes();
  const wrong = wrongWires();
  for (const line of grid.near(pen.visible)) drawLine(pen, line, wrong);
  for (const { at, colour } of junctions) {
    if (!inside(at, pen.visible)) continue;
    on.beginPath();
    on.arc(at.x, at.y, 4.5, 0, 2 * Math.PI);
    on.fillStyle = inkOf(colour, look);
    on.fill();
  }
}

function drawLine({ on, look }: Pen, line: Line, wrong: Set<number>): void {
  counts.lines++;
  const path = paths.get(line) ?? added(new Path2D(), line);
  paths.set(line, path);
  const chosen = store.wire?.number === line.wire;
  if (chosen || sheet.hover.line?.wire === line.wire) {
    on.strokeStyle = look.accent;
    on.globalAlpha = chosen && store.wire?.end === line.end ? 0.45 : 0.2;
    on.lineWidth = 8;
    on.stroke(path);
    on.globalAlpha = 1;
  }
  if (line.fixed) on.setLineDash(line.equated ? [2, 4] : [6, 5]);
  on.strokeStyle = wrong.has(line.wire) ? look.bad : inkOf(line.colour, look);
  on.lineWidth = line.colour === "signal" ? 1.5 : 2;
  on.stroke(path);
  if (line.fixed) on.setLineDash([]);
}

function inkOf(colour: string, look: Theme): string {
  return !lineShown(colour) ? look.dots : colour === "signal" ? look.signal : colour;
}

function added(path: Path2D, line: Line): Path2D {
  line.points.forEach((point, k) => (k ? path.lineTo(point.x, point.y) : path.moveTo(point.x, point.y)));
  return path;
}

/** All lines of one colour at once, put together once for each state of the sheet. */
function drawFarLines(on: CanvasRenderingContext2D, look: Theme): void {
  const lines = routes();
  if (far.of !== lines || far.layer !== store.layer) {
    far = { of: lines, layer: store.layer, paths: new Map() };
    for (const line of lines.all) far.paths.set(line.colour, added(far.paths.get(line.colour) ?? new Path2D(), line));
  }
  counts.lines += lines.all.length;
  on.lineWidth = 2;
  for (const [colour, path] of far.paths) {
    on.strokeStyle = inkOf(colour, look);
    on.stroke(path);
  }
}

/** Wires that a message is about themselves: all of their ends are named. */
function wrongWires(): Set<number> {
  const found = diagnostics().map((message) => new Set(message.about));
  const wires = found.length ? (store.document?.diagram.wires ?? []) : [];
  return new Set(wires.filter((wire) => found.some((about) => wire.ends.every((end) => about.has(end)))).map((wire) => wire.number));
}
