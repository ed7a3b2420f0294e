// What a sheet without parts shows: the equations of a class that is written as text, or how to begin.

import { open } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { icon } from "./icons.ts";
import type { State } from "./protocol.ts";
import { store } from "./store.ts";
import { askName } from "./top_bar.ts";

const MOST_FILES = 60;

/** Before anything is open: the files of the folder. */
export function startPage(): Child[] {
  const { files } = store;
  const rows = files.slice(0, MOST_FILES).map((file) => h("button", { class: "file-card", key: file, "data-file": file, onclick: () => void open(file) }, file.replace(/\.py$/, "")));
  const more = files.length > MOST_FILES ? h("p", {}, `and ${files.length - MOST_FILES} more, in the list at the top`) : "";
  const folder = files.length ? [h("h3", {}, "Models of this folder"), h("div", { class: "files" }, rows), more] : [];
  return [
    h("h1", {}, "Draw a system, run it, understand it"),
    h("p", {}, "What you draw is a Python file that you can read, edit by hand and put under version control."),
    h("p", {}, h("button", { id: "start-new", class: "primary large", onclick: askName }, icon("plus"), "New model")),
    h("ol", { class: "steps" }, STEPS.map(([title, text], k) => h("li", {}, h("span", { class: "step" }, String(k + 1)), h("b", {}, title), h("span", {}, text)))),
    ...folder,
  ];
}

const STEPS = [
  ["Parts", "Search the library at the left and drag parts onto the sheet."],
  ["Lines", "Draw a line from port to port. What is wrong is said where it is."],
  ["Curves", "Press Run, click a part for its curves, move its parameters by sliders."],
] as const;

export function emptySheet(state: State | null): Child[] {
  const text = state ? ownText(state) : "";
  if (!/(self\.|\byield\b|\breturn\b|\btg\.(parameter|variable))/.test(text))
    return [h("p", {}, "Drag parts from the library onto the sheet.", h("br", {}), "Draw a line from port to port to connect them.")];
  return [h("pre", { id: "own-text" }, text), h("p", {}, "Written as equations; parts can stand beside them.")];
}

/** The statement of the class or function that is shown. */
export function ownText({ text, cls }: State): string {
  const rows = text.split(/\r?\n/);
  const first = rows.findIndex((row) => new RegExp(`^(class|def)\\s+${cls}\\b`).test(row));
  if (first < 0) return "";
  const rest = rows.slice(first + 1).findIndex((row) => /^[^\s#)]/.test(row));
  return rows.slice(first, rest < 0 ? rows.length : first + 1 + rest).join("\n").trimEnd();
}
