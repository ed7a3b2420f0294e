// The sheet: where everything is, how lines run, and what is under the pointer.

import type { Box, Point } from "./geometry.ts";
import { bodyBox, inside, partName, portDirection, portOf, portPlace, union } from "./geometry.ts";
import type { ClassShape, Note, Part, PortShape } from "./protocol.ts";
import { Router } from "./route.ts";
import { shapeOf, store } from "./store.ts";

export interface View {
  x: number;
  y: number;
  zoom: number;
}

export interface Line {
  wire: number;
  end: string;
  points: Point[];
  colour: string;
  fixed: boolean;
}

export interface Under {
  note?: string;
  port: string | null;
  part: Part | null;
  line: Line | null;
}

export const sheet = {
  view: { x: 0, y: 0, zoom: 1 } as View,
  size: { x: 100, y: 100 } as Point,
  hover: { port: null, part: null, line: null } as Under,
  drawing: null as { from: string; to: Point } | null,
  moved: null as { by: Point } | null,
  band: null as Box | null,
  ghost: null as { shape: ClassShape; at: Point } | null,
};

let lines: Line[] = [];
let routedFor: unknown[] = [];

export function toSheet(point: Point): Point {
  const { x, y, zoom } = sheet.view;
  return { x: (point.x - x) / zoom, y: (point.y - y) / zoom };
}

/** A part where it is drawn: while it is dragged that is not yet where the document has it. */
export function drawn(part: Part): Part {
  if (!sheet.moved || !store.selected.has(part.name)) return part;
  const place = { ...part.place, x: part.place.x + sheet.moved.by.x, y: part.place.y + sheet.moved.by.y };
  return { ...part, place };
}

export function parts(): Part[] {
  return (store.document?.diagram.parts ?? []).map(drawn);
}

let used: { of: unknown; ports: Set<string> } = { of: null, ports: new Set() };

/** Ports that are connected, found once for each state of the document. */
function usedPorts(): Set<string> {
  if (used.of !== store.document) used = { of: store.document, ports: new Set(store.document?.diagram.wires.flatMap((wire) => wire.ends)) };
  return used.ports;
}

/** Ports that exist: those with a condition only where something says that it holds. */
export function portsOf(part: Part, shape: ClassShape): PortShape[] {
  if (part.port) return [];
  return shape.ports.filter((port) => !port.only_if || part.arguments[port.only_if] === "True" || usedPorts().has(`${part.name}.${port.name}`));
}

export interface EndPlace {
  end: string;
  at: Point;
  out: Point;
  colour: string;
}

export function endPlace(end: string, byName: Map<string, Part>): EndPlace | null {
  const part = byName.get(partName(end));
  const shape = part && shapeOf(part);
  if (!part || !shape) return null;
  if (part.port) return { end, at: part.place, out: { x: 0, y: 0 }, colour: shape.colour };
  const port = portOf(shape, end);
  if (!port) return { end, at: part.place, out: { x: 0, y: 0 }, colour: shape.colour };
  return { end, at: portPlace(part, port), out: portDirection(part, port), colour: port.role === "port" ? port.colour : "signal" };
}

/** Notes with the boxes of their texts, where they are drawn. */
export function notes(): { note: Note; box: Box }[] {
  return (store.document?.diagram.notes ?? []).map((note) => {
    const by = sheet.moved && store.selected.has(note.name) ? sheet.moved.by : { x: 0, y: 0 };
    const place = { ...note.place, x: note.place.x + by.x, y: note.place.y + by.y };
    const rows = place.note.split("\n");
    const wide = 6.6 * Math.max(...rows.map((row) => row.length));
    return { note: { ...note, place }, box: { left: place.x, top: place.y, right: place.x + wide, bottom: place.y + 17 * rows.length } };
  });
}

/** Lines of all wires: each end is joined to the nearest end before it. */
export function routes(): Line[] {
  const key = [store.document, sheet.moved?.by.x ?? 0, sheet.moved?.by.y ?? 0];
  if (key.every((value, k) => value === routedFor[k])) return lines;
  routedFor = key;
  const now = parts();
  const wires = store.document?.diagram.wires ?? [];
  const byName = new Map(now.map((part) => [part.name, part]));
  const router = new Router(now.flatMap((part) => (shapeOf(part) && !part.port ? obstacles(part, shapeOf(part)!) : [])));
  lines = wires.flatMap((wire) => {
    const ends = wire.ends.map((end) => endPlace(end, byName)).filter((end): end is EndPlace => end !== null);
    const found: Line[] = [];
    for (let k = 1; k < ends.length; k++) {
      const end = ends[k]!;
      const far = (other: EndPlace) => Math.abs(other.at.x - end.at.x) + Math.abs(other.at.y - end.at.y);
      const nearest = ends.slice(0, k).reduce((best, other) => (far(other) < far(best) ? other : best));
      const points = router.route(nearest, end, wire.number);
      found.push({ wire: wire.number, end: end.end, points, colour: end.colour, fixed: wire.fixed !== "" });
    }
    return found;
  });
  return lines;
}

