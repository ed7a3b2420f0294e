// A document after an edit, put together from what the page has and what changed: parts that did not stay the same objects.

import type { Edited, State, TextChange } from "./protocol.ts";

/** The state after a change; null where the page has another revision than the one that it is about. */
export function edited(state: State, change: Edited): State | null {
  if (state.path !== change.path || state.revision !== change.before) return null;
  const { path: _path, before: _before, text, parts, gone, order, wires, wire_count, notes, kind: _kind, ...rest } = change;
  const byName = new Map(state.diagram.parts.map((part) => [part.name, part]));
  for (const name of gone) byName.delete(name);
  for (const part of parts) byName.set(part.name, part);
  const now = state.diagram.wires.slice(0, wire_count);
  for (const wire of wires) now[wire.number] = wire;
  return {
    ...state,
    ...rest,
    text: spliced(state.text, text),
    diagram: { ...state.diagram, parts: order.length ? order.map((name) => byName.get(name)!) : [...byName.values()], wires: now, notes },
  };
}

/** Python counts characters, JavaScript the halves of some. */
function spliced(text: string, { start, end, text: piece }: TextChange): string {
  if (!/[\ud800-\udfff]/.test(text)) return text.slice(0, start) + piece + text.slice(end);
  const letters = [...text];
  return letters.slice(0, start).join("") + piece + letters.slice(end).join("");
}
