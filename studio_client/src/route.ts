// Lines that route themselves: orthogonal, around parts, with few bends, and not upon lines of other nets.

import { detour } from "./detour.ts";
import type { Box, Point } from "./geometry.ts";
import { boxAround, CLEAR, grown } from "./geometry.ts";
import { Grid } from "./grid.ts";

export interface RouteEnd {
  at: Point;
  out: Point;
}

/** How far from its ends a line looks for ways around parts. */
export const REACH = 60;
const STUB = 16;
const GAP = 12;
const BEND = 24;
const THROUGH = 600;
/** For each unit of a way around, where it cannot but pass through a part. */
const INSIDE = 10;
const UPON = 60;
/** A line past more parts than this goes around those at its ends alone: it would take too long to look at all. */
const MANY = 60;
/** Past more than this, lines that no simple way leads around stay as they are. */
const MANY_AROUND = 32;
/** And on sheets with more bodies and names than this, where nobody reads them all. */
const LARGE = 600;

interface Segment {
  from: Point;
  to: Point;
  net: number;
}

/** Routes of one sheet: it knows the bodies of parts, and the lines that are there already. */
export class Router {
  private boxes = new Grid<Box>();
  private rows = new Map<number, Segment[]>();
  private columns = new Map<number, Segment[]>();

  private large: boolean;

  constructor(boxes: Box[]) {
    this.large = boxes.length > LARGE;
    for (const box of boxes) this.boxes.add(box, box);
  }

  /** The corners of a line from one end to another; the line is remembered. */
  route(first: RouteEnd, second: RouteEnd, net: number): Point[] {
    const start = { x: first.at.x + STUB * first.out.x, y: first.at.y + STUB * first.out.y };
    const end = { x: second.at.x + STUB * second.out.x, y: second.at.y + STUB * second.out.y };
    const all = [...this.boxes.near(grown(boxAround([start, end]), REACH))];
    const near = all.length > MANY ? [...this.boxes.near(grown(boxAround([start]), 80)), ...this.boxes.near(grown(boxAround([end]), 80))] : all;
    const few = !this.large && near.length <= MANY_AROUND;
    const boxes = few ? [...this.boxes.near(grown(boxAround(near.flatMap(cornersOf).concat(start, end)), 2 * GAP))] : near;
    let best: Point[] = [];
    let least = Infinity;
    const compare = (middle: Point[]) => {
      const whole = [first.at, start, ...middle, end, second.at];
      if (lengthOf(whole) >= least) return; // whatever it passes, it cannot be the best
      const path = simplified(whole);
      const cost = this.cost(path, boxes, net, least);
      if (cost < least) [best, least] = [path, cost];
    };
    for (const middle of candidates(start, end, near)) compare(middle);
    if (few && crosses(best, boxes)) {
      const costs = { bend: BEND, inside: INSIDE, upon: (from: Point, to: Point) => this.upon(from, to, net) };
      const middle = detour(start, end, first.out, second.out, boxes, costs);
      if (middle.length) compare(middle);
    }
    this.remember(best, net);
    return best;
  }

  /** A line that is there: others do not run upon it. */
  remember(points: Point[], net: number): void {
    for (let k = 1; k < points.length; k++) {
      const [from, to] = [points[k - 1]!, points[k]!];
      const level = from.y === to.y;
      const table = level ? this.rows : this.columns;
      const key = level ? from.y : from.x;
      const known = table.get(key);
      if (known) known.push({ from, to, net });
      else table.set(key, [{ from, to, net }]);
    }
  }

  private cost(path: Point[], boxes: Box[], net: number, most: number): number {
    let cost = BEND * (path.length - 2);
    for (let k = 1; k < path.length && cost < most; k++) {
      const from = path[k - 1]!;
      const to = path[k]!;
      cost += Math.abs(to.x - from.x) + Math.abs(to.y - from.y);
      const left = Math.min(from.x, to.x);
      const right = Math.max(from.x, to.x);
      const top = Math.min(from.y, to.y);
      const bottom = Math.max(from.y, to.y);
      for (const box of boxes)
        if (passes(left, top, right, bottom, box)) cost += THROUGH;
      cost += this.upon(from, to, net);
    }
    // Back along the stub is never what somebody would draw.
    for (let k = 2; k < path.length; k++) if (turnsBack(path[k - 2]!, path[k - 1]!, path[k]!)) cost += 2 * THROUGH;
    return cost;
  }

