// The form for several parts, and for a note.

import { edit, removeSelected, select } from "./actions.ts";
import type { Way } from "./align.ts";
import { align } from "./align.ts";
import { copy, duplicate } from "./clipboard.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { Note } from "./protocol.ts";
import { store } from "./store.ts";

const WAYS: [Way, string, string][] = [
  ["row", "In a row", "The same height"],
  ["column", "In a column", "Below each other"],
  ["across", "Evenly across", "The same distance from left to right"],
  ["down", "Evenly down", "The same distance from top to bottom"],
];

export function severalForm(): Child[] {
  const count = store.selected.size;
  const group = (event: KeyboardEvent) => {
    const cls = (event.target as HTMLInputElement).value.trim();
    if (event.key === "Enter" && cls) void edit({ kind: "GroupParts", names: [...store.selected], cls }).then((done) => done && select([]));
  };
  return [
    h("h2", {}, `${count} parts`),
    h("div", { class: "tools wrap" }, ...WAYS.map(([way, words, title]) => h("button", { title, "data-align": way, onclick: () => void align(way) }, words))),
    h("div", { class: "tools wrap" }, h("button", { onclick: copy, title: "Copy (Ctrl C)" }, "Copy"), h("button", { onclick: () => void duplicate(), title: "Duplicate (Ctrl D)" }, "Duplicate"), h("button", { onclick: removeSelected, title: "Delete (Del)" }, "✕ Delete")),
    h("h3", {}, "Make a component of them"),
    h("input", { id: "group-name", placeholder: "Name of the class: Filter", "aria-label": "Name of the class", onkeydown: group }),
    h("p", { class: "hint" }, "Its ports follow from the lines to other parts. Double click opens it, the class list at the top leads back."),
  ];
}

export function noteForm(note: Note): Child[] {
  const { x, y, note: text } = note.place;
  const set = (event: Event) => void edit({ kind: "SetNote", note: note.name, text: (event.target as HTMLTextAreaElement).value, x, y });
  return [h("h2", {}, "Note"), h("textarea", { id: "note", rows: "6", "aria-label": "Text of the note", value: text, key: note.name, onchange: set }, text), h("p", { class: "hint" }, "An empty text removes it. Notes stand in the layout file.")];
}
