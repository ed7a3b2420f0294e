// Parts on the sheet: symbols, ports and names; from far away boxes.

import { misfit } from "./actions.ts";
import { counts } from "./counts.ts";
import type { Box } from "./geometry.ts";
import { bodyBox, portDirection, portPlace, turned, turnOf } from "./geometry.ts";
import { partShown } from "./layers.ts";
import type { Pen } from "./pen.ts";
import { FAR } from "./pen.ts";
import type { ClassShape, Part, State } from "./protocol.ts";
import { besideBody, labelPlace, parts, partsNear, portsOf, sheet, titleOf, valueText } from "./sheet.ts";
import { shapeOf, store } from "./store.ts";
import { drawSymbol, leads } from "./symbol.ts";
import { NAME_FONT, VALUE_FONT } from "./text_width.ts";
import type { Theme } from "./theme.ts";

/** The parts that can be seen; from far away only those that are marked have more than a box. */
export function drawParts(pen: Pen): void {
  const { look, errors } = pen;
  const faded = { ...look, ink: look.dots, faint: look.dots, signal: look.dots };
  const marked = (part: Part) => store.selected.has(part.name) || errors.has(part.name);
  if (pen.zoom < FAR) drawFar(pen.on);
  for (const part of pen.zoom < FAR ? parts().filter(marked) : partsNear(pen.visible)) {
    const shape = shapeOf(part);
    if (!shape) continue;
    const shown = partShown(part, shape);
    drawPart(pen, shown ? look : faded, part, shown ? shape : fadedShape(shape, look));
  }
}

const fadedShapes = new Map<string, ClassShape>();

/** A class of another layer: the same in the colour of the grid. */
function fadedShape(shape: ClassShape, look: Theme): ClassShape {
  const key = `${shape.key} ${look.dots}`;
  const known = fadedShapes.get(key);
  if (known) return known;
  const colour = look.dots;
  const made = { ...shape, colour, drawing: shape.drawing && !shape.boxed ? shape.drawing : "", ports: shape.ports.map((port) => ({ ...port, colour })) };
  fadedShapes.set(key, made);
  return made;
}

let far: { of: State | null; boxes: Map<string, Path2D> } = { of: null, boxes: new Map() };

/** All boxes of one colour at once, put together once for each state of the document. */
function drawFar(on: CanvasRenderingContext2D): void {
  if (far.of !== store.document || sheet.moved) {
    far = { of: sheet.moved ? null : store.document, boxes: new Map() };
    for (const part of parts()) {
      const shape = shapeOf(part);
      if (!shape) continue;
      const box = bodyBox(part, shape);
      const path = far.boxes.get(shape.colour) ?? new Path2D();
      path.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
      far.boxes.set(shape.colour, path);
    }
  }
  counts.parts += store.document?.diagram.parts.length ?? 0;
  on.lineWidth = 3;
  for (const [colour, path] of far.boxes) {
    on.fillStyle = colour;
    on.globalAlpha = 0.25;
    on.fill(path);
    on.globalAlpha = 1;
    on.strokeStyle = colour;
    on.stroke(path);
  }
}

function drawPart({ on, errors, zoom }: Pen, look: Theme, part: Part, shape: ClassShape): void {
  counts.parts++;
  const turn = turnOf(part.place.turned);
  const box = bodyBox(part, shape);
  const error = errors.get(part.name);
  on.save();
  if (store.selected.has(part.name) || sheet.hover.part?.name === part.name || error !== undefined) {
    const ring = new Path2D();
    ring.roundRect(box.left - 5, box.top - 5, box.right - box.left + 10, box.bottom - box.top + 10, 8);
    on.globalAlpha = store.selected.has(part.name) ? 0.16 : 0.07;
    on.fillStyle = error === undefined || store.selected.has(part.name) ? look.accent : error ? look.bad : look.warn;
    on.fill(ring);
    on.globalAlpha = error !== undefined || store.selected.has(part.name) ? 0.9 : 0;
    on.strokeStyle = error === undefined ? look.accent : error ? look.bad : look.warn;
    on.lineWidth = 1.5;
    on.stroke(ring);
    on.globalAlpha = 1;
  }
  if (part.count || part.condition) drawKind(on, look, part, box);
  on.translate(part.place.x, part.place.y);
  if (part.port) {
    on.fillStyle = shape.colour;
    on.beginPath();
    on.roundRect(-7, -7, 14, 14, 3);
    on.fill();
  } else {
    on.rotate((turn.quarter * Math.PI) / 2);
    on.scale(turn.mirrored ? -1 : 1, 1);
    drawLeads(on, look, part, shape);
    drawSymbol(on, shape, look.ink, () => {
      on.scale(turn.mirrored ? -1 : 1, 1);
      on.rotate((-turn.quarter * Math.PI) / 2);
    });
  }
  on.restore();
  drawPorts(on, look, part, shape, errors);
  if (zoom > 0.4) drawName(on, look, part, shape, box, zoom);
}

