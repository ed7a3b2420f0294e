// The left side: the library with search, the outline of the model, its text.

import { describe, edit, findParts, open, select } from "./actions.ts";
import { curveTree } from "./curve_tree.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { snapped } from "./geometry.ts";
import type { ClassShape, RealizedPart } from "./protocol.ts";
import { makeRoom } from "./panes.ts";
import { everyday, likeness } from "./search_words.ts";
import { fit, sheet, toSheet } from "./sheet.ts";
import { changed, shapeOf, store } from "./store.ts";
import { className, svgOf } from "./symbol.ts";

const MOST = 80;
const WAIT = 150;
let typing = 0;

/** What can be put on the sheet: classes of this file, of other files of the folder, of the library. */
function offered(): ClassShape[] {
  const state = store.document;
  const here = new Map(Object.values(state?.diagram.shapes ?? {}).map((shape) => [shape.key, shape]));
  const others: ClassShape[] = [];
  for (const shape of store.library.values()) {
    const [file, cls] = shape.key.split("#");
    if (!state || cls === undefined || file !== state.path) others.push(shape);
    else if (!here.has(cls) && state.classes.includes(cls)) here.set(cls, { ...shape, key: cls, domain: "" });
  }
  others.sort((one, other) => Number(one.key.includes("#")) - Number(other.key.includes("#"))); // the folder last: it may have many files
  return [...here.values(), ...others].filter((shape) => !shape.connector && shape.key !== state?.cls && usable(shape));
}

/** Parts of other files are used by models beside them or above. */
function usable(shape: ClassShape): boolean {
  const folder = store.document?.path.replace(/[^/]*$/, "") ?? "";
  return !shape.key.includes("#") || shape.key.startsWith(folder);
}

/** Classes in which every word occurs: in the name first, then elsewhere. */
export function found(search: string): ClassShape[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const all = offered();
  if (!words.length) return all;
  const score = (shape: ClassShape, word: string) => {
    const name = className(shape.key).toLowerCase();
    const known = everyday(word, shape.key);
    if (known >= 0) return 90 - known;
    if (name === word) return 100;
    if (name.startsWith(word)) return 60 - name.length / 10;
    if (name.includes(word)) return 40 - name.length / 10;
    if (shape.domain.startsWith(word)) return 30 - name.length / 10;
    return shape.headline.toLowerCase().includes(word) ? 10 : 0;
  };
  const scored = all.map((shape) => ({ shape, scores: words.map((word) => score(shape, word)) }));
  const fits = scored.filter(({ scores }) => scores.every((value) => value > 0));
  if (!fits.length) return alike(all, words.join(""));
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  return fits.sort((a, b) => sum(b.scores) - sum(a.scores)).map(({ shape }) => shape);
}

const ALIKE = 0.55;

/** Classes whose names are spelled almost so, the nearest first. */
function alike(all: ClassShape[], text: string): ClassShape[] {
  const scored = all.map((shape) => ({ shape, score: likeness(className(shape.key), text) })).filter(({ score }) => score > ALIKE);
  return scored.sort((a, b) => b.score - a.score).map(({ shape }) => shape).slice(0, 8);
}

export function leftPanel(): Child[] {
  const tabs = (["library", "outline", "curves", "text"] as const).map((tab) =>
    h("button", { class: store.tab === tab ? "tab on" : "tab", role: "tab", "aria-selected": String(store.tab === tab), "data-tab": tab, onclick: () => go(tab) }, tab),
  );
  const content = { library, outline, curves: curveTree, text }[store.tab]();
  return [h("div", { class: "tabs", role: "tablist" }, tabs), ...content];
}

function go(tab: typeof store.tab): void {
  store.tab = tab;
  changed();
}

function library(): Child[] {
  const rows = found(store.search);
  const domains = new Map<string, ClassShape[]>();
  for (const shape of rows.slice(0, store.search ? MOST : undefined)) domains.set(shape.domain, [...(domains.get(shape.domain) ?? []), shape]);
  const box = h("input", {
    id: "search",
    type: "search",
    placeholder: "Search 800 parts…  ( / )",
    "aria-label": "Search the library",
    value: store.search,
    oninput: (event: Event) => {
      store.search = (event.target as HTMLInputElement).value;
      clearTimeout(typing);
      typing = setTimeout(() => void findParts(store.search), WAIT);
      changed();
    },
    onkeydown: (event: KeyboardEvent) => {
      const first = event.key === "Enter" && found((event.target as HTMLInputElement).value)[0]; // of what stands there now, drawn or not
      if (first) insert(first);
    },
  });
  const list = store.search ? rows.slice(0, MOST).map((shape) => row(shape)) : groups(domains);
  const nothing = store.search && !rows.length && store.realized.search === store.search && !store.realized.count && !store.realized.problem;
  const hint = nothing ? h("p", { class: "hint" }, `Nothing is found for “${store.search}”. Other words may help: the physical effect, or the domain.`) : "";
  const notes = store.folderNotes.map((text) => h("p", { class: "hint" }, text));
  return [h("div", { class: "search" }, box), h("div", { class: "list", id: "library" }, list, catalogue(), hint, notes), colours()];
}

