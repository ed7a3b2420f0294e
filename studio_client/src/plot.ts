// Curves over time: one field per unit, one axis of time, values at the pointer.

import { axis, ends, short } from "./axis.ts";
import { counts } from "./counts.ts";
import { drawAcross } from "./plot_across.ts";
import { drawField } from "./plot_field.ts";
import type { Run } from "./store.ts";
import { store } from "./store.ts";

const COLOURS = ["#3b82f6", "#f59e0b", "#10b981", "#ef4444", "#a855f7", "#06b6d4", "#ec4899", "#84cc16"];
export const LEFT = 64;
export const RIGHT = 16;
const TOP = 10;
const BOTTOM = 26;
const GAP = 10;
/** The part of all columns of pixels that may have a line for an event. */
const DENSE = 0.25;

/** Where values are read, and what is read there. */
export const pointer = { x: -1, words: "" };

/** How many columns of pixels curves have. */
export function columns(): number {
  return Math.round(document.getElementById("plot")!.clientWidth - LEFT - RIGHT);
}

export function colourOf(name: string): string {
  return COLOURS[Math.max(0, store.shown.indexOf(name)) % COLOURS.length]!;
}

export function range(runs: Run[], names: string[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const run of runs)
    for (const name of names)
      for (const value of run.curves.get(name)?.values ?? []) {
        if (value < low && value !== -Infinity) low = value;
        if (value > high && value !== Infinity) high = value;
      }
  return ends(low, high);
}

export interface Shown {
  unit: string;
  names: string[];
  low: number;
  high: number;
}

/** The curves that are shown, by unit, with the range of each field. */
export function fields(): Shown[] {
  const groups = new Map<string, string[]>();
  for (const name of store.shown) {
    const curve = store.run?.curves.get(name);
    if (curve) groups.set(curve.unit, [...(groups.get(curve.unit) ?? []), name]);
  }
  return [...groups].map(([unit, names]) => {
    const [low, high] = range([...store.kept, store.run!], names);
    return { unit, names, low, high };
  });
}

export function drawPlot(canvas: HTMLCanvasElement): void {
  counts.plots++;
  const on = canvas.getContext("2d")!;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--faint").trim();
  const grid = style.getPropertyValue("--edge").trim();
  on.setTransform(ratio, 0, 0, ratio, 0, 0);
  on.clearRect(0, 0, width, height);
  const run = store.run;
  const shown = fields();
  if (run && store.view === "field") return drawField(on, { width, height, ink });
  if (!run || !shown.length) return instead(on, { width, height, ink });
  if (store.view === "xy") return drawAcross(on, { width, height, ink, grid });
  const first = run.times[0]!;
  const last = run.times.at(-1)!;
  const tall = (height - TOP - BOTTOM - GAP * (shown.length - 1)) / shown.length;
  const xOf = (time: number) => LEFT + ((time - first) / (last - first || 1)) * (width - LEFT - RIGHT);
  on.font = "11px ui-sans-serif, system-ui, sans-serif";
  let top = TOP;
  drawEvents(on, run.events, xOf, height, ink);
  for (const { unit, names } of shown) {
    field(on, { unit, names, top, tall, width, xOf, ink, grid, first, last }, [...store.kept, run]);
    top += tall + GAP;
  }
  on.fillStyle = ink;
  on.textAlign = "center";
  on.textBaseline = "top";
  const { marks, base } = axis(first, last, width / 110);
  const end = marks.at(-1);
  const near = end && !base && xOf(end.value) > width - RIGHT - 30; // the unit stands with it, or they would overlap
  for (const { value, text } of near ? marks.slice(0, -1) : marks) on.fillText(text, xOf(value), height - BOTTOM + 6);
  on.textAlign = "right";
  on.fillText(near ? `${end.text} s` : `${base} s`, width - 3, height - BOTTOM + 6);
  if (pointer.x >= LEFT && pointer.x <= width - RIGHT) cursor(on, run, xOf, width, height, ink);
}

/** What to do where there is nothing to be seen. */
function instead(on: CanvasRenderingContext2D, { width, height, ink }: { width: number; height: number; ink: string }): void {
  const words = !store.document ? "" : store.run ? "Click a part and choose its curves at the right." : "Curves of the states appear here after a run.";
  on.fillStyle = ink;
  on.font = "13px ui-sans-serif, system-ui, sans-serif";
  on.textAlign = "center";
  on.textBaseline = "middle";
  on.fillText(words, width / 2, height / 2);
}

/** Events as thin lines over all fields; so many of them that they would be a grey surface are not shown. */
function drawEvents(on: CanvasRenderingContext2D, events: Float64Array, xOf: (time: number) => number, height: number, ink: string): void {
  on.strokeStyle = ink;
  on.globalAlpha = 0.22;
  on.lineWidth = 1;
  on.beginPath();
  const places = new Set(Array.from(events, (time) => Math.round(xOf(time)) + 0.5));
  if (places.size > DENSE * columns()) places.clear();
  for (const x of places) {
    on.moveTo(x, TOP);
    on.lineTo(x, height - BOTTOM);
  }
  on.stroke();
  on.globalAlpha = 1;
}

