// An array over time as an image: a rod, a pipe, a row of cells. Its elements are one above the other.

import { axis } from "./axis.ts";
import { store } from "./store.ts";

interface Paper {
  width: number;
  height: number;
  ink: string;
}

const LEFT = 64;
const RIGHT = 96;
const TOP = 10;
const BOTTOM = 26;
const MOST = 400;
const LEAST = 3;
/** From dark to light, even for those who see few colours. */
const SCALE = [
  [68, 1, 84],
  [59, 82, 139],
  [33, 145, 140],
  [94, 201, 98],
  [253, 231, 37],
] as const;

let known: { of: string[]; fields: Map<string, string[]> } = { of: [], fields: new Map() };

/** Arrays of the last run, those of states first: `rod.T[*]` with the names of its elements, in order. Each index of an element can be the one that runs. */
export function arrays(): Map<string, string[]> {
  if (known.of === store.names) return known.fields;
  const all = new Map<string, { name: string; index: number }[]>();
  for (const name of store.names) {
    if (name.startsWith("der(")) continue;
    for (const place of name.matchAll(/(?<=[[,])\d+(?=[\],])/g)) {
      const key = `${name.slice(0, place.index)}*${name.slice(place.index + place[0].length)}`;
      const element = { name, index: Number(place[0]) };
      const list = all.get(key);
      if (list) list.push(element);
      else all.set(key, [element]);
    }
  }
  const states = new Set(store.states);
  const rank = (list: { name: string }[]) => (states.has(list[0]!.name) ? 0 : 1);
  const long = [...all].filter(([, list]) => list.length >= LEAST).sort((one, other) => rank(one[1]) - rank(other[1]));
  const found = new Map<string, string[]>();
  for (const [key, list] of long) {
    const step = Math.ceil(list.length / MOST); // more rows than pixels: some stand for their neighbours
    list.sort((one, other) => one.index - other.index);
    found.set(key, list.filter((_, k) => k % step === 0).map(({ name }) => name));
  }
  known = { of: store.names, fields: found };
  return found;
}

/** The index of an element that runs in its array. */
function indexOf(name: string, key: string): number {
  return Number.parseInt(name.slice(key.indexOf("*")), 10);
}

export function colourAt(part: number): [number, number, number] {
  if (!Number.isFinite(part)) return [128, 128, 128]; // no number: neither low nor high
  const place = Math.min(Math.max(part, 0), 1) * (SCALE.length - 1);
  const k = Math.min(Math.floor(place), SCALE.length - 2);
  const mix = (i: number) => Math.round(SCALE[k]![i]! + (place - k) * (SCALE[k + 1]![i]! - SCALE[k]![i]!));
  return [mix(0), mix(1), mix(2)];
}

export function drawField(on: CanvasRenderingContext2D, paper: Paper): void {
  const run = store.run!;
  const names = (arrays().get(store.field) ?? []).filter((name) => run.curves.has(name));
  const rows = names.map((name) => run.curves.get(name)!);
  if (rows.length < LEAST) return;
  let [low, high] = [Infinity, -Infinity];
  for (const { values } of rows) for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const [wide, tall] = [Math.max(1, Math.round(paper.width - LEFT - RIGHT)), Math.max(1, Math.round(paper.height - TOP - BOTTOM))];
  const [first, last] = [run.times[0]!, run.times.at(-1)!];
  on.drawImage(image(rows.map((row) => row.values), run.times, wide, [low, high]), LEFT, TOP, wide, tall);
  on.font = "11px ui-sans-serif, system-ui, sans-serif";
  on.fillStyle = paper.ink;
  on.textBaseline = "middle";
  on.textAlign = "right";
  for (const { value: k } of axis(0, rows.length - 1, Math.max(2, tall / 34)).marks.filter(({ value }) => Number.isInteger(value))) on.fillText(`[${indexOf(names[k]!, store.field)}]`, LEFT - 8, TOP + tall * (1 - (k + 0.5) / rows.length));
  on.textAlign = "center";
  on.textBaseline = "top";
  const level = axis(first, last, wide / 110);
  for (const { value, text } of level.marks) on.fillText(text, LEFT + (wide * (value - first)) / (last - first || 1), TOP + tall + 6);
  on.fillText(level.base, LEFT - 24, TOP + tall + 6);
  legend(on, paper, low, high, rows[0]!.unit, tall);
}

/** The field as SVG: the picture of its values as it is seen. */
export function fieldPicture(): string {
  const canvas = document.getElementById("plot") as HTMLCanvasElement;
  const [wide, tall] = [canvas.clientWidth, canvas.clientHeight];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}"><image href="${canvas.toDataURL()}" width="${wide}" height="${tall}"/></svg>\n`;
}

/** One pixel for each element and column; the browser makes it larger. */
function image(rows: Float64Array[], times: Float64Array, wide: number, [low, high]: [number, number]): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = wide;
  canvas.height = rows.length;
  const on = canvas.getContext("2d")!;
  const pixels = on.createImageData(wide, rows.length);
  const [first, last] = [times[0]!, times.at(-1)!];
  let k = 0;
  for (let x = 0; x < wide; x++) {
    const time = first + ((x + 0.5) / wide) * (last - first);
    while (k + 1 < times.length && times[k + 1]! <= time) k++;
    for (let row = 0; row < rows.length; row++) {
      const [red, green, blue] = colourAt((rows[row]![k]! - low) / (high - low || 1));
      pixels.data.set([red, green, blue, 255], 4 * ((rows.length - 1 - row) * wide + x));
    }
  }
  on.putImageData(pixels, 0, 0);
  return canvas;
}

function legend(on: CanvasRenderingContext2D, paper: Paper, low: number, high: number, unit: string, tall: number): void {
  const left = paper.width - RIGHT + 16;
  for (let y = 0; y < tall; y++) {
    const [red, green, blue] = colourAt(1 - y / tall);
    on.fillStyle = `rgb(${red} ${green} ${blue})`;
    on.fillRect(left, TOP + y, 12, 1.5);
  }
  on.fillStyle = paper.ink;
  on.textAlign = "left";
  on.textBaseline = "middle";
  const { marks, base } = axis(low, high, 4);
  for (const { value, text } of marks) on.fillText(text, left + 18, TOP + tall * (1 - (value - low) / (high - low || 1)));
  on.fillText(`${base} ${unit || "1"}`.trim(), left, TOP + tall + 14);
}
