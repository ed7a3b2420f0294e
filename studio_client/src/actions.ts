// What can be done, whichever button, key or gesture asks for it.

import { Connection } from "./connection.ts";
import { edited } from "./edited.ts";
import { portOf, turnOf, turnText } from "./geometry.ts";
import type { Answer, Ask, Diagnostic, Edit, Part, PortShape, Request, RunEnded, State } from "./protocol.ts";
import { ended, leave, received as receivedCurves } from "./runs.ts";
import { changed, partNamed, shapeOf, store } from "./store.ts";

let connection: Connection;

export async function start(): Promise<void> {
  connection = new Connection(received, () => {
    store.ended = true;
    changed();
  });
  await connection.opened();
  await connection.ask({ kind: "Hello", token: location.hash.slice(1) });
  const first = store.welcome?.first || (store.files.length === 1 ? store.files[0]! : "");
  if (first) await open(first);
}

/** The answer to a request. */
export function send(request: Request): Promise<Answer | null> {
  return connection.ask(request);
}

function received(message: Answer): void {
  const extent = message.kind === "RunProgress" || (message.kind === "RunEnded" && quiet(message)) ? "curves" : "all";
  switch (message.kind) {
    case "Welcome":
      store.welcome = message;
      store.library = new Map(message.library.map((shape) => [shape.key, shape]));
      store.files = message.files;
      store.trusted = message.trusted;
      break;
    case "FolderClasses":
      for (const key of store.library.keys()) if (key.includes("#")) store.library.delete(key);
      for (const shape of message.shapes) store.library.set(shape.key, shape);
      store.folderNotes = message.notes;
      break;
    case "Files":
      store.files = message.files;
      store.trusted = message.trusted;
      break;
    case "State":
      if (store.document && store.document.path !== message.path && !expected.has(message.path)) break;
      shown(message);
      break;
    case "Edited": {
      if (message.path !== store.document?.path) break;
      const next = edited(store.document, message);
      if (next) shown(next);
      else void connection.ask({ kind: "Open", path: message.path, cls: store.document.cls });
      break;
    }
    case "CheckEnded":
      if (message.path === store.document?.path) {
        store.check = message;
        if (message.checked.stop && !store.run && !store.document.script.stop) store.stop = String(message.checked.stop);
      }
      break;
    case "RunProgress":
      if (message.path === store.document?.path) store.progress = message.progress.fraction;
      break;
    case "RunEnded":
      ended(message);
      break;
    case "CurvesAnswer":
      if (message.path === store.document?.path) receivedCurves(message.read);
      break;
    case "ScriptPrinted":
      if (message.path === store.document?.path && store.script.running) store.script.text += message.printed.text;
      break;
    case "PartsFound":
      store.realized = message;
      break;
    case "Described":
      store.described = message;
      break;
    case "ChangedOnDisk":
      if (message.path !== store.document?.path) break;
      store.conflict = message.both;
      store.theirsUsable = message.usable;
      store.notice = null;
      break;
    case "Merged":
      if (message.path !== store.document?.path) break;
      store.conflict = [];
      store.notice = { text: `${message.path} was changed by another program: its changes and yours are together here.`, advice: "Undo takes theirs out again.", error: false };
      break;
    case "Failed":
      say(message.diagnostic);
      break;
  }
  changed(extent);
}

/** A run that differs from the one before by its curves alone. */
function quiet({ simulated }: RunEnded): boolean {
  return !simulated.names.length && !simulated.diagnostics.length && !store.runDiagnostics.length;
}

const expected = new Set<string>();

function shown(state: State): void {
  const before = store.document;
  if (before?.path !== state.path || before.cls !== state.cls) {
    if (before) leave(before.path);
    forgetRun();
    store.stop = state.script.stop || "2";
  }
  if (before?.revision !== state.revision) Object.assign(store, { explained: new Map(), bars: null });
  store.document = state;
  if (!state.dirty) store.conflict = [];
  const names = new Set([...state.diagram.parts, ...state.diagram.notes].map((one) => one.name));
  for (const name of store.selected) if (!names.has(name)) store.selected.delete(name);
}

function forgetRun(): void {
  Object.assign(store, { run: null, kept: [], names: [], states: [], shown: [], sliders: [], check: null, wire: null });
  Object.assign(store, { listing: 0, outcome: "", runDiagnostics: [], explained: new Map(), bars: null, table: null, ofModel: null, script: { text: "", ended: null, running: false }, scene: "", layer: "", across: "", view: "curves" });
  store.quantities.clear();
  store.selected.clear();
}

/** The answer to a question about the model; what is wrong with it is said. */
export async function ask(question: Ask["question"]): Promise<Answer | null> {
  if (!store.document) return null;
  store.notice = null;
  return connection.ask({ kind: "Ask", path: store.document.path, question });
}

export async function askScript(): Promise<string> {
  if (!store.document) return "";
  const answer = await connection.ask({ kind: "Script", path: store.document.path });
  return answer?.kind === "ScriptText" ? answer.text : "";
}

export function say(diagnostic: Diagnostic): void {
  const code = diagnostic.code ? `${diagnostic.code}: ` : "";
  store.notice = { text: code + diagnostic.message, advice: diagnostic.advice, error: true };
  changed();
}

export function refuse(text: string, advice = ""): void {
  store.notice = { text, advice, error: true };
  changed();
}

