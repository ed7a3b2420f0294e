// Runs and their curves: what is asked for while sliders move, what is sent, what is kept.

import { send } from "./actions.ts";
import { short } from "./axis.ts";
import { columns } from "./plot.ts";
import { arrays } from "./plot_field.ts";
import type { Curve, CurvesRead, RunEnded, Simulated } from "./protocol.ts";
import { changed, shownModel, store } from "./store.ts";

/** As many as a run in Python has. */
const POINTS = 500;
/** Milliseconds after which a run can be cancelled: before, the button would only flicker. */
const PATIENCE = 250;
/** Milliseconds that a slider has to rest before all points of its run are asked for. */
const REST = 200;
/** Of a run that is kept: more would fill the memory of the page. */
const KEPT_CURVES = 400;
let again = false;
let resting: ReturnType<typeof setTimeout> | undefined;
/** Of the run in progress; the sliders may have moved on when it ends. */
let given = { label: "", values: [] as number[], text: "", model: "" };

/** Simulate; while a run is in progress the newest wish waits, older ones are forgotten. While a slider is `moving` only points that can be seen are sent. */
export async function run(moving = false): Promise<void> {
  clearTimeout(resting);
  if (store.running) {
    again = true;
    return;
  }
  do {
    again = false;
    const document = store.document; // another one may have been opened in the meantime
    if (!document) return;
    const parameters = Object.fromEntries(store.sliders.map((slider) => [slider.path, slider.value]));
    const words = store.sliders.map((slider) => `${slider.path} = ${short(slider.value)} ${slider.unit}`);
    given = { label: words.join(", "), values: store.sliders.map((slider) => slider.value), text: document.text, model: shownModel() };
    const field = store.view === "field" ? (arrays().get(store.field) ?? []) : [];
    const curves = [...new Set([...store.shown, ...(store.across ? [store.across] : []), ...field])];
    const seen = moving && store.view === "curves" ? columns() : 0;
    await busy(send({ kind: "Run", path: document.path, stop: store.stop, points: POINTS, parameters, curves, columns: seen, listing: store.listing }));
    if (!store.shown.length && store.states.length) show(usual());
  } while (again);
  resting = setTimeout(() => void whole(), REST);
}

/** All points of the last run, where only those that can be seen were sent. */
export async function whole(): Promise<void> {
  const last = store.run;
  if (last?.thin && !store.running && store.document) await send({ kind: "Curves", path: store.document.path, names: [...last.curves.keys()], number: last.number });
}

/** Curves of a run that were asked for later. Where another page has run the model since then, it is run again. */
export function received(read: CurvesRead): void {
  const last = store.run;
  if (last?.number !== read.number) return;
  if (!read.times) return void (read.number > 0 && run());
  if (last.thin) Object.assign(last, { times: doubles(read.times), thin: false });
  for (const curve of read.curves) addCurve(curve);
}

/** Until some work has ended; it can be cancelled once it takes a while. */
export async function busy<T>(work: Promise<T>): Promise<T> {
  store.running = true;
  store.progress = 0;
  const timer = setTimeout(() => ((store.slow = true), changed("curves")), PATIENCE);
  const value = await work;
  clearTimeout(timer);
  store.running = false;
  store.slow = false;
  changed("curves");
  return value;
}

/** Two states to begin with; angles and positions say less than what drives them. */
function usual(): string[] {
  const plain = (name: string) => /(^|\.)(phi|s)$/.test(name);
  return [...store.states.filter((name) => !plain(name)), ...store.states.filter(plain)].slice(0, 2);
}

export async function cancel(path = store.document?.path): Promise<void> {
  if (path) await send({ kind: "Cancel", path });
}

/** Another model is shown: nobody waits for a run of the one before. */
export function leave(path: string): void {
  clearTimeout(resting);
  again = false;
  if (store.running) void cancel(path);
}

