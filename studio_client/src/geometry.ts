// Where parts, ports and their neighbourhood are on the sheet.

import type { ClassShape, Part, PortShape } from "./protocol.ts";

export const GRID = 8;
/** Nearer to a part or its name a line counts as one through it. */
export const CLEAR = 4;

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Turn {
  quarter: number;
  mirrored: boolean;
}

export function turnOf(text: string): Turn {
  const found = /^(?:r(\d+))?(m)?$/.exec(text);
  return { quarter: found?.[1] ? Number(found[1]) / 90 : 0, mirrored: found?.[2] === "m" };
}

export function turnText(turn: Turn): string {
  const quarter = ((turn.quarter % 4) + 4) % 4;
  return (quarter ? `r${quarter * 90}` : "") + (turn.mirrored ? "m" : "");
}

/** A vector of a symbol as it stands on the sheet: mirrored first, then turned clockwise. */
export function turned(point: Point, turn: Turn): Point {
  let x = turn.mirrored ? -point.x : point.x;
  let y = point.y;
  for (let k = 0; k < turn.quarter; k++) [x, y] = [-y, x];
  return { x, y };
}

export function portPlace(part: Part, port: PortShape): Point {
  const by = turned(port, turnOf(part.place.turned));
  return { x: part.place.x + by.x, y: part.place.y + by.y };
}

const OUTWARD: Record<string, Point> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  top: { x: 0, y: -1 },
  bottom: { x: 0, y: 1 },
};

export function portDirection(part: Part, port: PortShape): Point {
  return turned(OUTWARD[port.side] ?? { x: 0, y: 0 }, turnOf(part.place.turned));
}

/** The body of a part, without its ports. */
export function bodyBox(part: Part, shape: ClassShape): Box {
  const half = part.port ? { x: 8, y: 8 } : { x: 28, y: Math.max(22, shape.height / 2 - 2) };
  const flat = turnOf(part.place.turned).quarter % 2 === 0 ? half : { x: half.y, y: half.x };
  const { x, y } = part.place;
  return { left: x - flat.x, top: y - flat.y, right: x + flat.x, bottom: y + flat.y };
}

export function inside(point: Point, box: Box, margin = 0): boolean {
  const { x, y } = point;
  return x >= box.left - margin && x <= box.right + margin && y >= box.top - margin && y <= box.bottom + margin;
}

/** The smallest box with all points. */
export function boxAround(points: Point[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { x, y } of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

export function grown(box: Box, by: number): Box {
  return { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by };
}

export function meet(one: Box, other: Box): boolean {
  return one.left <= other.right && one.right >= other.left && one.top <= other.bottom && one.bottom >= other.top;
}

export function snapped(value: number): number {
  return GRID * Math.round(value / GRID);
}

export function union(boxes: Box[]): Box | null {
  if (!boxes.length) return null;
  return boxAround(boxes.flatMap((box) => [{ x: box.left, y: box.top }, { x: box.right, y: box.bottom }]));
}

/** The port of an end `motor.p`, also for one element of an array of ports; null for what has no place. */
export function portOf(shape: ClassShape | undefined, end: string): PortShape | null {
  const name = end.slice(end.indexOf(".") + 1).replace(/\[.*$/, "");
  return shape?.ports.find((port) => port.name === name) ?? null;
}

export function partName(end: string): string {
  return end.replace(/[.[].*$/, "");
}
