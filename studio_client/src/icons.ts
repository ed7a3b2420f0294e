// Signs on buttons: drawn, so that they look the same with every font and follow the colour of the text.

import type { Child } from "./dom.ts";
import { h } from "./dom.ts";

const LINES = {
  left: "M3.5 2.75h9a1.75 1.75 0 0 1 1.75 1.75v7a1.75 1.75 0 0 1-1.75 1.75h-9A1.75 1.75 0 0 1 1.75 11.5v-7A1.75 1.75 0 0 1 3.5 2.75zM6 2.75v10.5",
  right: "M3.5 2.75h9a1.75 1.75 0 0 1 1.75 1.75v7a1.75 1.75 0 0 1-1.75 1.75h-9A1.75 1.75 0 0 1 1.75 11.5v-7A1.75 1.75 0 0 1 3.5 2.75zM10 2.75v10.5",
  undo: "M5.5 3.5l-3 3 3 3M2.5 6.5h7.2a3.4 3.4 0 0 1 0 6.8H6.5",
  redo: "M10.5 3.5l3 3-3 3M13.5 6.5H6.3a3.4 3.4 0 0 0 0 6.8h3.2",
  fit: "M2.5 6V3.5a1 1 0 0 1 1-1H6M10 2.5h2.5a1 1 0 0 1 1 1V6M13.5 10v2.5a1 1 0 0 1-1 1H10M6 13.5H3.5a1 1 0 0 1-1-1V10",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM8 4v8M9.6 4.6v6.8M11.2 5.6v4.8",
  plus: "M8 3v10M3 8h10",
  note: "M3 2.75h10v6.5l-4 4H3zM9 13v-3.75h3.75",
  turn: "M13 8a5 5 0 1 1-1.6-3.7M13 2.2v2.9h-2.9",
  mirror: "M8 2.5v11M5.2 5.2L2.4 8l2.8 2.8M10.8 5.2L13.6 8l-2.8 2.8",
  remove: "M3 4.5h10M6.3 4.3V2.8h3.4v1.5M4.4 4.7l.6 8.8h6l.6-8.8",
  run: "M5.2 3.4v9.2l7.2-4.6z",
  stop: "M4.5 4.5h7v7h-7z",
  close: "M4.3 4.3l7.4 7.4M11.7 4.3l-7.4 7.4",
} as const;

const FILLED = new Set(["run", "stop"]);

export function icon(name: keyof typeof LINES): Child {
  const fill = FILLED.has(name) ? "currentColor" : "none";
  return h("span", {
    class: "icon",
    raw: `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="${fill}" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${LINES[name]}"/></svg>`,
  });
}
