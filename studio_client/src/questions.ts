// Questions about the model: what was found is kept until the model changes.

import { ask, refuse, select } from "./actions.ts";
import type { Explain, Goal, PageReady, Range, Table } from "./protocol.ts";
import { busy } from "./runs.ts";
import { changed, store } from "./store.ts";

export async function explain(what: Explain["what"]): Promise<void> {
  store.page = what;
  if (what === "time" || !store.explained.has(what)) {
    const found = await ask({ kind: "Explain", what });
    if (found?.kind === "Answered" && found.found.kind === "Explained") store.explained.set(what, found.found);
  }
  changed();
}

export async function sensitivities(of: string): Promise<void> {
  const found = await ask({ kind: "Sensitivities", of, stop: store.stop, parameters: slid() });
  if (found?.kind === "Answered" && found.found.kind === "SensitivitiesFound") store.bars = found.found;
  const part = [...store.selected][0];
  if (part && !store.bars?.bars.some(({ path }) => path.startsWith(`${part}.`))) select([]); // all bars are in the form of the model
  changed();
}

/** The values of sliders. */
export function slid(): Record<string, number> {
  return Object.fromEntries(store.sliders.map((slider) => [slider.path, slider.value]));
}

export function ranges(): Range[] {
  return store.sliders.map(({ path, low, high }) => ({ kind: "Range", path, low, high }));
}

export function goal(): Goal {
  return { kind: "Goal", number: store.design.number, curve: store.design.curve };
}

async function designed(question: Parameters<typeof ask>[0]): Promise<void> {
  const found = await busy(ask(question));
  if (found?.kind === "Answered" && found.found.kind === "Table") store.table = found.found as Table;
  changed();
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById("table-title")?.scrollIntoView({ block: "start" }))); // it stands below the form
}

export async function study(): Promise<void> {
  await designed({ kind: "Study", ranges: ranges(), count: store.design.count, goals: [goal()], stop: store.stop, parameters: {} });
}

export async function optimize(maximize: boolean): Promise<void> {
  const { limitNumber: number, limitCurve: curve, most } = store.design;
  if (most.trim() && !Number.isFinite(Number(most))) return refuse(`the limit ${most} is no number`, "write a decimal point: 0.2");
  const limits = most.trim() && curve ? [{ kind: "Limit" as const, goal: { kind: "Goal" as const, number, curve }, most: Number(most) }] : [];
  await designed({ kind: "Optimize", goal: goal(), maximize, ranges: ranges(), limits, stop: store.stop, parameters: {} });
}

export async function calibrate(): Promise<void> {
  const { file, column, curve } = store.design;
  await designed({ kind: "Calibrate", file, match: column ? { [curve]: column } : {}, ranges: ranges() });
}

/** The address of a page that was written. */
export async function makePage(what: "scene" | "live"): Promise<string> {
  const found = await ask({ kind: "MakePage", what, ranges: ranges(), curves: store.shown, stop: store.stop });
  return found?.kind === "PageReady" ? (found as PageReady).address : "";
}