/** What lines go around: the body of a part and its name. */
function obstacles(part: Part, shape: ClassShape): Box[] {
  const box = bodyBox(part, shape);
  const { x, y } = labelPlace(part, shape, box);
  const letters = Math.max(part.name.length, 0.9 * valueText(part, shape).length);
  const wide = 3.4 * letters;
  const left = besideBody(part, shape) ? x - 4 : x - wide;
  return [box, { left, right: left + 2 * wide, top: y - 1, bottom: y + (Object.keys(part.arguments).length ? 24 : 12) }];
}

/** The first value that was given for a part: `R = 2.4 ohm`. */
export function valueText(part: Part, shape: ClassShape): string {
  const [name, text] = Object.entries(part.arguments)[0] ?? ["", ""];
  if (!name) return "";
  const unit = shape.parameters.find((parameter) => parameter.name === name)?.unit ?? "";
  const value = text.startsWith('"') ? text.slice(1, -1) : /^[-\d.e+]+$/.test(text) ? `${text} ${unit}`.trim() : text;
  return `${name} = ${value}`.slice(0, 28);
}

/** Names stand below, or at the right where a line leaves downwards. */
export function besideBody(part: Part, shape: ClassShape): boolean {
  return portsOf(part, shape).some((port) => portDirection(part, port).y > 0);
}

export function labelPlace(part: Part, shape: ClassShape, box: Box): Point {
  return besideBody(part, shape) ? { x: box.right + 8, y: part.place.y + (box.right - part.place.x > 24 ? 18 : -12) } : { x: part.place.x, y: box.bottom + 8 };
}

/** What is at a point of the sheet: a port before a part before a line. */
export function under(point: Point): Under {
  const near = 9 / Math.min(sheet.view.zoom, 1.5);
  for (const part of parts()) {
    const shape = shapeOf(part);
    if (!shape) continue;
    if (part.port && inside(point, bodyBox(part, shape))) {
      return { port: part.name, part, line: null };
    }
    for (const port of portsOf(part, shape)) {
      const at = portPlace(part, port);
      if (Math.hypot(at.x - point.x, at.y - point.y) <= near) return { port: `${part.name}.${port.name}`, part, line: null };
    }
  }
  for (const part of parts().reverse()) {
    const shape = shapeOf(part);
    if (shape && inside(point, bodyBox(part, shape), 4)) return { port: null, part, line: null };
  }
  const note = notes().find(({ box }) => inside(point, box, 4))?.note.name;
  if (note) return { note, port: null, part: null, line: null };
  return { port: null, part: null, line: routes().find((line) => onLine(point, line.points)) ?? null };
}

function onLine(point: Point, points: Point[]): boolean {
  return points.slice(1).some((to, k) => {
    const from = points[k]!;
    const box = { left: Math.min(from.x, to.x), right: Math.max(from.x, to.x), top: Math.min(from.y, to.y), bottom: Math.max(from.y, to.y) };
    return inside(point, box, 5 / sheet.view.zoom);
  });
}

/** The place of a part or port in pixels of the canvas, for tests and for messages. */
export function where(path: string): Point | null {
  const byName = new Map(parts().map((part) => [part.name, part]));
  const part = byName.get(path);
  const at = part ? part.place : endPlace(path, byName)?.at;
  if (!at) return null;
  return { x: at.x * sheet.view.zoom + sheet.view.x, y: at.y * sheet.view.zoom + sheet.view.y };
}

/** See all parts, at most at full size. */
export function fit(): void {
  const all = union(parts().flatMap((part) => (shapeOf(part) ? [bodyBox(part, shapeOf(part)!)] : [])));
  if (!all) {
    sheet.view = { x: 0, y: 0, zoom: 1 };
    return;
  }
  const margin = 70;
  const zoom = Math.min(sheet.size.x / (all.right - all.left + 2 * margin), sheet.size.y / (all.bottom - all.top + 2 * margin), 1.3);
  sheet.view = {
    zoom,
    x: sheet.size.x / 2 - (zoom * (all.left + all.right)) / 2,
    y: sheet.size.y / 2 - (zoom * (all.top + all.bottom)) / 2,
  };
}
