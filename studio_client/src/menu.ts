// What can be done with what is under the pointer: by the right button, a finger that rests, or a key.

import { openPart, removeSelected, select, turnSelected } from "./actions.ts";
import { copy, duplicate, paste } from "./clipboard.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { Point } from "./geometry.ts";
import type { Under } from "./sheet.ts";
import { fit, toSheet, under, where } from "./sheet.ts";
import { changed, partNamed, store } from "./store.ts";

interface Item {
  words: string;
  key: string;
  act: () => void;
}

let opened: { at: Point; items: Item[] } | null = null;
let before: HTMLElement | null = null;

/** At a point of the canvas. */
export function openMenu(at: Point, more: Item[]): void {
  const found = under(toSheet(at));
  opened = { at, items: [...itemsFor(found), ...more] };
  before = document.activeElement as HTMLElement | null;
  changed();
  requestAnimationFrame(() => requestAnimationFrame(() => document.querySelector<HTMLElement>("#menu button")?.focus()));
}

/** For the keyboard: at what is selected, or in the corner of the sheet. */
export function openMenuAtSelection(more: Item[]): void {
  const [name] = store.selected;
  openMenu((name && where(name)) || { x: 40, y: 40 }, more);
}

function itemsFor(found: Under): Item[] {
  const { part, line } = found;
  if (part) {
    const chosen = store.selected.has(part.name);
    if (!chosen && !store.selected.size) select([part.name]);
    const others = store.selected.size && !chosen ? [{ words: "Select it too", key: "Shift", act: () => select([...store.selected, part.name]) }] : [];
    const inner = store.document?.classes.includes(part.cls) ? [{ words: "Open its class", key: "O", act: () => void openPart(part) }] : [];
    return [
      ...others,
      ...inner,
      { words: "Rotate", key: "R", act: () => turnSelected(false) },
      { words: "Mirror", key: "M", act: () => turnSelected(true) },
      { words: "Copy", key: "Ctrl C", act: copy },
      { words: "Duplicate", key: "Ctrl D", act: () => void duplicate() },
      { words: "Delete", key: "Del", act: removeSelected },
    ];
  }
  if (line) {
    select([]);
    store.wire = { number: line.wire, end: line.end };
    return [{ words: `Disconnect ${line.end}`, key: "Del", act: removeSelected }];
  }
  return [
    { words: "Paste", key: "Ctrl V", act: () => void paste() },
    { words: "See all", key: "F", act: fit },
  ];
}

/** Close the menu; whether there was one. */
export function closeMenu(): boolean {
  if (!opened) return false;
  opened = null;
  before?.focus();
  changed();
  return true;
}

export function menu(): Child[] {
  if (!opened) return [];
  const { at, items } = opened;
  const rows = items.map(({ words, key, act }) =>
    h("button", { role: "menuitem", onclick: () => (closeMenu(), act(), changed()) }, h("span", {}, words), h("small", {}, key)),
  );
  const keys = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") closeMenu();
    else if (step) move(event.currentTarget as HTMLElement, step);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return [h("div", { class: "menu", role: "menu", "aria-label": partNamed([...store.selected][0] ?? "")?.name ?? "Sheet", place: `${at.x} ${at.y}`, onkeydown: keys }, rows)];
}

function move(list: HTMLElement, step: number): void {
  const buttons = [...list.querySelectorAll("button")];
  const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(now + step + buttons.length) % buttons.length]?.focus();
}
