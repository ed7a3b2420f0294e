// The plot as SVG, as it is seen: curves over time or over another one, the runs that are kept dashed; or a field.

import { axis } from "./axis.ts";
import { colourOf, fields, range } from "./plot.ts";
import { fieldPicture } from "./plot_field.ts";
import { whole } from "./runs.ts";
import type { Run } from "./store.ts";
import { store } from "./store.ts";

const WIDE = 760;
const TALL = 220;
const LEFT = 70;
const RIGHT = WIDE - 20;

/** One coordinate system: what is drawn, over what, between which ends. */
interface Paper {
  names: string[];
  unit: string;
  top: number;
  left: number;
  right: number;
  low: number;
  high: number;
  along: (run: Run) => Float64Array | undefined;
}

export function plotSvg(): string {
  const run = store.run;
  if (!run) return "";
  if (store.view === "field") return fieldPicture();
  const across = store.view === "xy" && run.curves.has(store.across);
  const papers = across ? [acrossPaper(run)] : timePapers(run);
  const bottom = 20 + papers.length * TALL;
  const { left, right } = papers[0] ?? { left: 0, right: 1 };
  const along = axis(left, right, 7);
  const level = along.marks.map(({ value, text }) => `<text x="${placed(value, left, right).toFixed(1)}" y="${bottom - 6}" text-anchor="middle">${text}</text>`);
  const words = across ? `${along.base} ${store.across} [${run.curves.get(store.across)!.unit || "1"}]` : `${along.base} s`;
  const last = `<text x="${RIGHT + 8}" y="${bottom + 8}" text-anchor="end">${escaped(words)}</text>`;
  const kept = store.kept.map((one, k) => `<text x="${LEFT}" y="${bottom + 24 + 14 * k}" fill="#667">dashed ${k + 1}: ${escaped(one.label || "as in the model")}</text>`);
  const tall = bottom + 14 + 14 * store.kept.length;
  const events = across ? "" : `<path d="${eventPath(run, left, right, bottom - 20)}" stroke="#99a" stroke-width="0.5"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${tall}" font-family="sans-serif" font-size="11">${events}${papers.map(paper).join("")}${level.join("")}${last}${kept.join("")}</svg>\n`;
}

function timePapers(run: Run): Paper[] {
  const [left, right] = [run.times[0]!, run.times.at(-1)!];
  return fields().map(({ unit, names, low, high }, row) => ({ names, unit, top: 20 + row * TALL, left, right, low, high, along: (one) => one.times }));
}

function acrossPaper(run: Run): Paper {
  const names = store.shown.filter((name) => name !== store.across && run.curves.has(name));
  const [left, right] = range([...store.kept, run], [store.across]);
  const [low, high] = range([...store.kept, run], names);
  return { names, unit: "", top: 20, left, right, low, high, along: (one) => one.curves.get(store.across)?.values };
}

function placed(value: number, left: number, right: number): number {
  return LEFT + ((value - left) / (right - left || 1)) * (RIGHT - LEFT);
}

function paper(at: Paper): string {
  const yOf = (value: number) => at.top + (TALL - 40) * (1 - (value - at.low) / (at.high - at.low || 1));
  const { marks, base } = axis(at.low, at.high, 5);
  const grid = marks.map(({ value, text }) => `<path d="M${LEFT} ${yOf(value).toFixed(1)}H${RIGHT}" stroke="#dde"/><text x="${LEFT - 6}" y="${(yOf(value) + 4).toFixed(1)}" text-anchor="end">${text}</text>`);
  if (base) grid.push(`<text x="${LEFT}" y="${at.top - 6}">${base}</text>`);
  const names = at.names.map((name, k) => `<text x="${LEFT + 8}" y="${at.top + 12 + 14 * k}" fill="${colourOf(name)}">${escaped(name)} [${at.unit || store.run!.curves.get(name)!.unit || "1"}]</text>`);
  const curves = [...store.kept, store.run!].flatMap((run) => at.names.map((name) => curve(run, name, at, yOf)));
  return grid.join("") + curves.join("") + names.join("");
}

function curve(run: Run, name: string, at: Paper, yOf: (value: number) => number): string {
  const values = run.curves.get(name)?.values;
  const along = at.along(run);
  if (!values || !along) return "";
  const points: string[] = [];
  values.forEach((value, k) => {
    const inside = along[k]! >= at.left && along[k]! <= at.right;
    if (inside && Number.isFinite(value)) points.push(`${placed(along[k]!, at.left, at.right).toFixed(1)},${yOf(value).toFixed(1)}`);
  });
  const look = run === store.run ? 'stroke-width="2"' : 'stroke-width="1.3" stroke-dasharray="5 4" stroke-opacity="0.6"';
  return `<polyline points="${points.join(" ")}" fill="none" stroke="${colourOf(name)}" ${look}/>`;
}

/** Lines at events; none where they would be a grey surface. */
function eventPath(run: Run, left: number, right: number, bottom: number): string {
  const places = new Set(Array.from(run.events, (time) => Math.round(placed(time, left, right))));
  return places.size > (RIGHT - LEFT) / 4 ? "" : [...places].map((x) => `M${x} 20V${bottom}`).join("");
}

export function escaped(text: string): string {
  return text.replace(/[<>&]/g, (letter) => ({ "<": "&lt;", ">": "&gt;", "&": "&amp;" })[letter]!);
}

export async function exportPlotSvg(): Promise<void> {
  await whole();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([plotSvg()], { type: "image/svg+xml" }));
  link.download = "plot.svg";
  link.click();
}
