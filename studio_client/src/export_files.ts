// Files to take away: curves as CSV, plots and sheets as PNG and SVG, pages and scripts.

import { askScript, refuse } from "./actions.ts";
import { bodyBox, portPlace, turnOf, union } from "./geometry.ts";
import { arrays } from "./plot_field.ts";
import { escaped } from "./plot_svg.ts";
import { makePage } from "./questions.ts";
import { routes } from "./lines.ts";
import type { ClassShape, Part } from "./protocol.ts";
import { whole } from "./runs.ts";
import { besideBody, endPlace, labelPlace, parts, portsOf, titleOf, valueText } from "./sheet.ts";
import type { Run } from "./store.ts";
import { shapeOf, store } from "./store.ts";
import { leads, svgOf } from "./symbol.ts";

function offer(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  window.dispatchEvent(new CustomEvent("offered", { detail: { name, size: blob.size } }));
}

function base(): string {
  return (store.document?.path ?? "model.py").replace(/^.*\//, "").replace(/\.py$/, "");
}

/** The curves that are shown, with units in the first line: for each run, the present one first, a column of its times and one for each curve. */
export function csvText(): string {
  if (!store.run) return "";
  const columns = [store.run, ...store.kept].flatMap((run, k) => columnsOf(run, k));
  const length = Math.max(...columns.map(({ values }) => values.length));
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = Array.from({ length }, (_, k) => columns.map(({ values }) => values[k] ?? "").join(","));
  return [columns.map(({ head }) => quoted(head)).join(","), ...rows].join("\n") + "\n";
}

/** Of one run: the times and the curves that are shown. A run that was kept says by its number and by what was different which one it is. */
function columnsOf(run: Run, number: number): { head: string; values: Float64Array }[] {
  const which = number ? ` (run ${number}: ${run.label || "as in the model"})` : "";
  const curves = exportedNames().flatMap((name) => {
    const curve = run.curves.get(name);
    return curve ? [{ head: `${name} [${curve.unit || "1"}]${which}`, values: curve.values }] : [];
  });
  return [{ head: `time [s]${which}`, values: run.times }, ...curves];
}

/** What stands on the plot: in X-Y also the curve along the horizontal axis, of a field its elements. */
function exportedNames(): string[] {
  if (store.view === "field") return arrays().get(store.field) ?? [];
  const across = store.view === "xy" && store.across ? [store.across] : [];
  return [...new Set([...across, ...store.shown])];
}

export async function exportCsv(): Promise<void> {
  await whole();
  if (store.run) offer(`${base()}.csv`, csvText(), "text/csv");
  else refuse("there are no curves yet", "run the model first");
}

export function exportPng(id: "sheet" | "plot"): void {
  (document.getElementById(id) as HTMLCanvasElement).toBlob((blob) => blob && offer(`${base()}_${id}.png`, blob));
}

export async function exportPage(): Promise<void> {
  const address = await makePage("live");
  if (address) offer(`${base()}.html`, await (await fetch(address)).text(), "text/html");
}

export async function exportScript(): Promise<void> {
  const text = await askScript();
  if (text) offer(`${base()}_script.py`, text, "text/x-python");
}

function leadsSvg(part: Part, shape: ClassShape): string {
  const found = leads(shape, portsOf(part, shape)).map(({ x, y, toX, toY }) => `M${x + 42} ${y + 24}L${toX + 42} ${toY + 24}`);
  return found.length ? `<path d="${found.join("")}"/>` : "";
}

/** The whole sheet as SVG: lines, symbols, ports and names. */
export function sheetSvg(): string {
  const now = parts();
  const byName = new Map(now.map((part) => [part.name, part]));
  const boxes = now.flatMap((part) => (shapeOf(part) ? [bodyBox(part, shapeOf(part)!)] : []));
  const all = union(boxes) ?? { left: 0, top: 0, right: 100, bottom: 100 };
  const [left, top, wide, tall] = [all.left - 80, all.top - 60, all.right - all.left + 160, all.bottom - all.top + 130];
  const colour = (name: string) => (name === "signal" ? "#4b5263" : name);
  const lines = routes().all.map((line) => `<polyline points="${line.points.map((point) => `${point.x},${point.y}`).join(" ")}" stroke="${colour(line.colour)}"${line.equated ? ' stroke-dasharray="2 4"' : line.fixed ? ' stroke-dasharray="6 5"' : ""}/>`);
  const drawn = now.map((part) => {
    const shape = shapeOf(part);
    if (!shape) return "";
    const turn = turnOf(part.place.turned);
    const label = labelPlace(part, shape, bodyBox(part, shape));
    const symbol = part.port
      ? `<rect x="-7" y="-7" width="14" height="14" rx="3" fill="${shape.colour}" stroke="none"/>`
      : `<g transform="rotate(${90 * turn.quarter}) scale(${turn.mirrored ? -1 : 1} 1) translate(-42 -24)" stroke="currentColor">${leadsSvg(part, shape)}${svgOf(shape)}</g>`;
    const ports = portsOf(part, shape).map((port) => {
      const at = portPlace(part, port);
      return `<rect x="${at.x - 3}" y="${at.y - 3}" width="6" height="6" fill="${port.role === "port" ? port.colour : "#4b5263"}" stroke="none"/>`;
    });
    const anchor = besideBody(part, shape) ? "start" : "middle";
    const words = `<text x="${label.x}" y="${label.y + 10}" font-size="11.5" font-weight="600" text-anchor="${anchor}">${escaped(titleOf(part))}</text><text x="${label.x}" y="${label.y + 24}" font-size="10.5" fill="#6b7285" text-anchor="${anchor}">${escaped(valueText(part, shape))}</text>`;
    return `<g transform="translate(${part.place.x} ${part.place.y})">${symbol}</g>${ports.join("")}<g stroke="none" fill="#1d2130">${words}</g>`;
  });
  const notes = (store.document?.diagram.notes ?? []).map((note) => `<text x="${note.place.x}" y="${note.place.y}" font-size="12" stroke="none" fill="#6b7285">${escaped(note.place.note)}</text>`);
  const ends = (store.document?.diagram.wires ?? []).filter((wire) => !wire.equation && wire.ends.every((end) => endPlace(end, byName))).length;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${left} ${top} ${wide} ${tall}" width="${wide}" height="${tall}" fill="none" color="#1d2130" stroke-width="2" stroke-linejoin="round" font-family="sans-serif"><desc>${escaped(base())}: ${now.length} parts, ${ends} connections</desc>${lines.join("")}${drawn.join("")}${notes.join("")}</svg>\n`;
}

export function exportSheetSvg(): void {
  offer(`${base()}_sheet.svg`, sheetSvg(), "image/svg+xml");
}
