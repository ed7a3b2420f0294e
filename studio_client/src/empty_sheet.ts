// What a sheet without parts shows: the equations of a class that is written as text, or how to begin.

import { open } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { State } from "./protocol.ts";
import { store } from "./store.ts";

const MOST_FILES = 60;

/** Before anything is open: the files of the folder. */
export function startPage(): Child[] {
  const { files } = store;
  const rows = files.slice(0, MOST_FILES).map((file) => h("button", { class: "file-card", key: file, "data-file": file, onclick: () => void open(file) }, file.replace(/\.py$/, "")));
  const more = files.length > MOST_FILES ? h("p", {}, `and ${files.length - MOST_FILES} more, in the list at the top`) : "";
  const words = files.length ? "Press New for an empty model, or open one of this folder:" : "Press New for an empty model.";
  return [h("h1", {}, "Tellegen Studio"), h("p", {}, words), h("div", { class: "files" }, rows), more];
}

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
