// Drawing the sheet: lines, parts, ports, names, and what is being done at the moment.

import { misfit } from "./actions.ts";
import type { Box } from "./geometry.ts";
import { bodyBox, inside, portDirection, portPlace, turned, turnOf } from "./geometry.ts";
import type { ClassShape, Part } from "./protocol.ts";
import type { Line } from "./sheet.ts";
import { besideBody, endPlace, labelPlace, parts, portsOf, routes, sheet, toSheet, valueText } from "./sheet.ts";
import { drawGraph, drawNotes, drawStates } from "./draw_marks.ts";
import { lineShown, partShown } from "./layers.ts";
import { diagnostics, shapeOf, store } from "./store.ts";
import { drawSymbol } from "./symbol.ts";

export interface Theme {
  paper: string;
  dots: string;
  ink: string;
  faint: string;
  accent: string;
  bad: string;
  warn: string;
  signal: string;
  good: string;
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: value("paper"),
    dots: value("dots"),
    ink: value("ink"),
    faint: value("faint"),
    accent: value("accent"),
    bad: value("bad"),
    warn: value("warn"),
    signal: value("signal"),
    good: value("good"),
  };
}

/** Draw all that is visible. */
export function draw(canvas: HTMLCanvasElement): void {
  const on = canvas.getContext("2d")!;
  const ratio = devicePixelRatio || 1;
  sheet.size = { x: canvas.clientWidth, y: canvas.clientHeight };
  if (canvas.width !== Math.round(sheet.size.x * ratio)) canvas.width = Math.round(sheet.size.x * ratio);
  if (canvas.height !== Math.round(sheet.size.y * ratio)) canvas.height = Math.round(sheet.size.y * ratio);
  const look = theme();
  const { x, y, zoom } = sheet.view;
  on.setTransform(ratio, 0, 0, ratio, 0, 0);
  on.fillStyle = look.paper;
  on.fillRect(0, 0, sheet.size.x, sheet.size.y);
  drawDots(on, look);
  on.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * x, ratio * y);
  const begin = toSheet({ x: -120 * zoom, y: -120 * zoom });
  const end = toSheet({ x: sheet.size.x + 120 * zoom, y: sheet.size.y + 120 * zoom });
  const visible = { left: begin.x, top: begin.y, right: end.x, bottom: end.y };
  const errors = marks();
  drawLines(on, look, errors);
  const faded = { ...look, ink: look.dots, faint: look.dots, signal: look.dots };
  const seen = parts().filter((part) => inside(part.place, visible));
  if (zoom < FAR) drawFar(on, seen, errors);
  for (const part of seen) {
    const shape = shapeOf(part);
    const marked = store.selected.has(part.name) || errors.has(part.name);
    if (!shape || (zoom < FAR && !marked)) continue;
    drawPart(on, partShown(part, shape) ? look : faded, part, partShown(part, shape) ? shape : fadedShape(shape, look), errors);
  }
  drawNotes(on, look);
  drawStates(on, look);
  drawGraph(on, look);
  drawUnfinished(on, look);
}

const FAR = 0.35;
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

/** From far away parts are boxes, all of one colour drawn at once. */
function drawFar(on: CanvasRenderingContext2D, seen: Part[], errors: Map<string, boolean>): void {
  const boxes = new Map<string, Path2D>();
  for (const part of seen) {
    const shape = shapeOf(part);
    if (!shape || store.selected.has(part.name) || errors.has(part.name)) continue;
    const box = bodyBox(part, shape);
    const path = boxes.get(shape.colour) ?? new Path2D();
    path.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    boxes.set(shape.colour, path);
  }
  on.lineWidth = 3;
  for (const [colour, path] of boxes) {
    on.fillStyle = colour;
    on.globalAlpha = 0.25;
    on.fill(path);
    on.globalAlpha = 1;
    on.strokeStyle = colour;
    on.stroke(path);
  }
}

/** All lines of one colour at once, where nothing about them is special. */
function drawFarLines(on: CanvasRenderingContext2D, look: Theme): void {
  const paths = new Map<string, Path2D>();
  for (const line of routes()) {
    const path = paths.get(line.colour) ?? new Path2D();
    line.points.forEach((point, k) => (k ? path.lineTo(point.x, point.y) : path.moveTo(point.x, point.y)));
    paths.set(line.colour, path);
  }
  on.lineWidth = 2;
  for (const [colour, path] of paths) {
    on.strokeStyle = colour === "signal" ? look.signal : colour;
    on.stroke(path);
  }
}

function drawDots(on: CanvasRenderingContext2D, look: Theme): void {
  const { x, y, zoom } = sheet.view;
  const gap = (zoom < 0.6 ? 64 : 32) * zoom;
  if (gap < 10) return;
  on.fillStyle = look.dots;
  for (let i = ((x % gap) + gap) % gap; i < sheet.size.x; i += gap)
    for (let j = ((y % gap) + gap) % gap; j < sheet.size.y; j += gap) on.fillRect(i - 0.8, j - 0.8, 1.6, 1.6);
}

