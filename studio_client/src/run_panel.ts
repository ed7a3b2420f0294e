// Below the sheet: run, sliders, curves.

import { edit, runAsScript } from "./actions.ts";
import { short } from "./axis.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { dot } from "./form_panel.ts";
import { icon } from "./icons.ts";
import { colourOf } from "./plot.ts";
import { arrays } from "./plot_field.ts";
import type { Edit } from "./protocol.ts";
import { explain, makePage, sensitivities } from "./questions.ts";
import type { Slider } from "./store.ts";
import { cancel, fetchCurves, forgetKept, keepRun, run, toggleCurve, toggleSlider } from "./runs.ts";
import { changed, store } from "./store.ts";

export function runBar(): Child[] {
  const scene = store.run !== null && hasScene();
  const ready = store.document?.runnable && store.check?.checked.ok;
  const stop = h("input", {
    class: "stop",
    "aria-label": "Stop time",
    title: 'Stop time: seconds, or "20 ms"',
    value: store.stop,
    onchange: (event: Event) => {
      store.stop = (event.target as HTMLInputElement).value;
      void run();
    },
  });
  const chips = store.shown.map((name) =>
    h("button", { key: name, class: "chip on", title: "Remove this curve", onclick: () => toggleCurve(name) }, dot(colourOf(name)), name, h("span", { class: "cross" }, "×")),
  );
  return [
    store.slow
      ? h("button", { id: "cancel", class: "primary stop", onclick: () => void cancel() }, icon("stop"), store.progress ? `${Math.round(100 * store.progress)} %` : "Cancel")
      : h("button", { id: "run", class: "primary", disabled: !ready, onclick: () => void run(), title: ready ? "Run (Ctrl Enter)" : whyNot() }, icon("run"), "Run"),
    h("label", { class: "until" }, "until", stop, /[a-z]/i.test(store.stop) ? "" : "s"),
    asScript(),
    views(),
    store.run ? h("button", { id: "bars", title: "How the first curve depends on the parameters, as bars beside them", onclick: () => void sensitivities(store.shown[0] ?? store.states[0] ?? "") }, "Sensitivities") : "",
    scene ? h("button", { id: "scene-button", title: "The last run in three dimensions", onclick: () => void toggleScene() }, store.scene ? "Close 3-D" : "3-D") : "",
    h("span", { class: "outcome" }, store.outcome, store.run && store.run.text !== store.document?.text ? " · before the last change" : ""), // last: it must not push what somebody aims at
    store.run ? h("span", { class: "break" }) : "",
    store.view === "xy" ? across() : "",
    store.view === "field" ? fieldChoice() : "",
    ...chips,
    ...legend(),
    store.run ? h("button", { id: "keep", onclick: () => void keepRun(), title: "Keep these curves for comparison" }, "Keep") : "",
  ];
}

/** Why there is no run at present. */
function whyNot(): string {
  if (!store.document) return "Open a model, or make a new one";
  if (!store.document.runnable) return "Agree to the folder first: a run is a run of its code";
  if (store.check?.checked.is_part) return "A component: it runs in a model that connects its ports";
  return store.check && !store.check.checked.ok ? "Mend what the messages at the right say first" : "Checking…";
}

/** What the script of the file gives to its run: it can be left out. */
function asScript(): Child {
  const state = store.document;
  const given = Object.entries(state?.script.options ?? {}).map(([name, text]) => `${name}=${text}`);
  const words = [...(state?.script.model ? [state.script.model] : []), ...given].join(", ");
  if (!state || !words) return "";
  const on = state.as_script;
  return h("button", { id: "as-script", class: on ? "chip on" : "chip", "aria-pressed": String(on), title: `As the script of this file: ${words}`, onclick: () => void runAsScript(!on) }, on ? "as the script" : "not as the script");
}

const VIEWS = { curves: "Curves", xy: "X-Y", field: "Field", understand: "Understand", design: "Design", script: "Script" } as const;

function views(): Child {
  const offered = Object.entries(VIEWS).filter(([view]) => view !== "field" || arrays().size > 0);
  const buttons = offered.map(([view, words]) =>
    h("button", { class: store.view === view ? "on" : "", "data-view": view, "aria-pressed": String(store.view === view), onclick: () => look(view as typeof store.view) }, words),
  );
  return h("span", { class: "views" }, buttons);
}

