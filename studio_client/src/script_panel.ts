// Below the sheet: the script of the file as at the terminal, with what it printed, its runs and its figures.

import { send } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import type { MadeRun } from "./protocol.ts";
import { busy, cancel, showMade } from "./runs.ts";
import { changed, store } from "./store.ts";

export function scriptPage(): Child[] {
  const { script, document } = store;
  const words = `Runs ${document?.path} as Python does, in ${store.welcome?.folder ?? "the open folder"}: what it writes, it writes there.`;
  const button = script.running
    ? h("button", { id: "script-cancel", class: "primary stop", onclick: () => void cancel() }, "■ Cancel")
    : h("button", { id: "script-run", class: "primary", disabled: !document?.runnable, title: words, onclick: () => void runScript() }, "▶ Run the script");
  const outcome = h("span", { class: "outcome" }, said());
  const text = h("pre", { class: "text printed", id: "printed", tabindex: "0", "aria-label": "What the script printed", "aria-live": "polite" }, script.text);
  if (!script.ended && !script.text) return [h("div", { class: "line" }, button, outcome), h("p", { class: "hint" }, words)];
  return [h("div", { class: "line" }, button, outcome), ...runs(), text, ...figures()];
}

function said(): string {
  const { ended, running } = store.script;
  if (running) return "running…";
  return ended ? `${ended.ok ? "ended" : "ended by a mistake, see the messages"} after ${ended.seconds.toFixed(1)} s` : "";
}

/** The runs that the script made: one becomes the present one, whose curves are shown, kept and compared. */
function runs(): Child[] {
  const { ended } = store.script;
  if (!ended?.runs.length) return [];
  const more = ended.more ? [h("span", { class: "hint" }, `and ${ended.more} more`)] : [];
  const buttons = ended.runs.map((run, k) =>
    h("button", { key: `run ${k}`, class: store.run?.number === -1 - k ? "chip on" : "chip", "data-made": String(k), title: titleOf(run), onclick: () => void showMade(k, `script ${k + 1}: ${run.label}`) }, `${k + 1}: ${run.label}`),
  );
  return [h("div", { class: "line", id: "made", role: "group", "aria-label": "Runs of the script" }, "Curves of run ", buttons, more)];
}

function titleOf(run: MadeRun): string {
  return run.line ? `Asked for in line ${run.line}: show its curves` : "Show its curves";
}

function figures(): Child[] {
  const found = store.script.ended?.figures ?? [];
  return found.map((data, k) => h("img", { key: `figure ${k}`, class: "figure", src: `data:image/png;base64,${data}`, alt: `Figure ${k + 1} of the script` }));
}

/** Run the text as it is shown, saved or not. */
async function runScript(): Promise<void> {
  const path = store.document?.path;
  if (!path) return;
  store.script = { text: "", ended: null, running: true };
  changed();
  const answer = await busy(send({ kind: "StartScript", path }));
  store.script.running = false;
  if (answer?.kind === "ScriptEnded" && path === store.document?.path) {
    store.script = { text: answer.ran.text, ended: answer.ran, running: false };
    store.runDiagnostics = answer.diagnostics;
  }
  changed();
}