/** What messages are about: paths with whether it is an error. */
function marks(): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const message of diagnostics()) for (const path of message.about) found.set(path, (found.get(path) ?? false) || !message.warning);
  return found;
}

function drawLines(on: CanvasRenderingContext2D, look: Theme, errors: Map<string, boolean>): void {
  on.lineJoin = "round";
  on.lineCap = "round";
  if (sheet.view.zoom < FAR && !store.wire && !errors.size) return drawFarLines(on, look);
  const byWire = new Map<number, Line[]>();
  for (const line of routes()) byWire.set(line.wire, [...(byWire.get(line.wire) ?? []), line]);
  for (const [number, group] of byWire) {
    const chosen = store.wire?.number === number;
    const hovered = sheet.hover.line?.wire === number;
    for (const line of group) {
      const path = new Path2D();
      line.points.forEach((point, k) => (k ? path.lineTo(point.x, point.y) : path.moveTo(point.x, point.y)));
      if (chosen || hovered) {
        on.strokeStyle = look.accent;
        on.globalAlpha = chosen && store.wire?.end === line.end ? 0.45 : 0.2;
        on.lineWidth = 8;
        on.stroke(path);
        on.globalAlpha = 1;
      }
      on.setLineDash(line.fixed ? [6, 5] : []);
      on.strokeStyle = errors.has(line.end) && isWireError(number) ? look.bad : !lineShown(line.colour) ? look.dots : line.colour === "signal" ? look.signal : line.colour;
      on.lineWidth = line.colour === "signal" ? 1.5 : 2;
      on.stroke(path);
      on.setLineDash([]);
    }
    if (group.length > 1) drawJunctions(on, look, group);
  }
}

/** Whether a message is about a wire itself: all of its ends are named. */
function isWireError(number: number): boolean {
  const wire = store.document?.diagram.wires[number];
  return !!wire && diagnostics().some((message) => wire.ends.every((end) => message.about.includes(end)));
}

function drawJunctions(on: CanvasRenderingContext2D, look: Theme, group: Line[]): void {
  const seen = new Map<string, number>();
  for (const line of group) for (const point of [line.points[0]!, line.points.at(-1)!]) seen.set(`${point.x},${point.y}`, (seen.get(`${point.x},${point.y}`) ?? 0) + 1);
  for (const [key, count] of seen) {
    if (count < 2) continue;
    const [x, y] = key.split(",").map(Number);
    on.beginPath();
    on.arc(x!, y!, 4.5, 0, 2 * Math.PI);
    on.fillStyle = group[0]!.colour === "signal" ? look.signal : group[0]!.colour;
    on.fill();
  }
}

function drawPart(on: CanvasRenderingContext2D, look: Theme, part: Part, shape: ClassShape, errors: Map<string, boolean>): void {
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
  if (sheet.view.zoom > 0.4) drawName(on, look, part, shape, box);
}

/** From the ports to the body, where the drawing does not reach. */
function drawLeads(on: CanvasRenderingContext2D, look: Theme, part: Part, shape: ClassShape): void {
  on.strokeStyle = look.ink;
  on.lineWidth = 2;
  on.beginPath();
  for (const port of portsOf(part, shape)) {
    const level = port.side === "left" || port.side === "right";
    const reach = shape.boxed ? (level ? 24 : shape.height / 2 - 3) : level ? 38 : 20;
    on.moveTo(port.x, port.y);
    on.lineTo(level ? Math.sign(port.x) * reach : port.x, level ? port.y : Math.sign(port.y) * reach);
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

function drawName(on: CanvasRenderingContext2D, look: Theme, part: Part, shape: ClassShape, box: Box): void {
  on.textAlign = "center";
  on.textBaseline = "top";
  on.font = "600 11.5px ui-sans-serif, system-ui, sans-serif";
  const { x, y } = labelPlace(part, shape, box);
  if (besideBody(part, shape)) on.textAlign = "left";
  on.fillStyle = look.ink;
  on.fillText(part.name, x, y);
  if (sheet.view.zoom <= 0.65) return;
  on.font = "10.5px ui-sans-serif, system-ui, sans-serif";
  on.fillStyle = look.faint;
  on.fillText(valueText(part, shape), x, y + 14);
}

function drawUnfinished(on: CanvasRenderingContext2D, look: Theme): void {
  if (sheet.drawing) {
    const byName = new Map(parts().map((part) => [part.name, part]));
    const from = endPlace(sheet.drawing.from, byName);
    if (from) {
      const to = sheet.hover.port ? (endPlace(sheet.hover.port, byName)?.at ?? sheet.drawing.to) : sheet.drawing.to;
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
