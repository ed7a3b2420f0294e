// Drawing the sheet: paper, lines, parts, marks, and what is being done at the moment.

import { misfit } from "./actions.ts";
import { counts } from "./counts.ts";
import { drawEquated } from "./draw_equated.ts";
import { drawLines } from "./draw_lines.ts";
import { drawGraph, drawNotes, drawStates } from "./draw_marks.ts";
import { drawParts } from "./draw_parts.ts";
import type { Point } from "./geometry.ts";
import type { View } from "./sheet.ts";
import { endPlace, sheet } from "./sheet.ts";
import { diagnostics, partsByName } from "./store.ts";
import { drawSymbol } from "./symbol.ts";
import type { Theme } from "./theme.ts";
import { theme } from "./theme.ts";

/** A picture made for panning reaches so many pixels farther than the sheet at every side. */
const MARGIN = 320;

let picture: { canvas: HTMLCanvasElement; view: View; ratio: number } | null = null;

/** Draw all that is visible. */
export function draw(canvas: HTMLCanvasElement): void {
  counts.frames++;
  picture = null;
  const ratio = devicePixelRatio || 1;
  sheet.size = { x: canvas.clientWidth, y: canvas.clientHeight };
  fitted(canvas, sheet.size, ratio);
  const on = canvas.getContext("2d")!;
  paint(on, sheet.view, sheet.size, ratio);
  drawUnfinished(on, theme());
}

/** Draw what has not changed at another place: a picture of more than can be seen is moved as long as it reaches. */
export function drawPanned(canvas: HTMLCanvasElement): void {
  const { view, size } = sheet;
  const ratio = devicePixelRatio || 1;
  const by = picture ? { x: view.x - picture.view.x, y: view.y - picture.view.y } : { x: Infinity, y: 0 };
  counts.frames++;
  if (!picture || picture.ratio !== ratio || picture.view.zoom !== view.zoom || Math.abs(by.x) > MARGIN || Math.abs(by.y) > MARGIN) {
    picture = { canvas: picture?.canvas ?? document.createElement("canvas"), view, ratio };
    const wide = { x: size.x + 2 * MARGIN, y: size.y + 2 * MARGIN };
    fitted(picture.canvas, wide, ratio);
    paint(picture.canvas.getContext("2d", { alpha: false })!, { ...view, x: view.x + MARGIN, y: view.y + MARGIN }, wide, ratio);
    by.x = by.y = 0;
  } else {
    counts.panned++;
  }
  const on = canvas.getContext("2d")!;
  on.setTransform(1, 0, 0, 1, 0, 0);
  on.drawImage(picture.canvas, Math.round(ratio * (by.x - MARGIN)), Math.round(ratio * (by.y - MARGIN)));
}

function fitted(canvas: HTMLCanvasElement, size: Point, ratio: number): void {
  if (canvas.width !== Math.round(size.x * ratio)) canvas.width = Math.round(size.x * ratio);
  if (canvas.height !== Math.round(size.y * ratio)) canvas.height = Math.round(size.y * ratio);
}

/** The sheet as it is seen in a view of a size. */
function paint(on: CanvasRenderingContext2D, view: View, size: Point, ratio: number): void {
  const look = theme();
  const { x, y, zoom } = view;
  on.setTransform(ratio, 0, 0, ratio, 0, 0);
  on.fillStyle = look.paper;
  on.fillRect(0, 0, size.x, size.y);
  drawDots(on, look, view, size);
  on.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
  const visible = { left: -x / zoom, top: -y / zoom, right: (size.x - x) / zoom, bottom: (size.y - y) / zoom };
  const pen = { on, look, zoom, visible, errors: marks() };
  drawLines(pen);
  drawParts(pen);
  drawEquated(pen);
  drawNotes(on, look);
  drawStates(on, look);
  drawGraph(on, look);
}

function drawDots(on: CanvasRenderingContext2D, look: Theme, { x, y, zoom }: View, size: Point): void {
  const gap = (zoom < 0.6 ? 64 : 32) * zoom;
  if (gap < 10) return;
  on.fillStyle = look.dots;
  for (let i = ((x % gap) + gap) % gap; i < size.x; i += gap)
    for (let j = ((y % gap) + gap) % gap; j < size.y; j += gap) on.fillRect(i - 0.8, j - 0.8, 1.6, 1.6);
}

/** What messages are about: paths with whether it is an error. */
function marks(): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const message of diagnostics()) for (const path of message.about) found.set(path, (found.get(path) ?? false) || !message.warning);
  return found;
}

function drawUnfinished(on: CanvasRenderingContext2D, look: Theme): void {
  if (sheet.drawing) {
    const from = endPlace(sheet.drawing.from, partsByName());
    if (from) {
      const to = sheet.hover.port ? (endPlace(sheet.hover.port, partsByName())?.at ?? sheet.drawing.to) : sheet.drawing.to;
      const bad = sheet.hover.port !== null && misfit(sheet.drawing.from, sheet.hover.port) !== "";
      on.strokeStyle = bad ? look.bad : look.accent;
      on.lineWidth = 2;
      on.setLineDash([5, 5]);
      on.beginPath();
      on.moveTo(from.at.x, from.at.y);
      if (from.out.y) on.lineTo(from.at.x, to.y);
      else on.lineTo(to.x, from.at.y);
      on.lineTo(to.x, to.y);
      on.stroke();
      on.setLineDash([]);
    }
  }
  if (sheet.ghost) {
    on.save();
    on.globalAlpha = 0.55;
    on.translate(sheet.ghost.at.x, sheet.ghost.at.y);
    drawSymbol(on, sheet.ghost.shape, look.accent, () => undefined);
    on.restore();
  }
  if (sheet.band) {
    const { left, top, right, bottom } = sheet.band;
    on.fillStyle = look.accent;
    on.globalAlpha = 0.1;
    on.fillRect(left, top, right - left, bottom - top);
    on.globalAlpha = 1;
    on.strokeStyle = look.accent;
    on.lineWidth = 1 / sheet.view.zoom;
    on.strokeRect(left, top, right - left, bottom - top);
  }
}