export function ended({ simulated: done, number }: RunEnded): void {
  if (given.model !== shownModel()) return; // of a model that is not shown any more
  store.outcome = !done.ok ? done.outcome : number < 0 ? given.label : `${(1000 * done.seconds).toFixed(1)} ms`;
  store.runDiagnostics = done.diagnostics;
  listed(done, number < 0);
  if (!done.times) return;
  store.run = { times: doubles(done.times), curves: new Map(), events: doubles(done.events), number, thin: done.thin, ...given };
  for (const curve of done.curves) addCurve(curve);
}

/** What there is to choose from. A run that a script made may be of another model: what this one has comes back later. */
function listed(done: Simulated, made: boolean): void {
  const { names, states, quantities } = store;
  if (made && !store.ofModel) store.ofModel = { names, states, quantities };
  if (!made && store.ofModel && !done.names.length) Object.assign(store, store.ofModel);
  if (!made) store.ofModel = null;
  if (done.names.length) {
    if (!made) store.listing = done.listing;
    store.names = done.names;
    store.states = done.states;
    store.quantities = new Map(done.parameters.filter((row) => Number.isFinite(row.value)).map((row) => [row.path, row]));
    if (!done.names.includes(store.design.curve)) store.design.curve = done.states[0] ?? done.names[0]!;
  }
  store.shown = store.shown.filter((name) => store.names.includes(name));
}

/** A run that the script of the file made is the present one. */
export async function showMade(number: number, label: string): Promise<void> {
  const document = store.document;
  if (!document || store.running) return;
  given = { label, values: [], text: document.text, model: shownModel() };
  const answer = await send({ kind: "ShowRun", path: document.path, number, curves: store.shown });
  if (answer?.kind !== "RunEnded") return;
  store.view = "curves";
  show(store.shown.length ? store.shown : usual());
}

function addCurve(curve: Curve): void {
  store.run?.curves.set(curve.path, { unit: curve.unit, values: doubles(curve.values) });
}

function doubles(text: string): Float64Array {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  return new Float64Array(bytes.buffer);
}

/** Show curves, and ask for those that the page does not have. */
export function show(names: string[]): void {
  store.shown = names;
  fetchCurves(names);
  changed();
}

export function fetchCurves(names: string[]): void {
  const run = store.run;
  const missing = names.filter((name) => name && !run?.curves.has(name));
  if (!missing.length || !run || !store.document) return;
  const wanted = run.thin ? [...run.curves.keys(), ...missing] : missing; // all at the same times
  void send({ kind: "Curves", path: store.document.path, names: wanted, number: run.number });
}

export function toggleCurve(name: string): void {
  show(store.shown.includes(name) ? store.shown.filter((other) => other !== name) : [...store.shown, name]);
}

/** Where a slider begins and ends: about the value; temperatures and pressures of the surroundings by less, since their zero is far away. */
function usualEnds(value: number, unit: string): { low: number; high: number } {
  if (unit === "K" && value > 150) return { low: value - 30, high: value + 30 };
  const ends = value ? [value * 0.2, value * 3].sort((a, b) => a - b) : [-1, 1];
  return { low: ends[0]!, high: ends[1]! };
}

export function toggleSlider(path: string): void {
  const quantity = store.quantities.get(path);
  if (store.sliders.some((slider) => slider.path === path)) {
    store.sliders = store.sliders.filter((slider) => slider.path !== path);
    void run();
  } else if (quantity) {
    const { value, unit } = quantity;
    store.sliders = [...store.sliders, { path, unit, ...usualEnds(value, unit), value }];
  }
  changed();
}

/** The present run stays for comparison, with the curves that somebody may want to see later. */
export async function keepRun(): Promise<void> {
  await whole();
  const last = store.run;
  const document = store.document;
  if (!last || !document) return;
  const wanted = [...new Set([...store.shown, ...store.states, ...store.names])].slice(0, KEPT_CURVES);
  const missing = wanted.filter((name) => !last.curves.has(name));
  if (missing.length) await send({ kind: "Curves", path: document.path, names: missing, number: last.number });
  if (store.run === last) store.kept = [...store.kept, last];
  changed();
}

export function forgetKept(number: number): void {
  store.kept = store.kept.filter((_, k) => k !== number);
  changed();
}
