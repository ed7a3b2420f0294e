// Fingers: two of them zoom and pan at once; one that rests asks for the menu.

import type { Point } from "./geometry.ts";
import type { View } from "./sheet.ts";
import { sheet } from "./sheet.ts";
import { changed } from "./store.ts";
import { limitedZoom } from "./zoom.ts";

const REST = 550; // milliseconds
const STILL = 8; // pixels

const fingers = new Map<number, Point>();
let pinch: { between: number; middle: Point; view: View } | null = null;
let resting: { timer: number; at: Point } | null = null;

/** A finger more; whether there are two now, so that whatever one had begun is over. */
export function fingerDown(id: number, at: Point, menu: (at: Point) => void): boolean {
  fingers.set(id, at);
  endRest();
  if (fingers.size === 1) resting = { at, timer: window.setTimeout(() => ((resting = null), menu(at)), REST) };
  pinch = fingers.size === 2 ? { ...spread(), view: sheet.view } : null;
  return fingers.size > 1;
}

/** A finger has moved; whether it is one of two. */
export function fingerMoved(id: number, at: Point): boolean {
  if (!fingers.has(id)) return false;
  fingers.set(id, at);
  if (resting && Math.hypot(at.x - resting.at.x, at.y - resting.at.y) > STILL) endRest();
  if (!pinch) return fingers.size > 1;
  const { between, middle } = spread();
  const { view } = pinch;
  const zoom = limitedZoom((view.zoom * between) / Math.max(1, pinch.between));
  const still = { x: (pinch.middle.x - view.x) / view.zoom, y: (pinch.middle.y - view.y) / view.zoom };
  sheet.view = { zoom, x: middle.x - zoom * still.x, y: middle.y - zoom * still.y };
  changed("sheet");
  return true;
}

/** A finger less; whether it was one of several, so that nothing follows from lifting it. */
export function fingerUp(id: number): boolean {
  const several = fingers.size > 1 || pinch !== null;
  fingers.delete(id);
  endRest();
  if (!fingers.size) pinch = null;
  return several;
}

function endRest(): void {
  if (resting) window.clearTimeout(resting.timer);
  resting = null;
}

function spread(): { between: number; middle: Point } {
  const [one, other] = [...fingers.values()] as [Point, Point];
  return { between: Math.hypot(other.x - one.x, other.y - one.y), middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 } };
}