interface Field {
  unit: string;
  names: string[];
  top: number;
  tall: number;
  width: number;
  xOf: (time: number) => number;
  ink: string;
  grid: string;
  first: number;
  last: number;
}

function field(on: CanvasRenderingContext2D, at: Field, runs: Run[]): void {
  const [low, high] = range(runs, at.names);
  const yOf = (value: number) => at.top + at.tall - ((value - low) / (high - low)) * at.tall;
  on.strokeStyle = at.grid;
  on.fillStyle = at.ink;
  on.lineWidth = 1;
  on.textAlign = "right";
  on.textBaseline = "middle";
  const { marks, base } = axis(low, high, Math.max(2, at.tall / 38));
  for (const { value, text } of marks) {
    const y = Math.round(yOf(value)) + 0.5;
    on.beginPath();
    on.moveTo(LEFT, y);
    on.lineTo(at.width - RIGHT, y);
    on.stroke();
    on.fillText(text, LEFT - 8, y);
  }
  on.textAlign = "left";
  on.fillText(base, LEFT + 6, at.top + 8);
  on.save();
  on.translate(12, at.top + at.tall / 2);
  on.rotate(-Math.PI / 2);
  on.textAlign = "center";
  on.fillText(at.unit || "1", 0, 0);
  on.restore();
  on.save();
  on.beginPath();
  on.rect(LEFT, at.top - 1, at.width - LEFT - RIGHT, at.tall + 2);
  on.clip();
  runs.forEach((run, k) => {
    const now = k === runs.length - 1;
    for (const name of at.names) {
      const values = run.curves.get(name)?.values;
      if (!values) continue;
      on.strokeStyle = colourOf(name);
      on.globalAlpha = now ? 1 : 0.4;
      on.lineWidth = now ? 2 : 1.3;
      on.setLineDash(now ? [] : [5, 4]);
      on.beginPath();
      trace(on, run.times, values, at.xOf, yOf);
      on.stroke();
    }
  });
  on.restore();
}

/** A curve; of many points in one column of pixels the first, the lowest, the highest and the last, which look the same. */
function trace(on: CanvasRenderingContext2D, times: Float64Array, values: Float64Array, xOf: (time: number) => number, yOf: (value: number) => number): void {
  for (let i = 0; i < values.length; ) {
    const x = xOf(times[i]!);
    const column = Math.floor(x);
    const first = yOf(values[i]!);
    let [low, high, last, count] = [first, first, first, 1];
    for (i++; i < values.length && Math.floor(xOf(times[i]!)) === column; i++, count++) {
      last = yOf(values[i]!);
      if (last < low) low = last;
      if (last > high) high = last;
    }
    if (count < 4) for (let k = i - count; k < i; k++) on.lineTo(xOf(times[k]!), yOf(values[k]!));
    else for (const y of [first, low, high, last]) on.lineTo(x, y);
  }
}

/** The values of a curve in the runs that are kept, at the same time: ` · run 1: 2.5`. */
function keptAt(name: string, time: number): string {
  const texts = store.kept.map((run, number) => {
    const values = run.curves.get(name)?.values;
    let k = 0;
    while (k + 1 < run.times.length && run.times[k + 1]! <= time) k++;
    return values && time <= run.times.at(-1)! ? ` · run ${number + 1}: ${short(values[k]!)}` : "";
  });
  return texts.join("");
}

/** A line at the pointer with the values there. */
function cursor(on: CanvasRenderingContext2D, run: Run, xOf: (time: number) => number, width: number, height: number, ink: string): void {
  let k = 0;
  while (k + 1 < run.times.length && xOf(run.times[k + 1]!) <= pointer.x) k++;
  const x = Math.round(xOf(run.times[k]!)) + 0.5;
  on.strokeStyle = ink;
  on.setLineDash([2, 3]);
  on.beginPath();
  on.moveTo(x, TOP);
  on.lineTo(x, height - BOTTOM);
  on.stroke();
  on.setLineDash([]);
  const rows = store.shown.filter((name) => run.curves.has(name)).map((name) => ({ name, value: run.curves.get(name)!.values[k]!, unit: run.curves.get(name)!.unit }));
  const time = run.times[k]!;
  const texts = [`t = ${short(time)} s`, ...rows.map((row) => `${row.name} = ${short(row.value)} ${row.unit}${keptAt(row.name, time)}`)];
  pointer.words = texts.join(", ");
  const wide = Math.max(...texts.map((text) => on.measureText(text).width)) + 26;
  const left = x + wide + 12 > width ? x - wide - 8 : x + 8;
  const style = getComputedStyle(document.documentElement);
  on.fillStyle = style.getPropertyValue("--panel");
  on.strokeStyle = style.getPropertyValue("--edge");
  on.beginPath();
  on.roundRect(left, TOP + 4, wide, 16 * texts.length + 10, 6);
  on.fill();
  on.stroke();
  on.textAlign = "left";
  on.textBaseline = "top";
  texts.forEach((text, row) => {
    on.fillStyle = row ? colourOf(rows[row - 1]!.name) : ink;
    if (row) on.fillRect(left + 8, TOP + 14 + 16 * row, 6, 6);
    on.fillStyle = style.getPropertyValue("--ink");
    on.fillText(text, left + (row ? 19 : 8), TOP + 10 + 16 * row);
  });
}