export async function open(path: string, cls = ""): Promise<void> {
  expected.clear();
  expected.add(path);
  store.trail = [];
  await connection.ask({ kind: "Open", path, cls });
  changed();
}

/** Go into the class of a part, if it stands in the same file; the way back is kept. */
export async function openPart(part: Part): Promise<void> {
  const document = store.document;
  if (!document?.classes.includes(part.cls) || part.cls === document.cls) return;
  const trail = [...store.trail, document.cls];
  await open(document.path, part.cls);
  store.trail = trail;
  changed();
}

/** Back to a class on the way here. */
export async function goBack(depth = store.trail.length - 1): Promise<void> {
  const cls = store.trail[depth];
  if (!store.document || cls === undefined) return;
  const trail = store.trail.slice(0, depth);
  await open(store.document.path, cls);
  store.trail = trail;
  changed();
}

export async function create(name: string): Promise<void> {
  const cls = name.replace(/\.py$/, "").replace(/(^|[_\s-]+)(\w)/g, (_all, _gap, letter: string) => letter.toUpperCase());
  const path = `${name.replace(/\.py$/, "").replace(/\W+/g, "_").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase()}.py`;
  expected.clear();
  expected.add(path);
  await connection.ask({ kind: "New", path, cls });
}

export async function trust(): Promise<void> {
  await connection.ask({ kind: "Trust" });
}

let lastEdit: Promise<boolean> = Promise.resolve(true);

/** Edits one after the other: each is made on the revision that the one before has left. */
export function edit(operation: Edit["operation"]): Promise<boolean> {
  lastEdit = lastEdit.then(() => editNow(operation));
  return lastEdit;
}

async function editNow(operation: Edit["operation"]): Promise<boolean> {
  const document = store.document;
  if (!document) return false;
  store.notice = null;
  const { path, cls, revision } = document;
  const answer = await connection.ask({ kind: "Edit", path, cls, revision, operation });
  return answer?.kind !== "Failed";
}

/** Whether the model is made and run as the script of its file does it. */
export async function runAsScript(on: boolean): Promise<void> {
  if (store.document) await connection.ask({ kind: "AsScript", path: store.document.path, on });
}

export async function step(kind: "Undo" | "Redo"): Promise<void> {
  if (store.document) await connection.ask({ kind, path: store.document.path });
}

export async function save(anyway = false): Promise<void> {
  if (store.document) await connection.ask({ kind: "Save", path: store.document.path, anyway });
}

export async function reload(): Promise<void> {
  if (store.document) await connection.ask({ kind: "Reload", path: store.document.path });
  store.conflict = [];
  changed();
}

export async function findParts(search: string): Promise<void> {
  await connection.ask({ kind: "FindParts", search });
}

export async function describe(cls: string): Promise<void> {
  if (store.library.has(cls) && !cls.includes("#")) await connection.ask({ kind: "Describe", cls });
}

export function select(names: string[]): void {
  store.selected = new Set(names);
  store.wire = null;
  store.port = "";
  store.looked = "";
  store.described = null;
  const part = names.length === 1 ? partNamed(names[0]!) : undefined;
  if (part) void describe(part.cls);
  changed();
}

export function removeSelected(): void {
  const { wire, selected } = store;
  if (wire) {
    store.wire = null;
    void edit({ kind: "Disconnect", wire: wire.number, end: wire.end });
  } else if (selected.size) {
    void edit({ kind: "RemoveParts", names: [...selected] });
  }
}

export function turnSelected(mirror: boolean): void {
  for (const name of store.selected) {
    const part = partNamed(name);
    if (!part) continue;
    const turn = turnOf(part.place.turned);
    const next = mirror ? { quarter: turn.quarter, mirrored: !turn.mirrored } : { ...turn, quarter: turn.quarter + 1 };
    void edit({ kind: "TurnPart", part: name, turned: turnText(next) });
  }
}

/** Why two ports cannot be connected; empty if they can. */
export function misfit(first: string, second: string): string {
  const ports = [first, second].map((end) => endPort(end));
  const [one, other] = ports;
  if (!one || !other) return "";
  if ((one.role === "port") !== (other.role === "port")) return `${first} is a ${word(one)} and ${second} a ${word(other)}`;
  if (one.role === "output" && other.role === "output") return `${first} and ${second} are both outputs`;
  const plain = (port: PortShape) => port.type.replace(/\[.*/, "");
  if (one.role === "port" && plain(one) !== plain(other) && one.colour !== other.colour)
    return `cannot connect '${first}' to '${second}': a ${plain(one)} and a ${plain(other)} are different domains`;
  return "";
}

function word(port: PortShape): string {
  return port.role === "port" ? `port (${port.type})` : "signal";
}

export function endPort(end: string): PortShape | null {
  const part = partNamed(end.replace(/[.[].*$/, ""));
  if (!part) return null;
  const shape = shapeOf(part);
  if (part.port && shape) return { role: "port", type: shape.key.split(".").at(-1)!, colour: shape.colour } as unknown as PortShape;
  return portOf(shape, end);
}

export async function connect(first: string, second: string): Promise<void> {
  const reason = misfit(first, second);
  if (reason) refuse(reason, "connect ports of the same domain; a part with both ports (a motor, a heater) couples domains");
  else await edit({ kind: "Connect", first, second });
}