function look(view: typeof store.view): void {
  store.view = view;
  if (view === "understand" && !store.page) void explain("model");
  if (view === "field") setField(arrays().has(store.field) ? store.field : [...arrays().keys()][0]!);
  if (view === "xy" && !store.across) setAcross(store.shown[0] ?? "");
  changed();
}

/** The curve along the horizontal axis. */
function across(): Child {
  const options = store.names.map((name) => h("option", { key: name, value: name, selected: name === store.across }, name));
  return h("label", { class: "until" }, "over", h("select", { id: "across", "aria-label": "Horizontal axis", onchange: (event: Event) => setAcross((event.target as HTMLSelectElement).value) }, options));
}

function fieldChoice(): Child {
  const options = [...arrays().keys()].map((name) => h("option", { key: name, value: name, selected: name === store.field }, name));
  return h("select", { id: "field", "aria-label": "Array shown as an image", onchange: (event: Event) => setField((event.target as HTMLSelectElement).value) }, options);
}

function setField(name: string): void {
  store.field = name;
  fetchCurves(arrays().get(name) ?? []);
  changed();
}

function setAcross(name: string): void {
  store.across = name;
  fetchCurves([name]);
  changed();
}

/** The runs that are kept, by what was different. */
function legend(): Child[] {
  return store.kept.map((run, k) =>
    h("button", { class: "chip kept", key: `kept ${run.number}`, "data-kept": String(k + 1), title: "A run that was kept, dashed on the plot; press to forget it", onclick: () => forgetKept(k) }, h("span", { class: "dash" }, "┄"), `${k + 1}: ${run.label || "as in the model"}`, h("span", { class: "cross" }, "×")),
  );
}

/** Whether there is a mechanism that could be seen in motion. */
function hasScene(): boolean {
  return store.scene !== "" || store.check?.checked.has_scene === true;
}

async function toggleScene(): Promise<void> {
  store.scene = store.scene ? "" : await makePage("scene");
  changed();
}

export function sliders(): Child[] {
  return store.sliders.map((slider) =>
    h(
      "div",
      { class: "slider", key: slider.path },
      h("b", { title: slider.path }, slider.path),
      end(slider, "low"),
      h("input", {
        type: "range",
        min: slider.low,
        max: slider.high,
        step: (slider.high - slider.low) / 200,
        value: String(slider.value),
        "data-slides": slider.path,
        "aria-label": slider.path,
        oninput: (event: Event) => slid(slider, Number((event.target as HTMLInputElement).value)),
      }),
      end(slider, "high"),
      h("span", { class: "value" }, `${short(slider.value)} ${slider.unit}`),
      h("button", { title: "Write this value into the model", onclick: () => apply(slider) }, "Apply"),
      h("button", { title: "Remove the slider", onclick: () => toggleSlider(slider.path) }, "×"),
    ),
  );
}

/** One end of a slider: what is typed there takes effect at once. */
function end(slider: Slider, which: "low" | "high"): Child {
  const set = (event: Event) => {
    const typed = Number((event.target as HTMLInputElement).value);
    if (Number.isFinite(typed) && (which === "low" ? typed < slider.high : typed > slider.low)) slider[which] = typed;
    const inside = Math.min(Math.max(slider.value, slider.low), slider.high);
    if (inside !== slider.value) slid(slider, inside);
    changed();
  };
  return h("input", { class: "end", "aria-label": `${which === "low" ? "Lower" : "Upper"} end of ${slider.path}`, "data-end": `${which} ${slider.path}`, value: String(Number(slider[which].toPrecision(4))), onchange: set });
}

function slid(slider: Slider, value: number): void {
  slider.value = value;
  void run(true);
}

function apply(slider: Slider): void {
  void edit(applyValue(slider.path, slider.value));
}

/** The operation that writes a value into the model. */
export function applyValue(path: string, value: number): Edit["operation"] {
  const [part, parameter] = path.split(".");
  const typed = String(Number(value.toPrecision(7)));
  if (parameter) return { kind: "SetArgument", part: part!, parameter, typed };
  return { kind: "SetParameter", parameter: part!, typed };
}
