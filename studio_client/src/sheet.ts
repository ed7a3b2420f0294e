// The sheet: where everything is, how lines run, and what is under the pointer.

import type { Box, Point } from "./geometry.ts";
import { bodyBox, boxAround, grown, inside, meet, partName, portDirection, portOf, portPlace, union } from "./geometry.ts";
import { Grid } from "./grid.ts";
import type { Line } from "./lines.ts";
import { boxesOf, routes } from "./lines.ts";
import type { ClassShape, Note, Part, PortShape } from "./protocol.ts";
import { partsByName, shapeOf, store } from "./store.ts";

export interface View {
  x: number;
  y: number;
  zoom: number;
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

/** Parts by name, some of them where they are dragged to. */
export interface Named {
  get(name: string): Part | undefined;
}

export function endPlace(end: string, byName: Named): EndPlace | null {
  const part = byName.get(partName(end));
  const shape = part && shapeOf(part);
  if (!part || !shape) return null;
  if (part.port) return { end, at: part.place, out: { x: 0, y: 0 }, colour: shape.colour };
  const port = portOf(shape, end);
  if (!port) return { end, at: part.place, out: { x: 0, y: 0 }, colour: shape.colour };
  return { end, at: portPlace(part, port), out: portDirection(part, port), colour: port.role === "port" ? port.colour : "signal" };
}

/** Where a variable of a part is taken: at its port, or at the upper edge of its body. */
export function tapPlace(end: string, byName: Named): EndPlace | null {
  const part = byName.get(partName(end));
  const shape = part && shapeOf(part);
  if (!part || !shape || part.port || portOf(shape, end)) return endPlace(end, byName);
  const box = bodyBox(part, shape);
  return { end, at: { x: part.place.x - 12, y: box.top + 4 }, out: { x: 0, y: -1 }, colour: "signal" };
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

/** The name of a part, with how many there are and when it exists. */
export function titleOf(part: Part): string {
  return part.name + (part.count ? ` [${part.count}]` : "") + (part.condition ? ` if ${part.condition}` : "");
}

/** The first value that was given for a part: `R = 2.4 ohm`. */
export function valueText(part: Part, shape: ClassShape): string {
  const given = Object.entries(part.arguments);
  const [name, text] = given.find(([, value]) => !value.includes(".variable(")) ?? given[0] ?? ["", ""];
  if (!name) return "";
  const start = /\.variable\(.*?start=(\[[^\]]*\]|"[^"]*"|[^,)]+)/.exec(text);
  if (start) return shortened(`${name} starts at ${start[1]!.replaceAll('"', "")}`, 26);
  const unit = shape.parameters.find((parameter) => parameter.name === name)?.unit ?? "";
  const value = text.startsWith('"') ? text.slice(1, -1) : /^[-\d.e+]+$/.test(text) ? `${text} ${unit}`.trim() : text;
  return shortened(`${name} = ${value}`, besideBody(part, shape) ? 17 : 26);
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Names stand below, or at the right where a line leaves downwards. */
export function besideBody(part: Part, shape: ClassShape): boolean {
  return portsOf(part, shape).some((port) => portDirection(part, port).y > 0);
}

export function labelPlace(part: Part, shape: ClassShape, box: Box): Point {
  if (!besideBody(part, shape)) return { x: part.place.x, y: box.bottom + 8 };
  const leadsRight = portsOf(part, shape).some((port) => portDirection(part, port).x > 0); // a line begins there
  return { x: box.right + 8, y: part.place.y + (leadsRight ? 8 : box.right - part.place.x > 24 ? 18 : -12) };
}

let places: { of: unknown; parts: Grid<{ part: Part; rank: number }> } = { of: null, parts: new Grid() };
/** Farther than any port is from the middle of its part. */
const PART_REACH = 120;

/** The parts that may reach into a box, in the order of the document, where they are drawn. */
export function partsNear(box: Box): Part[] {
  if (places.of !== store.document) {
    places = { of: store.document, parts: new Grid() };
    (store.document?.diagram.parts ?? []).forEach((part, rank) => places.parts.add({ part, rank }, reachOf(part)));
  }
  const found = [...places.parts.near(box)].sort((one, other) => one.rank - other.rank).map(({ part }) => part);
  if (!sheet.moved) return found;
  const moving = parts().filter((part) => store.selected.has(part.name));
  return [...found.filter((part) => !store.selected.has(part.name)), ...moving.filter((part) => meet(reachOf(part), box))];
}

function reachOf(part: Part): Box {
  const shape = shapeOf(part);
  return grown(boxAround([part.place]), Math.max(PART_REACH, (shape?.height ?? 0) / 2 + 40));
}

/** What is at a point of the sheet: a port before a part before a line. */
export function under(point: Point): Under {
  const near = 9 / Math.min(sheet.view.zoom, 1.5);
  const around = partsNear(grown(boxAround([point]), near));
  for (const part of around) {
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
  for (const part of around.reverse()) {
    const shape = shapeOf(part);
    if (shape && inside(point, bodyBox(part, shape), 4)) return { port: null, part, line: null };
  }
  const note = notes().find(({ box }) => inside(point, box, 4))?.note.name;
  if (note) return { note, port: null, part: null, line: null };
  const lines = [...routes().grid.near(grown(boxAround([point]), 5 / sheet.view.zoom))];
  return { port: null, part: null, line: lines.find((line) => onLine(point, line.points)) ?? null };
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
  const part = partsByName().get(path);
  const at = part ? part.place : endPlace(path, partsByName())?.at;
  if (!at) return null;
  return { x: at.x * sheet.view.zoom + sheet.view.x, y: at.y * sheet.view.zoom + sheet.view.y };
}

/** See all parts, at most at full size. */
export function fit(): void {
  const all = union(parts().flatMap((part) => (shapeOf(part) ? [bodyBox(part, shapeOf(part)!), ...(part.port ? [] : boxesOf(part, shapeOf(part)!))] : [])));
  if (!all) {
    sheet.view = { x: 0, y: 0, zoom: 1 };
    return;
  }
  const margin = 50;
  const zoom = Math.min(sheet.size.x / (all.right - all.left + 2 * margin), sheet.size.y / (all.bottom - all.top + 2 * margin), 1.3);
  sheet.view = {
    zoom,
    x: sheet.size.x / 2 - (zoom * (all.left + all.right)) / 2,
    y: sheet.size.y / 2 - (zoom * (all.top + all.bottom)) / 2,
  };
}
