// The lines of all wires: routed when something changed, and then only where it changed.

import { counts } from "./counts.ts";
import type { Box, Point } from "./geometry.ts";
import { bodyBox, boxAround, grown, meet } from "./geometry.ts";
import { Grid } from "./grid.ts";
import type { ClassShape, Part, Wire } from "./protocol.ts";
import { REACH, Router } from "./route.ts";
import type { EndPlace } from "./sheet.ts";
import { besideBody, drawn, endPlace, labelPlace, parts, sheet, tapPlace, titleOf, valueText } from "./sheet.ts";
import { partsByName, shapeOf, store } from "./store.ts";
import { NAME_FONT, textWidth, VALUE_FONT } from "./text_width.ts";

export interface Line {
  wire: number;
  end: string;
  points: Point[];
  box: Box;
  colour: string;
  fixed: boolean;
  /** Whether it leads to an input that an equation gives. */
  equated: boolean;
}

/** Where lines of one wire meet. */
export interface Junction {
  at: Point;
  colour: string;
}

interface Routed {
  /** What its lines depend on: the places of its ends. */
  key: string;
  lines: Line[];
  reach: Box;
}

/** All lines of a sheet, by place too. */
export interface Lines {
  all: Line[];
  grid: Grid<Line>;
  junctions: Junction[];
}

let lines: Lines = { all: [], grid: new Grid(), junctions: [] };
let routedFor: unknown[] = [];
let routed = new Map<string, Routed>();
let obstacles = new Map<string, Box[]>();
let shownClass = "";

/** The lines as they are now: those whose ends and neighbourhood are as before stay where they are. */
export function routes(): Lines {
  const key = [store.document, sheet.moved?.by.x ?? 0, sheet.moved?.by.y ?? 0];
  if (key.every((value, k) => value === routedFor[k])) return lines;
  routedFor = key;
  const shown = `${store.document?.path} ${store.document?.cls}`;
  if (shown !== shownClass) [routed, obstacles, shownClass] = [new Map(), new Map(), shown];
  const before = obstacles;
  obstacles = new Map(parts().flatMap((part) => (shapeOf(part) && !part.port ? [[part.name, boxesOf(part, shapeOf(part)!)]] : [])));
  routed = routedAgain(store.document?.diagram.wires ?? [], changedBoxes(before, obstacles));
  lines = gathered([...routed.values()]);
  return lines;
}

/** Boxes that are gone or new. */
function changedBoxes(before: Map<string, Box[]>, now: Map<string, Box[]>): Box[] {
  const same = (one: Box[] | undefined, other: Box[] | undefined) => one && other && one.every((box, k) => sameBox(box, other[k]!));
  const names = new Set([...before.keys(), ...now.keys()]);
  return [...names].filter((name) => !same(before.get(name), now.get(name))).flatMap((name) => [...(before.get(name) ?? []), ...(now.get(name) ?? [])]);
}

function sameBox(one: Box, other: Box): boolean {
  return one.left === other.left && one.top === other.top && one.right === other.right && one.bottom === other.bottom;
}

function routedAgain(wires: Wire[], changed: Box[]): Map<string, Routed> {
  const moved = new Map([...store.selected].map((name) => partsByName().get(name)).flatMap((part) => (part ? [[part.name, drawn(part)] as const] : [])));
  const byName = { get: (name: string) => moved.get(name) ?? partsByName().get(name) };
  const router = new Router([...obstacles.values()].flat());
  const nets = netsOf(wires);
  const found = new Map<string, Routed>();
  const left: { name: string; key: string; wire: Wire; ends: EndPlace[] }[] = [];
  for (const wire of wires) {
    const name = wire.ends.join("|");
    const ends = wire.ends.map((end) => (wire.equation ? tapPlace(end, byName) : endPlace(end, byName))).filter((end): end is EndPlace => end !== null);
    const key = `${ends.map(({ at, out, colour }) => `${at.x},${at.y},${out.x},${out.y},${colour}`).join(" ")} ${wire.fixed}`;
    const known = routed.get(name);
    if (known?.key !== key || changed.some((box) => meet(box, known.reach))) {
      left.push({ name, key, wire, ends });
      found.set(name, { key, lines: [], reach: boxAround([]) }); // in the order of the wires
      continue;
    }
    for (const line of known.lines) {
      line.wire = wire.number;
      router.remember(line.points, nets.get(wire.number)!);
    }
    found.set(name, known);
  }
  for (const { name, key, wire, ends } of left) {
    const fresh = routedWire(router, wire, ends, nets.get(wire.number)!);
    found.set(name, { key, lines: fresh, reach: grown(boxAround(fresh.flatMap((line) => line.points)), REACH) });
  }
  return found;
}

/** Each end is joined to the nearest end before it. */
function routedWire(router: Router, wire: Wire, ends: EndPlace[], net: number): Line[] {
  const found: Line[] = [];
  for (let k = 1; k < ends.length; k++) {
    const end = ends[k]!;
    const far = (other: EndPlace) => Math.abs(other.at.x - end.at.x) + Math.abs(other.at.y - end.at.y);
    const nearest = ends.slice(0, k).reduce((best, other) => (far(other) < far(best) ? other : best));
    const points = router.route(nearest, end, net);
    counts.routed++;
    found.push({ wire: wire.number, end: end.end, points, box: boxAround(points), colour: end.colour, fixed: wire.fixed !== "", equated: wire.equation !== "" });
  }
  return found;
}

/** Wires with an end in common are one net: their lines may run upon each other. */
function netsOf(wires: Wire[]): Map<number, number> {
  const above = new Map<number, number>();
  const root = (net: number): number => {
    while (above.get(net) !== undefined && above.get(net) !== net) net = above.get(net)!;
    return net;
  };
  const at = new Map<string, number>();
  for (const wire of wires) {
    above.set(wire.number, wire.number);
    for (const end of wire.ends) {
      const other = at.get(end);
      if (other === undefined) at.set(end, wire.number);
      else above.set(root(wire.number), root(other));
    }
  }
  return new Map(wires.map((wire) => [wire.number, root(wire.number)]));
}

function gathered(wires: Routed[]): Lines {
  const all = wires.flatMap((wire) => wire.lines);
  const grid = new Grid<Line>();
  for (const line of all) for (let k = 1; k < line.points.length; k++) grid.add(line, boxAround([line.points[k - 1]!, line.points[k]!]));
  return { all, grid, junctions: wires.flatMap((wire) => junctionsOf(wire.lines)) };
}

function junctionsOf(group: Line[]): Junction[] {
  if (group.length < 2) return [];
  const seen = new Map<string, { at: Point; count: number }>();
  for (const line of group)
    for (const at of [line.points[0]!, line.points.at(-1)!]) {
      const known = seen.get(`${at.x},${at.y}`) ?? { at, count: 0 };
      seen.set(`${at.x},${at.y}`, { at, count: known.count + 1 });
    }
  return [...seen.values()].filter(({ count }) => count > 1).map(({ at }) => ({ at, colour: group[0]!.colour }));
}

/** What lines go around: the body of a part and its name. */
export function boxesOf(part: Part, shape: ClassShape): Box[] {
  const box = bodyBox(part, shape);
  const { x, y } = labelPlace(part, shape, box);
  const value = valueText(part, shape);
  const half = Math.max(textWidth(titleOf(part), NAME_FONT), textWidth(value, VALUE_FONT)) / 2 + 2;
  const left = besideBody(part, shape) ? x - 4 : x - half;
  return [box, { left, right: left + 2 * half + 2, top: y - 1, bottom: y + (value ? 26 : 12) }];
}
