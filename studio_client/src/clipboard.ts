// Copies of parts: kept by the page and by the browser, so that they can be pasted into another file or tab.

import { edit, refuse, select } from "./actions.ts";
import { partName } from "./geometry.ts";
import type { PastedPart, PastedWire } from "./protocol.ts";
import { partNamed, store } from "./store.ts";

interface Clip {
  parts: PastedPart[];
  wires: PastedWire[];
}

const PLACE = "tellegen-clipboard";
const SHIFT = { x: 48, y: 96 };

/** The parts that are selected, with the connections among them. */
export function copied(): Clip | null {
  const state = store.document;
  const chosen = state?.diagram.parts.filter((part) => store.selected.has(part.name) && !part.port) ?? [];
  if (!state || !chosen.length) return null;
  const byCode = chosen.find((part) => part.fixed);
  if (byCode) {
    refuse(`${byCode.name} cannot be copied: ${byCode.fixed}`, "copy its text");
    return null;
  }
  const inside = (end: string) => chosen.some((part) => part.name === partName(end));
  const keyOf = (cls: string) => (state.classes.includes(cls) ? `${state.path}#${cls}` : cls);
  const ends = state.diagram.wires.filter((wire) => !wire.fixed).map((wire) => wire.ends.filter(inside));
  return {
    parts: chosen.map(({ name, cls, arguments: given, place, count, condition }) => ({ kind: "PastedPart", name, cls: keyOf(cls), arguments: given, x: place.x, y: place.y, turned: place.turned, count, condition })),
    wires: ends.filter((row) => row.length > 1).map((row) => ({ kind: "PastedWire", ends: row })),
  };
}

export function copy(): void {
  const clip = copied();
  if (clip) localStorage.setItem(PLACE, JSON.stringify(clip));
}

export async function paste(): Promise<void> {
  const text = localStorage.getItem(PLACE);
  if (text) await add(JSON.parse(text) as Clip);
}

export async function duplicate(): Promise<void> {
  const clip = copied();
  if (clip) await add(clip);
}

/** Beside the originals, and further on if something stands there; the copies are selected. */
async function add(clip: Clip): Promise<void> {
  const taken = (x: number, y: number) => store.document?.diagram.parts.some((part) => part.place.x === x && part.place.y === y);
  let by = 0;
  const own = `${store.document?.path}#`;
  const nameOf = (cls: string) => (cls.startsWith(own) ? cls.slice(own.length) : cls);
  const moved = (part: PastedPart) => ({ ...part, cls: nameOf(part.cls), x: part.x + by * SHIFT.x, y: part.y + by * SHIFT.y });
  while (clip.parts.map(moved).some((part) => taken(part.x, part.y))) by++;
  const parts = clip.parts.map(moved);
  const before = new Set(store.document?.diagram.parts.map((part) => part.name));
  if (!(await edit({ kind: "PasteParts", parts, wires: clip.wires }))) return;
  select((store.document?.diagram.parts ?? []).filter((part) => !before.has(part.name)).map((part) => part.name));
}

/** Where parts could be aligned: the names that are selected and have a place. */
export function chosenParts() {
  return [...store.selected].map(partNamed).filter((part) => part !== undefined);
}
