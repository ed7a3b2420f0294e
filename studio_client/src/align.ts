// Several parts in line, or evenly apart: one step of the history.

import { edit } from "./actions.ts";
import { chosenParts } from "./clipboard.ts";
import { snapped } from "./geometry.ts";

export type Way = "row" | "column" | "across" | "down";

/** In one row or column, at the mean place; or evenly apart between the outermost ones. */
export async function align(way: Way): Promise<void> {
  const parts = chosenParts();
  if (parts.length < 2) return;
  const x = parts.map((part) => part.place.x);
  const y = parts.map((part) => part.place.y);
  const moved = {
    row: { x, y: even(y) },
    column: { x: even(x), y },
    across: { x: spread(x), y },
    down: { x, y: spread(y) },
  }[way];
  await edit({ kind: "MoveParts", names: parts.map((part) => part.name), ...moved });
}

function even(values: number[]): number[] {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.map(() => snapped(mean));
}

function spread(values: number[]): number[] {
  const order = values.map((_, k) => k).sort((a, b) => values[a]! - values[b]!);
  const low = values[order[0]!]!;
  const step = (values[order.at(-1)!]! - low) / Math.max(1, values.length - 1);
  const found = [...values];
  order.forEach((k, rank) => (found[k] = snapped(low + rank * step)));
  return found;
}