/** Domains of the library, then the files of the folder under a heading of their own. */
function groups(domains: Map<string, ClassShape[]>): Child[] {
  const ofFile = ([, shapes]: [string, ClassShape[]]) => shapes[0]!.key.includes("#");
  const all = [...domains];
  const files = all.filter(ofFile);
  const heading = files.length ? h("h3", { key: "folder heading" }, "This folder") : "";
  return [...all.filter((row) => !ofFile(row)).map(([domain, shapes]) => group(domain, shapes)), heading, ...files.map(([domain, shapes]) => group(domain, shapes))];
}

/** Parts with all their numbers, for the words and conditions in the search box. */
function catalogue(): Child[] {
  const { search, parts, count, problem } = store.realized;
  const open_ = store.search !== "" || opened.has(CATALOGUE);
  const toggle_ = () => (toggle(CATALOGUE), void findParts(store.search));
  const head = h("button", { class: "domain", "data-domain": CATALOGUE, "aria-expanded": String(open_), onclick: toggle_ }, h("span", { class: "key realized" }), "Catalogue", h("span", { class: "count" }, open_ && search === store.search ? String(count) : ""));
  if (!open_ || search !== store.search) return store.search ? [] : [head];
  const rows = parts.flatMap((part) => (store.library.has(part.cls) ? [row(store.library.get(part.cls)!, part)] : []));
  const hint = problem || (count > parts.length ? `${parts.length} of ${count}: type a name, or a condition as in: motor, torque_max > 0.1 N.m` : "");
  if (!rows.length && !problem) return store.search ? [] : [head];
  return [head, ...rows, hint ? h("p", { class: "hint" }, hint) : ""];
}

const CATALOGUE = "catalogue";

/** What the colours beside parts mean. */
function colours(): Child {
  const kinds = { abstract: "interface", generic: "generic", realized: "parametrized" };
  return h("div", { class: "colours" }, Object.entries(kinds).map(([kind, words]) => h("span", {}, h("span", { class: `key ${kind}` }), words)));
}

function group(domain: string, shapes: ClassShape[]): Child {
  const open_ = opened.has(domain) || domain === "";
  const head = h(
    "button",
    { class: shapes[0]!.key.includes("#") ? "domain file" : "domain", "aria-expanded": String(open_), onclick: () => toggle(domain) },
    h("span", { class: "dot", raw: `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><circle cx="5" cy="5" r="5" fill="${shapes[0]!.colour}"/></svg>` }),
    shapes[0]!.key.includes("#") ? domain : domain.replaceAll("_", " ") || "this file",
    h("span", { class: "count" }, String(shapes.length)),
  );
  return h("div", { key: `domain ${domain}` }, head, ...(open_ ? shapes.map((shape) => row(shape)) : []));
}

const opened = new Set<string>();

function toggle(domain: string): void {
  if (!opened.delete(domain)) opened.add(domain);
  changed();
}

function row(shape: ClassShape, part?: RealizedPart): Child {
  const name = part?.name ?? className(shape.key);
  const kind = part ? "realized" : shape.abstract ? "abstract" : "generic";
  const domain = store.search && !part ? `${shape.domain.replaceAll("_", " ")} · ` : "";
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 ${24 - shape.height / 2} 84 ${shape.height}" width="42" height="24" fill="none" stroke="currentColor" stroke-width="2.4" font-family="sans-serif">${svgOf(shape)}</svg>`;
  return h(
    "div",
    {
      key: part ? `realized ${part.name}` : shape.key,
      class: `part ${kind}${store.looked === shape.key && !part ? " on" : ""}`,
      tabindex: "0",
      role: "button",
      "data-class": part ? undefined : shape.key,
      "data-realized": part?.name,
      title: part ? `${part.facts}; ${part.source}` : `${shape.key}: ${shape.headline}`,
      onpointerdown: (event: PointerEvent) => drag(event, shape, part),
      onkeydown: (event: KeyboardEvent) => event.key === "Enter" && insert(shape, part),
    },
    h("span", { class: "picture", raw: picture }),
    h("span", { class: "what" }, h("b", {}, name), h("small", {}, part ? part.facts : `${domain}${shape.abstract ? "interface: " : ""}${shape.headline}`)),
  );
}

