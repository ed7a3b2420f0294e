// A value of a parameter: a menu where it is one of some words, or yes or no; else a field for numbers, units and expressions.

import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { ParameterShape } from "./protocol.ts";

export interface Field {
  /** As it stands in the text; empty for the default. */
  text: string;
  path: string;
  disabled: boolean;
  set: (typed: string) => void;
}

export function valueInput(parameter: ParameterShape, field: Field): Child {
  const words = choices(parameter);
  const text = field.text.replace(/^'([^'"]*)'$/, '"$1"');
  const known = words.some((word) => word.text === text) || text === "";
  const common = {
    "data-parameter": field.path,
    "aria-label": parameter.meaning ? `${parameter.name}: ${parameter.meaning}` : parameter.name,
    disabled: field.disabled,
    onchange: (event: Event) => field.set((event.target as HTMLInputElement).value),
  };
  if (!words.length || !known) return h("input", { ...common, value: plain(text), placeholder: parameter.value || "needed" });
  const usual = h("option", { key: "", value: "", selected: text === "" }, parameter.value ? `${parameter.value} (default)` : "choose…");
  const options = words.map(({ text: word, shown }) => h("option", { key: word, value: word, selected: word === text }, shown));
  return h("select", common, usual, options);
}

/** The values to choose from, as Python writes them. */
function choices(parameter: ParameterShape): { text: string; shown: string }[] {
  if (parameter.choices.length) return parameter.choices.map((word) => ({ text: JSON.stringify(word), shown: word }));
  return /^(True|False)$/.test(parameter.value) ? ["True", "False"].map((word) => ({ text: word, shown: word })) : [];
}

/** A number with a unit is shown without its quotes. */
function plain(text: string): string {
  return /^"[-+\d.][^"]*"$/.test(text) ? text.slice(1, -1) : text;
}
