// What the page knows: the document, what is selected, the last run. Whoever changes it calls `changed`.

import type { CheckEnded, ClassShape, Described, Diagnostic, Explained, Part, Quantity, SensitivitiesFound, State, Table, Welcome } from "./protocol.ts";

export interface Run {
  times: Float64Array;
  curves: Map<string, { unit: string; values: Float64Array }>;
  events: number[];
  label: string;
}

export interface Slider {
  path: string;
  unit: string;
  low: number;
  high: number;
  value: number;
}

export interface Notice {
  text: string;
  advice: string;
  error: boolean;
}

export const store = {
  welcome: null as Welcome | null,
  library: new Map<string, ClassShape>(),
  files: [] as string[],
  trusted: false,
  document: null as State | null,
  check: null as CheckEnded | null,
  selected: new Set<string>(),
  wire: null as { number: number; end: string } | null,
  described: null as Described | null,
  looked: "",
  search: "",
  tab: "library" as "library" | "outline" | "text",
  stop: "2",
  running: false,
  progress: 0,
  outcome: "",
  names: [] as string[],
  states: [] as string[],
  quantities: new Map<string, Quantity>(),
  shown: [] as string[],
  run: null as Run | null,
  kept: [] as Run[],
  sliders: [] as Slider[],
  runDiagnostics: [] as Diagnostic[],
  notice: null as Notice | null,
  conflict: false,
  ended: false,
  layer: "",
  view: "curves" as "curves" | "xy" | "understand" | "design",
  across: "",
  page: "",
  explained: new Map<string, Explained>(),
  bars: null as SensitivitiesFound | null,
  table: null as Table | null,
  scene: "",
  design: { number: "final", curve: "", count: 11, limitNumber: "peak", limitCurve: "", most: "", file: "", column: "" },
};

const listeners: (() => void)[] = [];
let asked = false;

export function onChange(listener: () => void): void {
  listeners.push(listener);
}

/** Draw again, once per frame however often it is asked for. */
export function changed(): void {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    for (const listener of listeners) listener();
  });
}

export function shapeOf(part: Part): ClassShape | undefined {
  return store.document?.diagram.shapes[part.cls] ?? store.library.get(part.cls);
}

export function partNamed(name: string): Part | undefined {
  return store.document?.diagram.parts.find((part) => part.name === name);
}

/** The one part that is selected. */
export function selectedPart(): Part | undefined {
  return store.selected.size === 1 ? partNamed([...store.selected][0]!) : undefined;
}

/** All messages of the last check and the last run. */
export function diagnostics(): Diagnostic[] {
  return [...(store.check?.checked.diagnostics ?? []), ...store.runDiagnostics];
}
