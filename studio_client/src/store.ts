// What the page knows: the document, what is selected, the last run. Whoever changes it calls `changed`.

import type { CheckEnded, ClassShape, Described, Diagnostic, Explained, Part, PartsFound, Quantity, ScriptRan, SensitivitiesFound, State, Table, Welcome } from "./protocol.ts";

export interface Run {
  times: Float64Array;
  curves: Map<string, { unit: string; values: Float64Array }>;
  events: Float64Array;
  label: string;
  /** Of the sliders. */
  values: number[];
  /** Of the model. */
  text: string;
  number: number;
  /** Whether there are only the points that the plot shows; the others come when the slider rests. */
  thin: boolean;
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
  /** Files of the folder that no parts could be made of, in words. */
  folderNotes: [] as string[],
  trusted: false,
  document: null as State | null,
  /** Classes that were opened on the way to the one that is shown. */
  trail: [] as string[],
  check: null as CheckEnded | null,
  selected: new Set<string>(),
  /** A port that was clicked: `motor.p`. */
  port: "",
  wire: null as { number: number; end: string } | null,
  described: null as Described | null,
  looked: "",
  /** Parts of the catalogue that fit what was searched for last. */
  realized: { search: "", parts: [], count: 0, problem: "" } as Omit<PartsFound, "kind">,
  search: "",
  tab: "library" as "library" | "outline" | "curves" | "text",
  stop: "2",
  running: false,
  /** Whether a run takes so long that somebody may want to cancel it. */
  slow: false,
  progress: 0,
  outcome: "",
  names: [] as string[],
  /** The number that the server has for the list of names, states and parameters; 0 for none. */
  listing: 0,
  states: [] as string[],
  quantities: new Map<string, Quantity>(),
  /** What there is in runs of the model, while one that a script made is shown. */
  ofModel: null as { names: string[]; states: string[]; quantities: Map<string, Quantity> } | null,
  shown: [] as string[],
  run: null as Run | null,
  kept: [] as Run[],
  sliders: [] as Slider[],
  runDiagnostics: [] as Diagnostic[],
  notice: null as Notice | null,
  /** What another program and somebody here have both changed. */
  conflict: [] as string[],
  /** Whether what the other program wrote can be taken over. */
  theirsUsable: true,
  ended: false,
  layer: "",
  view: "curves" as "curves" | "xy" | "field" | "understand" | "design" | "script",
  /** The array that is shown as an image: `rod.T[*]`. */
  field: "",
  across: "",
  page: "",
  explained: new Map<string, Explained>(),
  bars: null as SensitivitiesFound | null,
  table: null as Table | null,
  /** The script of the file: what it printed so far, and how it ended. */
  script: { text: "", ended: null as ScriptRan | null, running: false },
  scene: "",
  design: { number: "final", curve: "", count: 11, limitNumber: "peak", limitCurve: "", most: "", file: "", column: "" },
};

/** What is drawn again: the sheet as it was at another place, the sheet alone, the curves with sliders and outcome, or everything. */
export type Extent = "pan" | "sheet" | "curves" | "all";

const listeners: ((extents: Set<Extent>) => void)[] = [];
let asked = new Set<Extent>();

export function onChange(listener: (extents: Set<Extent>) => void): void {
  listeners.push(listener);
}

/** Draw again, once per frame however often it is asked for. */
export function changed(extent: Extent = "all"): void {
  const waiting = asked.size > 0;
  asked.add(extent);
  if (waiting) return;
  requestAnimationFrame(() => {
    const wanted = asked;
    asked = new Set();
    for (const listener of listeners) listener(wanted);
  });
}

/** The class that is shown, of which file: what is about another one is out of date. */
export function shownModel(): string {
  return store.document ? `${store.document.path} ${store.document.cls}` : "";
}

export function shapeOf(part: Part): ClassShape | undefined {
  return store.document?.diagram.shapes[part.cls] ?? store.library.get(part.cls);
}

let named: { of: State | null; parts: Map<string, Part> } = { of: null, parts: new Map() };

/** Parts by name, found once for each state of the document. */
export function partsByName(): Map<string, Part> {
  if (named.of !== store.document) named = { of: store.document, parts: new Map(store.document?.diagram.parts.map((part) => [part.name, part])) };
  return named.parts;
}

export function partNamed(name: string): Part | undefined {
  return partsByName().get(name);
}

/** The one part that is selected. */
export function selectedPart(): Part | undefined {
  return store.selected.size === 1 ? partNamed([...store.selected][0]!) : undefined;
}

/** All messages of the last check and the last run. */
export function diagnostics(): Diagnostic[] {
  return [...(store.check?.checked.diagnostics ?? []), ...store.runDiagnostics];
}
