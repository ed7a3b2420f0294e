// The bar at the top: files, undo, save; banners below it.

import { create, edit, goBack, open, reload, save, select, step, trust } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { icon } from "./icons.ts";
import { snapped } from "./geometry.ts";
import { layers, showLayer } from "./layers.ts";
import { sideShown, toggleSide } from "./panes.ts";
import { shareMenu } from "./share_menu.ts";
import { fit, toSheet } from "./sheet.ts";
import { changed, store } from "./store.ts";

/** Of what two programs have changed. */
const MOST_NAMED = 3;

export function topBar(): Child[] {
  const state = store.document;
  const none = state ? [] : [h("option", { key: "", value: "", selected: true }, "Open a file…")];
  const files = h(
    "select",
    { "aria-label": "File", id: "files", onchange: (event: Event) => void go((event.target as HTMLSelectElement).value) },
    ...none,
    ...store.files.map((file) => h("option", { value: file, key: file, selected: file === state?.path }, file)),
  );
  const classes = h(
    "select",
    { "aria-label": "Class", onchange: (event: Event) => void open(state!.path, (event.target as HTMLSelectElement).value).then(() => fit()) },
    ...(state?.classes ?? []).map((name) => h("option", { value: name, key: name, selected: name === state?.cls }, name)),
  );
  return [
    sideButton("left", "Library, outline, curves"),
    h("span", { class: "brand" }, "Tellegen ", h("b", {}, "Studio")),
    store.files.length ? files : "",
    ...store.trail.map((cls, depth) => h("button", { class: "crumb", "data-crumb": cls, title: "Back (Alt ←)", onclick: () => void goBack(depth).then(() => fit()) }, `${cls} ›`)),
    state ? classes : "",
    h("button", { id: "new", onclick: askName, title: "A new model" }, icon("plus"), "New"),
    state ? layerChoice() : "",
    state ? h("button", { id: "note-new", onclick: newNote, title: "A note on the sheet (N)" }, icon("note"), "Note") : "",
    h("span", { class: "gap" }),
    state ? shareMenu() : "",
    h("button", { id: "undo", disabled: !state?.can_undo, onclick: () => void step("Undo"), title: "Undo (Ctrl Z)", "aria-label": "Undo" }, icon("undo")),
    h("button", { id: "redo", disabled: !state?.can_redo, onclick: () => void step("Redo"), title: "Redo (Ctrl Shift Z)", "aria-label": "Redo" }, icon("redo")),
    h("button", { onclick: () => (fit(), changed()), title: "See all (F)", "aria-label": "See all" }, icon("fit")),
    h("button", { id: "theme", onclick: toggleTheme, title: "Dark or light", "aria-label": "Dark or light" }, icon("theme")),
    h("button", { id: "save", class: state?.dirty ? "primary" : "", disabled: !state?.dirty, onclick: () => void save(), title: "Save (Ctrl S)" }, state?.dirty ? "Save •" : "Saved"),
    sideButton("right", "Properties and messages"),
  ];
}

/** Shows or hides one side of the window. */
function sideButton(side: "left" | "right", words: string): Child {
  const on = sideShown(side);
  return h("button", { class: "side", id: `show-${side}`, title: `${on ? "Hide" : "Show"}: ${words}`, "aria-label": words, "aria-pressed": String(on), onclick: () => toggleSide(side) }, icon(side));
}

function layerChoice(): Child {
  const rows = ["", ...layers()].map((name) => h("option", { key: name, value: name, selected: name === store.layer }, name || "All layers"));
  return h("select", { id: "layer", "aria-label": "Layer", onchange: (event: Event) => showLayer((event.target as HTMLSelectElement).value) }, rows);
}

/** A note in the middle of the sheet, selected for typing. */
export function newNote(): void {
  const at = toSheet({ x: 40, y: 24 });
  const before = new Set(store.document?.diagram.notes.map((note) => note.name));
  void edit({ kind: "SetNote", note: "", text: "Note", x: snapped(at.x), y: snapped(at.y) }).then(() => {
    const fresh = store.document?.diagram.notes.find((note) => !before.has(note.name));
    if (fresh) select([fresh.name]);
  });
}

async function go(path: string): Promise<void> {
  if (!path) return;
  await open(path);
  fit();
  changed();
}

let asking = false;

/** Ask for the name of a new model. */
export function askName(): void {
  asking = true;
  changed();
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("new-name")?.focus()));
}

function close(): void {
  asking = false;
  changed();
}

export function toggleTheme(): void {
  const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
  changed();
}

/** What has to be said or asked: consent, changes by others, mistakes. */
export function banners(): Child[] {
  const state = store.document;
  const found: Child[] = [];
  if (store.ended) found.push(h("div", { class: "banner bad", role: "alert" }, "The studio has ended. Start it again with: tellegen studio"));
  if (state && !state.runnable)
    found.push(
      h(
        "div",
        { class: "banner", role: "alert" },
        h("span", {}, `The model is read, but no code of ${store.welcome?.folder ?? "this folder"} was run. Checking and running a model runs the Python code of its file.`),
        h("button", { id: "trust", class: "primary", onclick: () => void trust() }, "I trust this folder"),
      ),
    );
  if (store.conflict.length)
    found.push(
      h("div", { class: "banner bad", role: "alert" }, h("span", {}, `${state?.path} was changed by another program${store.theirsUsable ? ", and here too" : ""}: `, ...store.conflict.slice(0, MOST_NAMED).map((text) => h("code", {}, text)), store.conflict.length > MOST_NAMED ? ` and ${store.conflict.length - MOST_NAMED} more` : ""), store.theirsUsable ? h("button", { onclick: () => void reload() }, "Take theirs (undo brings mine back)") : "", h("button", { onclick: () => void save(true) }, "Save mine over it")),
    );
  if (asking) found.push(dialog());
  return found;
}

function dialog(): Child {
  const input = h("input", {
    id: "new-name",
    placeholder: "Name of the model: Drive",
    "aria-label": "Name of the model",
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
      if (event.key === "Enter") createNamed();
    },
  });
  return h("div", { class: "banner", key: "new" }, h("span", {}, "New model"), input, h("button", { id: "create", class: "primary", onclick: createNamed }, "Create"), h("button", { onclick: close }, "Cancel"));
}

function createNamed(): void {
  const name = (document.getElementById("new-name") as HTMLInputElement).value.trim();
  if (!name) return;
  close();
  void create(name);
}

export function notice(): Child[] {
  const said = store.notice;
  if (!said) return [];
  return [
    h("div", { class: said.error ? "toast bad" : "toast", role: "alert" }, h("span", {}, said.text), said.advice ? h("small", {}, said.advice) : "", h("button", { "aria-label": "Close", onclick: () => ((store.notice = null), changed()) }, icon("close"))),
  ];
}