function look(shape: ClassShape): void {
  select([]);
  store.looked = shape.key;
  void describe(shape.key);
  changed();
}

/** Drag a part onto the sheet; a press without a move shows what it is, a double one inserts it. */
let pressedLast = { key: "", at: 0 };

function drag(event: PointerEvent, shape: ClassShape, part?: RealizedPart): void {
  event.preventDefault();
  const from = { x: event.clientX, y: event.clientY };
  const canvas = document.getElementById("sheet")!;
  const at = (now: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    const over = now.clientX >= box.left && now.clientX <= box.right && now.clientY >= box.top && now.clientY <= box.bottom;
    const point = toSheet({ x: now.clientX - box.left, y: now.clientY - box.top });
    return over ? { x: snapped(point.x), y: snapped(point.y) } : null;
  };
  const move = (now: PointerEvent) => {
    if (Math.hypot(now.clientX - from.x, now.clientY - from.y) > 24) makeRoom();
    const point = at(now);
    sheet.ghost = point ? { shape, at: point } : null;
    changed();
  };
  const up = (now: PointerEvent) => {
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    sheet.ghost = null;
    const point = at(now);
    const far = Math.hypot(now.clientX - from.x, now.clientY - from.y) > 5;
    const key = part?.name ?? shape.key;
    if (point && far) void add(shape, point.x, point.y, part);
    else if (!far && pressedLast.key === key && Date.now() - pressedLast.at < 400) insert(shape, part);
    else if (!far) look(shape);
    pressedLast = { key, at: Date.now() };
    changed();
  };
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
}

async function add(shape: ClassShape, x: number, y: number, part?: RealizedPart): Promise<void> {
  const before = new Set(store.document?.diagram.parts.map((part) => part.name));
  const pasted = part && { kind: "PastedPart" as const, name: part.member, cls: part.cls, arguments: part.arguments, x, y, turned: "", count: "", condition: "" };
  if (!(await edit(pasted ? { kind: "PasteParts", parts: [pasted], wires: [] } : { kind: "AddPart", cls: shape.key, name: "", x, y, turned: "" }))) return;
  const fresh = store.document?.diagram.parts.find((part) => !before.has(part.name));
  if (fresh) select([fresh.name]);
  document.getElementById("sheet")?.focus(); // keys are now about the part
}

/** In the middle of the sheet, or below what stands there. */
function insert(shape: ClassShape, part?: RealizedPart): void {
  const middle = toSheet({ x: sheet.size.x / 2, y: sheet.size.y / 2 });
  const point = { x: snapped(middle.x), y: snapped(middle.y) };
  const taken = () => store.document?.diagram.parts.some((part) => Math.abs(part.place.x - point.x) < 80 && Math.abs(part.place.y - point.y) < 64);
  while (taken()) point.y += 96;
  void add(shape, point.x, point.y, part);
}

function outline(): Child[] {
  const state = store.document;
  if (!state) return [];
  const classes = state.classes.map((name) =>
    h("button", { class: name === state.cls ? "row on" : "row", onclick: () => void open(state.path, name).then(() => fit()) }, `class ${name}`),
  );
  const parts = state.diagram.parts.map((part) =>
    h(
      "button",
      { key: part.name, class: store.selected.has(part.name) ? "row on" : "row", onclick: () => select([part.name]), title: part.fixed },
      part.name,
      h("small", {}, shapeOf(part)?.key ?? part.written),
    ),
  );
  const wires = state.diagram.wires.map((wire) =>
    h("button", { class: store.wire?.number === wire.number ? "row on" : "row", title: wire.fixed, onclick: () => choose(wire.number, wire.ends.at(-1)!) }, wire.equation ? `${wire.ends.at(-1)} = ${wire.equation}` : wire.ends.join(" — ")),
  );
  return [h("div", { class: "list" }, h("h3", {}, "Classes"), classes, h("h3", {}, "Parts"), parts, h("h3", {}, "Connections"), wires)];
}

function choose(number: number, end: string): void {
  select([]);
  store.wire = { number, end };
  changed();
}

function text(): Child[] {
  return [h("pre", { class: "text", tabindex: "0" }, store.document?.text ?? "")];
}
