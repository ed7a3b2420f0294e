// Of one part: the class that implements it, start values, and how curves depend on its parameters.

import { edit } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { ClassShape, ParameterShape, Part } from "./protocol.ts";
import { partName } from "./geometry.ts";
import { shapeOf, store } from "./store.ts";

/** Classes that could take the place of a part: with all ports that are connected, by name and type; alike first. */
export function implementations(part: Part): ClassShape[] {
  const own = shapeOf(part);
  const used = (store.document?.diagram.wires ?? []).flatMap((wire) => wire.ends).filter((end) => partName(end) === part.name);
  const names = new Set(used.map((end) => end.slice(end.indexOf(".") + 1).replace(/\[.*$/, "")));
  const needed = own?.ports.filter((port) => names.has(port.name)) ?? [];
  if (!own || !needed.length) return own ? [own] : [];
  const fits = (shape: ClassShape) => needed.every((port) => shape.ports.some((other) => other.name === port.name && other.type === port.type && other.role === port.role));
  const all = [...Object.values(store.document?.diagram.shapes ?? {}), ...store.library.values()];
  const found = all.filter((shape) => !shape.connector && !shape.abstract && shape.key !== store.document?.cls && fits(shape));
  const near = (shape: ClassShape) => (shape.domain === own.domain ? 0 : 1) + Math.abs(shape.ports.length - own.ports.length) / 10;
  return found.sort((a, b) => near(a) - near(b) || a.key.localeCompare(b.key)).slice(0, 80);
}

export function implementationChoice(part: Part): Child {
  const own = shapeOf(part);
  const found = implementations(part);
  if (!own || part.fixed || found.length < 2) return "";
  const options = found.map((shape) => h("option", { key: shape.key, value: shape.key, selected: shape.key === own.key, title: shape.headline }, shape.key));
  const choose = (event: Event) => void edit({ kind: "ReplacePart", part: part.name, cls: (event.target as HTMLSelectElement).value });
  return h("label", { class: "implementation" }, "Implementation", h("select", { id: "implementation", "aria-label": "Implementation", onchange: choose }, options));
}

/** Values at the start of a run. */
export function startValues(part: Part): Child[] {
  const shape = shapeOf(part);
  const found = store.described?.cls === shape?.key ? (store.described?.starts ?? []) : [];
  const rows = [...(shape?.starts ?? []), ...found].map((variable) => {
    const text = part.arguments[variable.name] ?? "";
    const given = /start=("([^"]*)"|[^,)]+)/.exec(text);
    return h(
      "label",
      { class: "parameter", key: `start ${part.name}.${variable.name}`, title: variable.meaning },
      h("span", { class: "symbol" }, variable.name),
      h("input", {
        value: given?.[2] ?? given?.[1] ?? "",
        placeholder: `${variable.start} (free)`,
        "data-start": `${part.name}.${variable.name}`,
        "aria-label": `Start value of ${variable.name}: ${variable.meaning}`,
        disabled: part.fixed !== "",
        onchange: (event: Event) => void edit({ kind: "SetStart", part: part.name, variable: variable.name, typed: (event.target as HTMLInputElement).value }),
      }),
      h("span", { class: "unit" }, variable.unit),
      h("span", {}),
      h("small", {}, variable.meaning),
    );
  });
  return rows.length ? [h("h3", {}, "Start values"), ...rows] : [];
}

/** Beside a parameter: by how many percent the chosen curve changes for one percent. */
export function bar(path: string): Child {
  const found = store.bars?.bars.find((row) => row.path === path);
  if (!found) return "";
  const largest = Math.max(...store.bars!.bars.map((row) => Math.abs(row.relative)), 1e-12);
  const wide = (100 * Math.abs(found.relative)) / largest;
  const colour = found.relative < 0 ? "#f59e0b" : "#3b82f6";
  const words = `${store.bars!.of}: ${found.relative.toPrecision(3)} % per % of ${path}`;
  return h("span", { class: "bar", title: words, "data-bar": path, raw: `<svg xmlns="http://www.w3.org/2000/svg" width="100%" height="6"><rect width="${wide.toFixed(1)}%" height="6" rx="3" fill="${colour}"/></svg>` });
}

/** Make the value of a parameter one of the model's own. */
export function propagateButton(part: Part, parameter: ParameterShape): Child | false {
  if (part.fixed || parameter.structural) return false;
  const own = store.document?.diagram.parameters.some((row) => row.name === part.arguments[parameter.name]);
  const act = (event: Event) => {
    event.preventDefault();
    void edit({ kind: "Propagate", part: part.name, parameter: parameter.name, name: "" });
  };
  return !own && h("button", { class: "pin", title: "Make it a parameter of the model", "aria-label": `Make ${parameter.name} a parameter of the model`, "data-propagate": `${part.name}.${parameter.name}`, onclick: act }, "↑");
}
