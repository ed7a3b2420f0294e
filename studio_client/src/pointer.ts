// Gestures on the sheet: move, wire, select, pan, zoom; the same for mouse, pen and touch.

import { connect, edit, misfit, openPart, refuse, select } from "./actions.ts";
import type { Point } from "./geometry.ts";
import { bodyBox, inside, snapped } from "./geometry.ts";
import { closeMenu, openMenu } from "./menu.ts";
import { sheet, toSheet, under } from "./sheet.ts";
import { changed, shapeOf, store } from "./store.ts";
import { newNote } from "./top_bar.ts";
import { fingerDown, fingerMoved, fingerUp } from "./touch.ts";
import { panBy, zoomAt } from "./zoom.ts";

type Gesture =
  | { kind: "move"; from: Point }
  | { kind: "wire"; from: string }
  | { kind: "pan"; from: Point; view: Point }
  | { kind: "band"; from: Point };

let gesture: Gesture | null = null;
let started: Point = { x: 0, y: 0 };

export function listen(canvas: HTMLCanvasElement): void {
  canvas.onpointerdown = (event) => {
    closeMenu();
    canvas.setPointerCapture(event.pointerId);
    canvas.focus({ preventScroll: true });
    const point = pointOf(event);
    if (event.pointerType === "touch" && fingerDown(event.pointerId, point, (at) => (stop(), openMenu(at, SHEET_ITEMS)))) return stop();
    if (event.button !== 2) pressed(point, event);
  };
  canvas.onpointermove = (event) => {
    if (!fingerMoved(event.pointerId, pointOf(event))) moved(pointOf(event));
  };
  canvas.onpointerup = (event) => {
    if (!fingerUp(event.pointerId)) released(pointOf(event));
  };
  canvas.onpointercancel = (event) => (fingerUp(event.pointerId), stop());
  canvas.oncontextmenu = (event) => {
    event.preventDefault();
    openMenu(pointOf(event), SHEET_ITEMS);
  };
  canvas.ondblclick = (event) => {
    const part = under(toSheet(pointOf(event))).part;
    if (part) void openPart(part);
  };
  canvas.onwheel = (event) => {
    event.preventDefault();
    if (event.ctrlKey || !event.shiftKey) zoomAt(pointOf(event), Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)));
    else panBy({ x: -event.deltaY, y: 0 });
  };
}

/** In every menu of the sheet. */
export const SHEET_ITEMS = [
  { words: "Select all", key: "Ctrl A", act: () => selectAll() },
  { words: "Note", key: "N", act: () => newNote() },
];

function pointOf(event: MouseEvent): Point {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function pressed(point: Point, event: PointerEvent): void {
  started = point;
  const at = toSheet(point);
  const found = under(at);
  const adding = event.shiftKey || event.ctrlKey || event.metaKey;
  if (event.button === 1) {
    gesture = { kind: "pan", from: point, view: { ...sheet.view } };
  } else if (found.port && !adding) {
    gesture = { kind: "wire", from: found.port };
  } else if (found.part) {
    const name = found.part.name;
    if (adding) select([...store.selected, name]);
    else if (!store.selected.has(name)) select([name]);
    gesture = { kind: "move", from: at };
  } else if (found.note) {
    if (!store.selected.has(found.note)) select([found.note]);
    gesture = { kind: "move", from: at };
  } else if (found.line) {
    select([]);
    store.wire = { number: found.line.wire, end: found.line.end };
    changed();
  } else if (event.shiftKey) {
    gesture = { kind: "band", from: at };
  } else {
    gesture = { kind: "pan", from: point, view: { ...sheet.view } };
  }
}

function moved(point: Point): void {
  const at = toSheet(point);
  const far = Math.hypot(point.x - started.x, point.y - started.y) > 4;
  if (gesture?.kind === "pan") {
    sheet.view = { ...sheet.view, x: gesture.view.x + point.x - gesture.from.x, y: gesture.view.y + point.y - gesture.from.y };
    return changed("pan");
  }
  if (gesture?.kind === "move" && far) {
    sheet.moved = { by: { x: snapped(at.x - gesture.from.x), y: snapped(at.y - gesture.from.y) } };
  } else if (gesture?.kind === "wire") {
    if (far) sheet.drawing = { from: gesture.from, to: at };
    sheet.hover = under(at);
  } else if (gesture?.kind === "band") {
    const { from } = gesture;
    sheet.band = { left: Math.min(from.x, at.x), right: Math.max(from.x, at.x), top: Math.min(from.y, at.y), bottom: Math.max(from.y, at.y) };
  } else if (gesture === null) {
    const hover = under(at);
    const { port, part, line } = sheet.hover;
    if (hover.port === port && hover.part?.name === part?.name && hover.line?.wire === line?.wire) return;
    sheet.hover = hover;
  }
  changed("sheet");
}

function released(point: Point): void {
  const at = toSheet(point);
  const done = gesture;
  const { moved: shift, band } = sheet;
  const far = Math.hypot(point.x - started.x, point.y - started.y) > 4;
  if (done?.kind === "move" && shift && (shift.by.x || shift.by.y)) {
    void movedParts(shift.by).finally(stop);
    gesture = null;
    return;
  }
  stop();
  if (done?.kind === "wire") wired(done.from, at, far);
  else if (done?.kind === "band" && band) select(parts().filter((part) => inside(part.place, band)).map((part) => part.name));
  else if (done?.kind === "pan" && !far) select([]);
}

function parts() {
  return store.document?.diagram.parts ?? [];
}

function stop(): void {
  gesture = null;
  Object.assign(sheet, { moved: null, drawing: null, band: null });
  changed();
}

async function movedParts(by: Point): Promise<void> {
  const standing = [...parts(), ...(store.document?.diagram.notes ?? [])];
  const chosen = standing.filter((one) => store.selected.has(one.name));
  await edit({
    kind: "MoveParts",
    names: chosen.map((part) => part.name),
    x: chosen.map((part) => part.place.x + by.x),
    y: chosen.map((part) => part.place.y + by.y),
  });
}

/** A wire was drawn: to a port, or to a line that is there. */
function wired(from: string, at: Point, far: boolean): void {
  const found = under(at);
  if (!far) {
    select([from.replace(/[.[].*$/, "")]);
    store.port = from;
  } else if (found.port && found.port !== from) {
    void connect(from, found.port);
  } else if (found.line) {
    const wire = store.document!.diagram.wires[found.line.wire]!;
    if (wire.fixed) refuse(`this connection is ${wire.fixed}`, "edit the text");
    else if (misfit(from, wire.ends[0]!)) void connect(from, wire.ends[0]!);
    else void connect(wire.ends[0]!, from);
  }
}

/** The next part of the document, or the one before: for the keyboard. */
export function selectNext(step: number): void {
  const names = parts().map((part) => part.name);
  const now = names.findIndex((name) => store.selected.has(name));
  const next = names[now < 0 ? 0 : (now + step + names.length) % names.length];
  if (next) select([next]);
}

/** Move what is selected by the keyboard. */
export function nudge(by: Point): void {
  void movedParts(by);
}

export function selectAll(): void {
  select(parts().filter((part) => shapeOf(part) && bodyBox(part, shapeOf(part)!)).map((part) => part.name));
}