  /** What it costs that a straight piece lies upon lines of other nets. */
  private upon(from: Point, to: Point, net: number): number {
    const level = from.y === to.y;
    let cost = 0;
    for (const other of (level ? this.rows.get(from.y) : this.columns.get(from.x)) ?? []) {
      if (other.net === net) continue;
      const shared = level
        ? Math.min(Math.max(from.x, to.x), Math.max(other.from.x, other.to.x)) - Math.max(Math.min(from.x, to.x), Math.min(other.from.x, other.to.x))
        : Math.min(Math.max(from.y, to.y), Math.max(other.from.y, other.to.y)) - Math.max(Math.min(from.y, to.y), Math.min(other.from.y, other.to.y));
      if (shared > 0) cost += UPON + 4 * shared;
    }
    return cost;
  }
}

function passes(left: number, top: number, right: number, bottom: number, box: Box): boolean {
  return left < box.right + CLEAR && right > box.left - CLEAR && top < box.bottom + CLEAR && bottom > box.top - CLEAR;
}

/** Whether a way leads through a part or its name. */
function crosses(path: Point[], boxes: Box[]): boolean {
  return path.slice(1).some((to, k) => {
    const { left, top, right, bottom } = boxAround([path[k]!, to]);
    return boxes.some((box) => passes(left, top, right, bottom, box));
  });
}

function cornersOf({ left, top, right, bottom }: Box): Point[] {
  return [{ x: left, y: top }, { x: right, y: bottom }];
}

function lengthOf(path: Point[]): number {
  let sum = 0;
  for (let k = 1; k < path.length; k++) sum += Math.abs(path[k]!.x - path[k - 1]!.x) + Math.abs(path[k]!.y - path[k - 1]!.y);
  return sum;
}

function turnsBack(a: Point, b: Point, c: Point): boolean {
  return (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0;
}

/** Ways between two points: with one, two or three bends, past the edges of the parts around. */
function* candidates(start: Point, end: Point, boxes: Box[]): Generator<Point[]> {
  yield [{ x: end.x, y: start.y }];
  yield [{ x: start.x, y: end.y }];
  const grid = (value: number) => 4 * Math.round(value / 4);
  const xs = new Set([grid((start.x + end.x) / 2)]);
  const ys = new Set([grid((start.y + end.y) / 2)]);
  for (const box of boxes) {
    xs.add(box.left - GAP - 4).add(box.right + GAP + 4);
    ys.add(box.top - GAP).add(box.bottom + GAP);
  }
  for (const lane of [-16, -8, 8, 16]) {
    xs.add(grid((start.x + end.x) / 2 + lane)).add(start.x + lane).add(end.x + lane);
    ys.add(grid((start.y + end.y) / 2 + lane)).add(start.y + lane).add(end.y + lane);
  }
  for (const x of xs) yield [{ x, y: start.y }, { x, y: end.y }];
  for (const y of ys) yield [{ x: start.x, y }, { x: end.x, y }];
  const few = (values: Set<number>, from: number, to: number) =>
    [...values].sort((a, b) => Math.abs(a - from) + Math.abs(a - to) - Math.abs(b - from) - Math.abs(b - to)).slice(0, 8);
  for (const x of few(xs, start.x, end.x))
    for (const y of few(ys, start.y, end.y)) {
      yield [{ x, y: start.y }, { x, y }, { x: end.x, y }];
      yield [{ x: start.x, y }, { x, y }, { x, y: end.y }];
    }
}

/** Without points that lie on a straight line between their neighbours. */
function simplified(path: Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of path) {
    const last = kept.at(-1);
    if (last && last.x === point.x && last.y === point.y) continue;
    const before = kept.at(-2);
    const along = before && last && ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y));
    if (along && !turnsBack(before, last, point)) kept.pop();
    kept.push(point);
  }
  return kept;
}
