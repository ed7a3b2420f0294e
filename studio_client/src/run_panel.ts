// Below the sheet: run, sliders, curves.

import { cancel, edit, keepRun, run, short, toggleCurve, toggleSlider } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { dot } from "./form_panel.ts";
import { colourOf } from "./plot.ts";
import type { Slider } from "./store.ts";
import { changed, store } from "./store.ts";

export function runBar(): Child[] {
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
    store.running
      ? h("button", { id: "cancel", class: "primary stop", onclick: () => void cancel() }, `■ ${store.progress ? `${Math.round(100 * store.progress)} %` : "Cancel"}`)
      : h("button", { id: "run", class: "primary", disabled: !ready, onclick: () => void run(), title: "Run (Ctrl Enter)" }, "▶ Run"),
    h("label", { class: "until" }, "until", stop, "s"),
    h("span", { class: "outcome" }, store.outcome),
    h("span", { class: "gap" }),
    ...chips,
    store.run ? h("button", { onclick: keepRun, title: "Keep these curves for comparison" }, "Keep") : "",
    store.kept.length ? h("button", { onclick: drop }, `Forget ${store.kept.length}`) : "",
  ];
}

function drop(): void {
  store.kept = [];
  changed();
}

export function sliders(): Child[] {
  return store.sliders.map((slider) =>
    h(
      "div",
      { class: "slider", key: slider.path },
      h("b", {}, slider.path),
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
      h("span", { class: "value" }, `${short(slider.value)} ${slider.unit}`),
      h("button", { title: "Write this value into the model", onclick: () => apply(slider) }, "Apply"),
      h("button", { title: "Remove the slider", onclick: () => toggleSlider(slider.path) }, "×"),
    ),
  );
}

function slid(slider: Slider, value: number): void {
  slider.value = value;
  void run();
}

function apply(slider: Slider): void {
  const [part, parameter] = slider.path.split(".");
  const typed = short(slider.value);
  if (parameter) void edit({ kind: "SetArgument", part: part!, parameter, typed });
  else void edit({ kind: "SetParameter", parameter: part!, typed });
}
