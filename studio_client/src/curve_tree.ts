// The left side: all curves of the last run as a tree, part by part, with a filter.

import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { colourOf } from "./plot.ts";
import { toggleCurve } from "./runs.ts";
import { changed, store } from "./store.ts";

const MOST = 200;

interface Branch {
  branches: Map<string, Branch>;
  /** Full names of curves, by their last word. */
  leaves: Map<string, string>;
}

let known: { of: string[]; root: Branch } = { of: [], root: { branches: new Map(), leaves: new Map() } };
const opened = new Set<string>();
let filter = "";

/** The tree of the names of the last run, made once for each list of names. */
function tree(): Branch {
  if (known.of === store.names) return known.root;
  const root: Branch = { branches: new Map(), leaves: new Map() };
  for (const name of store.names) {
    const derived = name.startsWith("der(");
    const words = (derived ? name.slice(4, -1) : name).split(".");
    const last = words.pop()!;
    let at = root;
    for (const word of words) {
      const next: Branch = at.branches.get(word) ?? { branches: new Map(), leaves: new Map() };
      at.branches.set(word, next);
      at = next;
    }
    at.leaves.set(derived ? `der(${last})` : last, name);
  }
  known = { of: store.names, root };
  return root;
}

export function curveTree(): Child[] {
  const search = h("input", {
    id: "curve-filter",
    type: "search",
    placeholder: store.names.length ? `Filter ${store.names.length} curves…` : "Run the model first",
    "aria-label": "Filter curves",
    value: filter,
    oninput: (event: Event) => {
      filter = (event.target as HTMLInputElement).value;
      changed();
    },
  });
  return [h("div", { class: "search" }, search), h("div", { class: "list", id: "curve-tree", role: "tree", "aria-label": "Curves" }, filter.trim() ? filtered() : rows(tree(), "", 0))];
}

function filtered(): Child[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = store.names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
  const more = fits.length > MOST ? h("p", { class: "hint" }, `${MOST} of ${fits.length}: type more of the name`) : "";
  return [...fits.slice(0, MOST).map((name) => leaf(name, name, 0)), more];
}

function rows({ branches, leaves }: Branch, path: string, depth: number): Child[] {
  const below = [...branches].flatMap(([word, branch]) => {
    const own = path ? `${path}.${word}` : word;
    const open = opened.has(own);
    const toggle = () => (opened.delete(own) || opened.add(own), changed());
    const head = h("button", { class: `row twig depth${Math.min(depth, 8)}`, key: `branch ${own}`, role: "treeitem", "aria-expanded": String(open), "data-branch": own, onclick: toggle }, h("span", { class: "turn" }, open ? "▾" : "▸"), word);
    return open ? [head, ...rows(branch, own, depth + 1)] : [head];
  });
  return [...[...leaves].map(([word, name]) => leaf(name, word, depth)), ...below];
}

function leaf(name: string, words: string, depth: number): Child {
  const on = store.shown.includes(name);
  const unit = store.run?.curves.get(name)?.unit ?? "";
  const colour = on ? colourOf(name) : "transparent";
  const dot = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4.5" cy="4.5" r="4" fill="${colour}" stroke="currentColor" stroke-opacity=".4"/></svg>`;
  return h("button", { class: `row twig depth${Math.min(depth, 8)}${on ? " on" : ""}`, key: `leaf ${name}`, role: "treeitem", "aria-selected": String(on), "data-leaf": name, title: name, onclick: () => toggleCurve(name) }, h("span", { class: "dot", raw: dot }), words, h("small", {}, unit));
}
