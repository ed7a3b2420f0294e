// One layer for each energy domain: parts and lines of other domains are drawn faintly.

import type { ClassShape, Part } from "./protocol.ts";
import { changed, shapeOf, store } from "./store.ts";

const SIGNALS = "signals";

let colours: { of: unknown; names: Map<string, string> } = { of: null, names: new Map() };

/** The domain of a connector's colour. */
function domainOf(colour: string): string {
  if (colours.of !== store.library) {
    const connectors = [...store.library.values()].filter((shape) => shape.connector);
    colours = { of: store.library, names: new Map(connectors.map((shape) => [shape.colour, shape.domain])) };
  }
  return colours.names.get(colour) ?? "";
}

function domains(part: Part, shape: ClassShape): string[] {
  if (part.port) return [shape.domain];
  return [...new Set(shape.ports.map((port) => (port.role === "port" ? domainOf(port.colour) : SIGNALS)))].filter(Boolean);
}

/** The domains on this sheet. */
export function layers(): string[] {
  const found = new Set<string>();
  for (const part of store.document?.diagram.parts ?? []) for (const name of domains(part, shapeOf(part)!)) found.add(name);
  return [...found].sort();
}

/** Whether a part belongs to the layer that is shown. */
export function partShown(part: Part, shape: ClassShape): boolean {
  return !store.layer || domains(part, shape).includes(store.layer);
}

export function lineShown(colour: string): boolean {
  return !store.layer || (colour === "signal" ? SIGNALS : domainOf(colour)) === store.layer;
}

export function showLayer(name: string): void {
  store.layer = name;
  changed();
}
