// Things by place: cells of a grid, each with what reaches into it.

import type { Box } from "./geometry.ts";

const CELL = 160;
const MOST = 32768; // cells in each direction from the origin

export class Grid<T> {
  private cells = new Map<number, T[]>();

  add(item: T, box: Box): void {
    for (const key of keys(box)) {
      const cell = this.cells.get(key);
      if (cell) cell.push(item);
      else this.cells.set(key, [item]);
    }
  }

  /** All that may reach into a box. */
  near(box: Box): Set<T> {
    const found = new Set<T>();
    if (count(box) > this.cells.size) for (const cell of this.cells.values()) for (const item of cell) found.add(item);
    else for (const key of keys(box)) for (const item of this.cells.get(key) ?? []) found.add(item);
    return found;
  }
}

function count(box: Box): number {
  return ((box.right - box.left) / CELL + 1) * ((box.bottom - box.top) / CELL + 1);
}

function* keys(box: Box): Generator<number> {
  for (let i = Math.floor(box.left / CELL); i <= Math.floor(box.right / CELL); i++)
    for (let j = Math.floor(box.top / CELL); j <= Math.floor(box.bottom / CELL); j++) yield (i + MOST) * 2 * MOST + j + MOST;
}
