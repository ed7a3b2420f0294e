// The way around boxes where no simple line passes them: the A* search (Hart, Nilsson, Raphael 1968) on the grid of their edges.

import type { Box, Point } from "./geometry.ts";
import { CLEAR } from "./geometry.ts";

/** What a way costs besides its length. */
export interface Costs {
  bend: number;
  /** For each unit of length inside of a box. */
  inside: number;
  /** Of a straight piece that lies upon other lines. */
  upon(from: Point, to: Point): number;
}

const MARGIN = 6;
const WAYS: Point[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
];

interface Grid {
  xs: number[];
  ys: number[];
  /** Whether the step right, and the one down, of each node is inside of a box. */
  blocked: [Uint8Array, Uint8Array];
}

/** The corners between two points that lie before ports, which face in the directions `out` and `other`. */
export function detour(start: Point, end: Point, out: Point, other: Point, boxes: Box[], costs: Costs): Point[] {
  const grid = gridOf(start, end, boxes);
  const wide = grid.xs.length;
  const at = (point: Point) => grid.xs.indexOf(point.x) + wide * grid.ys.indexOf(point.y);
  const place = (node: number): Point => ({ x: grid.xs[node % wide]!, y: grid.ys[Math.floor(node / wide)]! });
  const least = new Float64Array(4 * wide * grid.ys.length).fill(Infinity);
  const before = new Int32Array(least.length).fill(-1);
  const far = (point: Point) => Math.abs(point.x - end.x) + Math.abs(point.y - end.y);
  const queue = new Queue(); // of states: a node, and the way in which a line leaves it
  const goal = at(end);
  const last = WAYS.findIndex((way) => way.x === -other.x && way.y === -other.y);
  WAYS.forEach((way, k) => {
    if (way.x * out.x + way.y * out.y < 0) return;
    const straight = way.x === out.x && way.y === out.y;
    const state = 4 * at(start) + k;
    least[state] = straight || (!out.x && !out.y) ? 0 : costs.bend;
    queue.add(state, least[state]! + far(start));
  });
  for (let state = queue.next(); state >= 0; state = queue.next()) {
    const [node, way] = [state >> 2, state & 3];
    if (node === goal && (way === last || last < 0)) return corners(state, before, place);
    const step = neighbour(grid, node, way);
    if (step < 0) continue;
    const [from, to] = [place(node), place(step)];
    const length = Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
    const blocked = grid.blocked[way & 1]![Math.min(node, step)];
    const there = least[state]! + length * (blocked ? costs.inside : 1) + costs.upon(from, to);
    for (const turn of [way, (way + 1) & 3, (way + 3) & 3]) {
      const cost = there + (turn === way ? 0 : costs.bend);
      if (cost >= least[4 * step + turn]!) continue;
      least[4 * step + turn] = cost;
      before[4 * step + turn] = state;
      queue.add(4 * step + turn, cost + far(to));
    }
  }
  return [];
}

function gridOf(start: Point, end: Point, boxes: Box[]): Grid {
  const xs = new Set([start.x, end.x, 4 * Math.round((start.x + end.x) / 8)]);
  const ys = new Set([start.y, end.y, 4 * Math.round((start.y + end.y) / 8)]);
  for (const box of boxes) {
    xs.add(box.left - MARGIN).add(box.right + MARGIN);
    ys.add(box.top - MARGIN).add(box.bottom + MARGIN);
  }
  const sorted = (values: Set<number>) => [...values].sort((a, b) => a - b);
  const grid: Grid = { xs: sorted(xs), ys: sorted(ys), blocked: [new Uint8Array(0), new Uint8Array(0)] };
  grid.blocked = [blockedSteps(grid, boxes, 0), blockedSteps(grid, boxes, 1)];
  return grid;
}

function blockedSteps({ xs, ys }: Grid, boxes: Box[], way: 0 | 1): Uint8Array {
  const found = new Uint8Array(xs.length * ys.length);
  for (const box of boxes)
    for (let j = 0; j < ys.length - way; j++) {
      if (ys[j]! >= box.bottom + CLEAR || ys[j + way]! <= box.top - CLEAR) continue;
      for (let i = 0; i < xs.length - 1 + way; i++) if (xs[i]! < box.right + CLEAR && xs[i + 1 - way]! > box.left - CLEAR) found[i + xs.length * j] = 1;
    }
  return found;
}

function neighbour({ xs, ys }: Grid, node: number, way: number): number {
  const { x, y } = WAYS[way]!;
  const [i, j] = [(node % xs.length) + x, Math.floor(node / xs.length) + y];
  return i < 0 || j < 0 || i >= xs.length || j >= ys.length ? -1 : i + xs.length * j;
}

function corners(state: number, before: Int32Array, place: (node: number) => Point): Point[] {
  const found: Point[] = [];
  for (let k = state; k >= 0; k = before[k]!) found.push(place(k >> 2));
  return found.reverse();
}

/** The cheapest first; what was found again more cheaply is in it twice. */
class Queue {
  private items: { state: number; cost: number }[] = [];

  add(state: number, cost: number): void {
    const { items } = this;
    let at = items.push({ state, cost }) - 1;
    for (let up = (at - 1) >> 1; at && items[up]!.cost > cost; at = up, up = (at - 1) >> 1) [items[at], items[up]] = [items[up]!, items[at]!];
  }

  next(): number {
    const { items } = this;
    const first = items[0];
    const last = items.pop();
    if (!first || !last) return -1;
    if (!items.length) return first.state;
    items[0] = last;
    for (let at = 0, down = 1; down < items.length; down = 2 * at + 1) {
      if (down + 1 < items.length && items[down + 1]!.cost < items[down]!.cost) down++;
      if (items[down]!.cost >= last.cost) break;
      [items[at], items[down]] = [items[down]!, items[at]!];
      at = down;
    }
    return first.state;
  }
}
