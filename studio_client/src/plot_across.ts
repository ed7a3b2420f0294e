// Curves over another curve: phase planes, characteristics.

import { axis } from "./axis.ts";
import { colourOf, range } from "./plot.ts";
import { store } from "./store.ts";

interface Paper {
  width: number;
  height: number;
  ink: string;
  grid: string;
}

const LEFT = 64;
const RIGHT = 16;
const TOP = 10;
const BOTTOM = 40;

export function drawAcross(on: CanvasRenderingContext2D, paper: Paper): void {
  const run = store.run!;
  const runs = [...store.kept, run];
  const names = store.shown.filter((name) => name !== store.across && run.curves.has(name));
  const along = run.curves.get(store.across);
  if (!along || !names.length) return;
  const [left, right] = range(runs, [store.across]);
  const [low, high] = range(runs, names);
  const xOf = (value: number) => LEFT + ((value - left) / (right - left)) * (paper.width - LEFT - RIGHT);
  const yOf = (value: number) => TOP + (1 - (value - low) / (high - low)) * (paper.height - TOP - BOTTOM);
  on.font = "11px ui-sans-serif, system-ui, sans-serif";
  on.strokeStyle = paper.grid;
  on.fillStyle = paper.ink;
  on.lineWidth = 1;
  on.textBaseline = "middle";
  on.textAlign = "right";
  const up = axis(low, high, 5);
  for (const { value, text } of up.marks) {
    line(on, LEFT, yOf(value), paper.width - RIGHT, yOf(value));
    on.fillText(text, LEFT - 8, yOf(value));
  }
  on.textAlign = "left";
  on.fillText(up.base, LEFT + 6, TOP + 8);
  on.textAlign = "center";
  const level = axis(left, right, 7);
  for (const { value, text } of level.marks) {
    line(on, xOf(value), TOP, xOf(value), paper.height - BOTTOM);
    on.fillText(text, xOf(value), paper.height - BOTTOM + 12);
  }
  on.fillText(`${level.base} ${store.across} [${along.unit || "1"}]`, (LEFT + paper.width) / 2, paper.height - 9);
  runs.forEach((one, k) => {
    const x = one.curves.get(store.across)?.values;
    for (const name of names) {
      const y = one.curves.get(name)?.values;
      if (!x || !y) continue;
      on.strokeStyle = colourOf(name);
      on.globalAlpha = k === runs.length - 1 ? 1 : 0.4;
      on.lineWidth = k === runs.length - 1 ? 2 : 1.3;
      on.beginPath();
      for (let i = 0; i < y.length; i++) on.lineTo(xOf(x[i]!), yOf(y[i]!));
      on.stroke();
    }
  });
  on.globalAlpha = 1;
}

function line(on: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  on.beginPath();
  on.moveTo(x, y);
  on.lineTo(toX, toY);
  on.stroke();
}
