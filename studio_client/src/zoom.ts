// How large the sheet is seen.

import type { Point } from "./geometry.ts";
import { sheet, toSheet } from "./sheet.ts";
import { changed } from "./store.ts";

export function limitedZoom(zoom: number): number {
  return Math.min(4, Math.max(0.08, zoom));
}

/** Larger or smaller by a factor; a point of the canvas stays where it is. */
export function zoomAt(point: Point, factor: number): void {
  const zoom = limitedZoom(sheet.view.zoom * factor);
  const at = toSheet(point);
  sheet.view = { zoom, x: point.x - at.x * zoom, y: point.y - at.y * zoom };
  changed("sheet");
}

export function panBy(by: Point): void {
  sheet.view = { ...sheet.view, x: sheet.view.x + by.x, y: sheet.view.y + by.y };
  changed("pan");
}