/** An array has others behind it, a conditional part a dashed frame. */
function drawKind(on: CanvasRenderingContext2D, look: Theme, part: Part, box: Box): void {
  const [wide, tall] = [box.right - box.left + 6, box.bottom - box.top + 6];
  on.strokeStyle = look.faint;
  on.lineWidth = 1.2;
  if (part.condition) {
    on.setLineDash([4, 4]);
    on.strokeRect(box.left - 5, box.top - 5, wide + 4, tall + 4);
    on.setLineDash([]);
  }
  if (!part.count) return;
  for (const shift of [4, 8]) {
    on.beginPath();
    on.moveTo(box.left + shift, box.top - shift);
    on.lineTo(box.right + shift, box.top - shift);
    on.lineTo(box.right + shift, box.bottom - shift);
    on.stroke();
  }
}

/** From the ports to the body, where the drawing does not reach. */
function drawLeads(on: CanvasRenderingContext2D, look: Theme, part: Part, shape: ClassShape): void {
  on.strokeStyle = look.ink;
  on.lineWidth = 2;
  on.beginPath();
  for (const lead of leads(shape, portsOf(part, shape))) {
    on.moveTo(lead.x, lead.y);
    on.lineTo(lead.toX, lead.toY);
  }
  on.stroke();
}

function drawPorts(on: CanvasRenderingContext2D, look: Theme, part: Part, shape: ClassShape, errors: Map<string, boolean>): void {
  for (const port of portsOf(part, shape)) {
    const path = `${part.name}.${port.name}`;
    const at = portPlace(part, port);
    const from = sheet.drawing?.from;
    const fits = from !== undefined && from !== path && misfit(from, path) === "";
    const size = sheet.hover.port === path ? 6 : fits ? 5 : 3.5;
    if (from !== undefined && (fits || sheet.hover.port === path)) {
      on.beginPath();
      on.arc(at.x, at.y, 10, 0, 2 * Math.PI);
      on.fillStyle = fits ? look.accent : look.bad;
      on.globalAlpha = 0.22;
      on.fill();
      on.globalAlpha = 1;
    }
    on.fillStyle = port.role === "port" ? port.colour : look.signal;
    on.beginPath();
    if (port.role === "port") {
      on.rect(at.x - size, at.y - size, 2 * size, 2 * size);
    } else {
      const way = portDirection(part, port);
      const out = port.role === "output" ? way : { x: -way.x, y: -way.y };
      const side = turned(out, { quarter: 1, mirrored: false });
      on.moveTo(at.x + out.x * (size + 1), at.y + out.y * (size + 1));
      on.lineTo(at.x - out.x * size + side.x * size, at.y - out.y * size + side.y * size);
      on.lineTo(at.x - out.x * size - side.x * size, at.y - out.y * size - side.y * size);
      on.closePath();
    }
    on.fill();
    const error = errors.get(path);
    if (error !== undefined) {
      on.strokeStyle = error ? look.bad : look.warn;
      on.lineWidth = 2;
      on.beginPath();
      on.arc(at.x, at.y, 8, 0, 2 * Math.PI);
      on.stroke();
    }
  }
}

function drawName(on: CanvasRenderingContext2D, look: Theme, part: Part, shape: ClassShape, box: Box, zoom: number): void {
  on.textAlign = "center";
  on.textBaseline = "top";
  on.font = NAME_FONT;
  const { x, y } = labelPlace(part, shape, box);
  if (besideBody(part, shape)) on.textAlign = "left";
  on.fillStyle = look.ink;
  on.fillText(titleOf(part), x, y);
  if (zoom <= 0.65) return;
  on.font = VALUE_FONT;
  on.fillStyle = look.faint;
  on.fillText(valueText(part, shape), x, y + 14);
}
