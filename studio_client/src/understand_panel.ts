// Below the sheet: what the model is made of, page by page.

import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { explain } from "./questions.ts";
import { store } from "./store.ts";

const PAGES: [string, string][] = [
  ["model", "Overview and states"],
  ["equations", "Equations as written"],
  ["reduced", "Equations that are solved"],
  ["blocks", "Order of evaluation"],
  ["graph", "Linear graph and tree"],
  ["report", "What the compiler did"],
  ["time", "Where time goes"],
];

export function understand(): Child[] {
  const tabs = PAGES.map(([what, words]) =>
    h("button", { class: store.page === what ? "tab on" : "tab", role: "tab", "aria-selected": String(store.page === what), "data-page": what, onclick: () => void explain(what) }, words),
  );
  const found = store.explained.get(store.page);
  const hint = "Choose a page. Overview marks states on the sheet, linear graph draws its tree there.";
  return [
    h("div", { class: "tabs", role: "tablist" }, tabs),
    store.page === "graph" && found ? h("p", { class: "hint" }, h("b", { class: "branch" }, "━━"), " a branch of the tree · ", h("b", { class: "chord" }, "╍╍"), " a chord; dots are vertices, drawn upon the sheet") : "",
    found ? h("pre", { class: "text", tabindex: "0", id: "explained" }, found.text) : h("p", { class: "hint" }, hint),
  ];
}
