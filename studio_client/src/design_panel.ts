// Below the sheet: studies, optima and fits of the parameters that have sliders, from a form.

import { edit } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { calibrate, optimize, study } from "./questions.ts";
import { applyValue } from "./run_panel.ts";
import { changed, store } from "./store.ts";

const NUMBERS = ["final", "peak", "mean", "rms", "integral", "overshoot", "rise_time", "settling_time"];

export function design(): Child[] {
  if (!store.sliders.length) return [h("p", { class: "hint" }, "Give the parameters to vary a slider (⇔ beside them): its ends are the bounds.")];
  const { design: form } = store;
  const bounds = store.sliders.map((slider) =>
    h("span", { class: "bounds", key: slider.path }, h("b", {}, slider.path), end(slider, "low"), "…", end(slider, "high"), slider.unit),
  );
  const chosen = [choice("number", NUMBERS), " of ", choice("curve", store.names)];
  const limit = ["while ", choice("limitNumber", NUMBERS), " of ", choice("limitCurve", ["", ...store.names]), " ≤ ", field("most", "no limit")];
  const buttons = [
    h("button", { id: "study", onclick: () => void study() }, `Study with ${form.count} values each`),
    field("count", "11"),
    h("button", { id: "minimize", onclick: () => void optimize(false) }, "Minimize"),
    h("button", { id: "maximize", onclick: () => void optimize(true) }, "Maximize"),
  ];
  const fit = ["Fit to ", field("file", "measured.csv"), " column ", field("column", "speed"), h("button", { id: "fit", onclick: () => void calibrate() }, "Calibrate")];
  return [
    h("div", { class: "design" }, h("div", { class: "line" }, bounds), h("div", { class: "line" }, chosen, limit), h("div", { class: "line" }, buttons), h("div", { class: "line" }, fit)),
    ...result(),
  ];
}

function end(slider: (typeof store.sliders)[number], which: "low" | "high"): Child {
  return h("input", {
    class: "short",
    "aria-label": `${which} of ${slider.path}`,
    value: String(Number(slider[which].toPrecision(4))),
    onchange: (event: Event) => {
      const value = Number((event.target as HTMLInputElement).value);
      if (Number.isFinite(value)) slider[which] = value;
      changed();
    },
  });
}

type Field = keyof typeof store.design;

function choice(name: Field, values: string[]): Child {
  const options = values.map((value) => h("option", { key: value, value, selected: value === store.design[name] }, value));
  return h("select", { "aria-label": name, "data-design": name, onchange: (event: Event) => set(name, (event.target as HTMLSelectElement).value) }, options);
}

function field(name: Field, placeholder: string): Child {
  return h("input", { class: "short", "aria-label": name, placeholder, "data-design": name, value: String(store.design[name]), onchange: (event: Event) => set(name, (event.target as HTMLInputElement).value) });
}

function set(name: Field, value: string): void {
  if (name === "count") store.design.count = Math.max(2, Math.round(Number(value)) || 2);
  else store.design[name] = value;
  changed();
}

function result(): Child[] {
  const table = store.table;
  if (!table) return [];
  const head = h("tr", {}, table.columns.map((name) => h("th", {}, name)));
  const rows = table.rows.map((row) => h("tr", {}, row.map((cell) => h("td", {}, cell))));
  const values = Object.entries(table.values);
  const apply = values.length ? h("button", { id: "apply", class: "primary", onclick: () => void applyAll(values) }, "Apply to the model") : "";
  return [h("div", { class: "line" }, h("b", { id: "table-title" }, table.title), apply), picture(table.numbers), h("table", { class: "table" }, head, rows)];
}

async function applyAll(values: [string, number][]): Promise<void> {
  for (const [path, value] of values) {
    const slider = store.sliders.find((row) => row.path === path);
    if (slider) slider.value = value;
    await edit(applyValue(path, value));
  }
}

/** The number over the parameter, of a study of one parameter. */
function picture(numbers: number[][]): Child {
  const [x, y] = numbers;
  if (numbers.length !== 2 || !x || !y || x.length < 2) return "";
  const scaled = (values: number[], size: number) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return values.map((value) => (size * (value - low)) / (high - low || 1));
  };
  const [across, up] = [scaled(x, 380), scaled(y, 110)];
  const points = across.map((value, k) => `${(10 + value).toFixed(1)},${(120 - up[k]!).toFixed(1)}`).join(" ");
  return h("div", { class: "small-plot", raw: `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="130"><polyline points="${points}" fill="none" stroke="#3b82f6" stroke-width="2"/></svg>` });
}
