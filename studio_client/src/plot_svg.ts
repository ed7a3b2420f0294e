// The plot as SVG: one field per unit below each other, in the colours of the page.

import { short } from "./actions.ts";
import { colourOf, fields, ticks } from "./plot.ts";
import { whole } from "./runs.ts";
import { store } from "./store.ts";

const WIDE = 760;
const TALL = 220;
const LEFT = 70;

export function plotSvg(): string {
  const run = store.run;
  if (!run) return "";
  const found = fields();
  const first = run.times[0]!;
  const last = run.times.at(-1)!;
  const xOf = (time: number) => LEFT + ((time - first) / (last - first || 1)) * (WIDE - LEFT - 20);
  const parts = found.map(({ unit, names, low, high }, row) => {
    const top = 20 + row * TALL;
    const yOf = (value: number) => top + (TALL - 40) * (1 - (value - low) / (high - low || 1));
    const grid = ticks(low, high, 5).map((value) => `<path d="M${LEFT} ${yOf(value).toFixed(1)}H${WIDE - 20}" stroke="#dde"/><text x="${LEFT - 6}" y="${(yOf(value) + 4).toFixed(1)}" text-anchor="end">${short(value)}</text>`);
    const curves = names.map((name, k) => {
      const values = run.curves.get(name)!.values;
      const points = [...run.times].map((time, i) => `${xOf(time).toFixed(1)},${yOf(values[i]!).toFixed(1)}`).join(" ");
      return `<polyline points="${points}" fill="none" stroke="${colourOf(name)}" stroke-width="2"/><text x="${LEFT + 8}" y="${top + 12 + 14 * k}" fill="${colourOf(name)}">${name} [${unit || "1"}]</text>`;
    });
    return grid.join("") + curves.join("");
  });
  const bottom = 20 + found.length * TALL;
  const times = ticks(first, last, 7).map((time) => `<text x="${xOf(time).toFixed(1)}" y="${bottom - 6}" text-anchor="middle">${short(time)}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDE}" height="${bottom + 10}" font-family="sans-serif" font-size="11">${parts.join("")}${times.join("")}<text x="${WIDE - 12}" y="${bottom - 6}">s</text></svg>\n`;
}

export async function exportPlotSvg(): Promise<void> {
  await whole();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([plotSvg()], { type: "image/svg+xml" }));
  link.download = "plot.svg";
  link.click();
}
