// The right side: what is selected, with its parameters and curves; messages below.

import { edit, removeSelected, select, turnSelected } from "./actions.ts";
import { short } from "./axis.ts";
import type { Child, Element_ } from "./dom.ts";
import { h } from "./dom.ts";
import { ownText } from "./empty_sheet.ts";
import { icon } from "./icons.ts";
import type { Diagnostic, Fix, ParameterShape, Part, State } from "./protocol.ts";
import { partName } from "./geometry.ts";
import { bar, implementationChoice, propagateButton, startValues } from "./part_choices.ts";
import { copiesForm, portsForm } from "./part_ports.ts";
import { colourOf } from "./plot.ts";
import { cancel, toggleCurve, toggleSlider } from "./runs.ts";
import { noteForm, severalForm } from "./several_form.ts";
import { valueInput } from "./value_input.ts";
import { changed, diagnostics, partNamed, selectedPart, shapeOf, store } from "./store.ts";

export function rightPanel(): Child[] {
  const part = selectedPart();
  const note = store.document?.diagram.notes.find((row) => store.selected.has(row.name) && store.selected.size === 1);
  const content = note ? noteForm(note) : store.selected.size > 1 ? severalForm() : part ? partForm(part) : store.looked ? classPage(store.looked) : modelForm();
  return [h("div", { class: "form list" }, content), messages()];
}

function partForm(part: Part): Child[] {
  const shape = shapeOf(part);
  const given = (parameter: ParameterShape) => parameter.name in part.arguments || !computed(parameter);
  const rows = (shape?.parameters ?? []).filter(given).map((parameter) => argument(part, parameter));
  const others = (shape?.parameters ?? []).filter((parameter) => !given(parameter)).map((parameter) => argument(part, parameter));
  const name = h("input", {
    class: "name",
    "aria-label": "Name",
    key: `name ${part.name}`,
    value: part.name,
    onchange: (event: Event) => {
      const typed = (event.target as HTMLInputElement).value.trim();
      if (typed && typed !== part.name) void edit({ kind: "RenamePart", old: part.name, new: typed }).then((done) => done && select([typed]));
    },
  });
  const tools = h(
    "div",
    { class: "tools" },
    h("button", { onclick: () => turnSelected(false), title: "Rotate (R)" }, icon("turn"), "Rotate"),
    h("button", { onclick: () => turnSelected(true), title: "Mirror (M)" }, icon("mirror"), "Mirror"),
    h("button", { onclick: removeSelected, title: "Delete (Del)" }, icon("remove"), "Delete"),
  );
  return [
    name,
    h("div", { class: "class" }, shape?.key ?? part.written),
    h("p", { class: "headline" }, shape?.headline ?? ""),
    part.fixed ? h("p", { class: "fixed" }, `Not edited here: ${part.fixed} (line ${part.line}).`) : tools,
    implementationChoice(part),
    rows.length ? h("h3", {}, "Parameters") : "",
    ...rows,
    others.length ? h("details", { key: `computed ${part.name}` }, h("summary", {}, `${others.length} computed from others`), others) : "",
    ...startValues(part),
    ...copiesForm(part),
    ...portsForm(part),
    ...curvesOf(part),
    ...equations(part.cls),
  ];
}

/** Whether a default follows from other parameters: it is rarely given another value. */
function computed(parameter: ParameterShape): boolean {
  const text = parameter.value.replace(/"[^"]*"|'[^']*'/g, "");
  return /[(*]/.test(text) || /[A-Za-z_]\w*\s*[-+/]|[-+/]\s*[A-Za-z_]/.test(text);
}

function argument(part: Part, parameter: ParameterShape): Child {
  const path = `${part.name}.${parameter.name}`;
  const slider = store.sliders.some((row) => row.path === path);
  const set = (typed: string) => void edit({ kind: "SetArgument", part: part.name, parameter: parameter.name, typed });
  const input = valueInput(parameter, { text: part.arguments[parameter.name] ?? "", path, disabled: part.fixed !== "", set });
  const pin = store.quantities.has(path) && h("button", { class: slider ? "pin on" : "pin", title: "Slider", "aria-label": `Slider for ${path}`, "data-slider": path, onclick: () => toggleSlider(path) }, "⇔");
  return h(
    "label",
    { class: parameterClass(parameter), key: `parameter ${path}`, title: parameter.meaning },
    h("span", { class: "symbol" }, parameter.name),
    input,
    unit(parameter, input),
    pin || h("span", {}),
    propagateButton(part, parameter) || h("span", {}),
    bar(path),
    h("small", {}, parameter.meaning + (parameter.structural ? " (structural)" : "")),
  );
}

/** Variables of a part as curves, those of its ports last; those of a port that was clicked by themselves, above. */
function curvesOf(part: Part): Child[] {
  const inside = (scope: string) => store.names.filter((path) => path.startsWith(`${scope}.`) || path.startsWith(`${scope}[`) || path === scope);
  const depth = (path: string) => path.split(".").length;
  const all = inside(part.name).sort((a, b) => depth(a) - depth(b));
  const port = store.port && store.port !== part.name && partName(store.port) === part.name ? inside(store.port) : [];
  const more = all.length > MOST_CHIPS ? [h("button", { class: "fix", onclick: () => ((store.tab = "curves"), changed()) }, `All ${all.length} of them`)] : [];
  return [...chips(`At ${store.port}`, port, store.port), ...chips("Curves", all.slice(0, MOST_CHIPS), part.name), ...more];
}

const MOST_CHIPS = 40;

/** Curves to be shown or not; names are given as seen from what they belong to. */
function chips(words: string, paths: string[], scope: string): Child[] {
  if (!paths.length) return [];
  const chip = (path: string) => {
    const on = store.shown.includes(path);
    const name = path.startsWith(`${scope}.`) ? path.slice(scope.length + 1) : path;
    return h("button", { class: on ? "chip on" : "chip", "data-curve": path, "aria-pressed": String(on), onclick: () => toggleCurve(path) }, dot(on ? colourOf(path) : "transparent"), name);
  };
  return [h("h3", {}, words), h("div", { class: "chips" }, paths.map(chip))];
}

export function dot(colour: string): Child {
  return h("span", { class: "dot", raw: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4.5" cy="4.5" r="4" fill="${colour}" stroke="currentColor" stroke-opacity=".4"/></svg>` });
}

function equations(cls: string): Child[] {
  if (store.described?.cls !== cls) return [];
  const { equations: rows } = store.described;
  return rows.length ? [h("h3", {}, "Equations"), h("pre", { class: "equations" }, rows.join("\n"))] : [];
}

function classPage(key: string): Child[] {
  const shape = store.library.get(key);
  const rows = (shape?.parameters ?? []).map((row) => h("tr", {}, h("td", {}, row.name), h("td", {}, `${row.value} ${row.unit}`), h("td", {}, row.meaning)));
  return [
    h("h2", {}, key),
    h("p", {}, (store.described?.cls === key ? store.described.text : shape?.headline) ?? ""),
    h("table", {}, rows),
    ...equations(key),
    h("p", { class: "hint" }, "Drag it onto the sheet, or press Enter to insert it."),
  ];
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function modelForm(): Child[] {
  const state = store.document;
  if (!state) return [h("p", { class: "hint" }, "Open a model or make a new one.")];
  const rows = state.diagram.parameters.map((parameter) => ownParameter(parameter));
  return [
    h("h2", {}, state.cls),
    h("p", { class: "headline" }, state.diagram.headline),
    h("p", { class: "hint" }, `${counted(state.diagram.parts.length, "part")}, ${counted(state.diagram.wires.filter((wire) => !wire.equation).length, "connection")}${store.check?.checked.ok ? `, ${store.check.checked.summary}` : ""}`),
    rows.length ? h("h3", {}, "Parameters") : "",
    ...rows,
    ...chips("Curves", store.names.filter((path) => !/[.(]/.test(path)).slice(0, MOST_CHIPS), ""),
    ...allBars(),
    ...ownEquations(state),
    h("h3", {}, "Keys"),
    h("p", { class: "hint keys" }, "/ search · [ ] next part · R rotate · M mirror · O open · Del delete · Ctrl Z undo · Ctrl S save · F fit · Ctrl Enter run · Ctrl C, V, D copy · N note · arrows move · Shift drag selects · Shift F10 menu"),
  ];
}

/** The parameters that the first curve depends on most, those of parts inside of parts too. */
function allBars(): Child[] {
  const found = store.bars;
  if (!found) return [];
  const rows = found.bars.slice(0, MOST_BARS).map(({ path, relative }) => h("div", { class: "sensitivity", key: `bar of ${path}` }, h("span", { title: path }, path), h("span", {}, short(relative)), bar(path)));
  return [h("h3", {}, "Sensitivities"), h("p", { class: "hint" }, `By how many percent ${found.of} changes at the end for one percent of a parameter.`), ...rows];
}

const MOST_BARS = 12;

/** What the class says in equations, beside its parts. */
function ownEquations(state: State): Child[] {
  const rows = ownText(state).split("\n");
  const first = rows.findIndex((row) => /^\s+def (equations|build)\(/.test(row));
  if (first < 0) return [];
  const indent = /^\s*/.exec(rows[first]!)![0].length;
  const rest = rows.slice(first + 1).findIndex((row) => row.trim() !== "" && /^\s*/.exec(row)![0].length <= indent);
  const body = rows.slice(first + 1, rest < 0 ? undefined : first + 1 + rest);
  return [h("h3", {}, "Equations"), h("pre", { class: "equations" }, body.map((row) => row.slice(indent + 4)).join("\n").trim())];
}

/** A long name stands above its field: cut, two of them could look the same. */
function parameterClass({ name }: ParameterShape): string {
  return name.length > 8 ? "parameter long" : "parameter";
}

/** A menu of words takes the place of the unit as well. */
function unit(parameter: ParameterShape, input: Child): Child {
  return (input as Element_).tag === "select" ? "" : h("span", { class: "unit" }, parameter.unit);
}

function ownParameter(parameter: ParameterShape): Child {
  const input = valueInput(parameter, { text: parameter.value, path: parameter.name, disabled: false, set: (typed) => void edit({ kind: "SetParameter", parameter: parameter.name, typed }) });
  const slider = store.sliders.some((row) => row.path === parameter.name);
  return h(
    "label",
    { class: parameterClass(parameter), key: `own ${parameter.name}`, title: parameter.meaning },
    h("span", { class: "symbol" }, parameter.name),
    input,
    unit(parameter, input),
    store.quantities.has(parameter.name) ? h("button", { class: slider ? "pin on" : "pin", title: "Slider", "aria-label": `Slider for ${parameter.name}`, "data-slider": parameter.name, onclick: () => toggleSlider(parameter.name) }, "⇔") : h("span", {}),
    h("span", {}),
    bar(parameter.name),
    h("small", {}, parameter.meaning),
  );
}

function messages(): Child {
  const found = diagnostics();
  const ok = store.check?.checked.ok && !found.length;
  const waiting = store.document?.runnable && store.check?.revision !== store.document.revision;
  const part = store.check?.checked.is_part;
  const head = part && found.every((row) => row.warning) ? "A component: complete in a model" : found.length ? `${found.length} message${found.length > 1 ? "s" : ""}` : waiting ? "Checking…" : ok ? "✓ No errors" : "Messages";
  return h(
    "div",
    { class: "messages", role: "log", "aria-live": "polite" },
    h(
      "div",
      { class: "messages-head" },
      h("h3", { class: found.some((row) => !row.warning) ? "bad" : ok ? "good" : "" }, head),
      waiting ? h("button", { id: "stop-check", class: "late", onclick: () => void cancel(), title: "End the check: code of the model may run without end" }, icon("stop"), "Stop the check") : "",
    ),
    found.map((row) => message(row)),
  );
}

function message(row: Diagnostic): Child {
  const parts = [...new Set(row.about.map(partName))].filter((name) => partNamed(name));
  return h(
    "div",
    { class: row.warning ? "message warning" : "message", tabindex: "0", role: "group", "aria-label": `${row.code || "Message"}; Enter selects what it is about`, onclick: () => select(parts), onkeydown: (event: KeyboardEvent) => event.key === "Enter" && event.target === event.currentTarget && select(parts) },
    h("b", {}, row.code || (row.warning ? "Warning" : "Error")),
    h("span", {}, row.message),
    row.details.length ? h("small", {}, row.details.join(" · ")) : "",
    row.advice ? h("small", { class: "advice" }, `Try: ${row.advice}`) : "",
    row.fixes.map((fix) => h("button", { class: "fix", key: fix.words, disabled: !current(), onclick: (event: Event) => (event.stopPropagation(), void mend(fix)) }, fix.words)),
  );
}

/** Whether messages are about the model as it is: a button must not do the same twice. */
function current(): boolean {
  return !mending && store.check?.revision === store.document?.revision;
}

let mending = false;

async function mend(fix: Fix): Promise<void> {
  if (!current() || !diagnostics().some((row) => row.fixes.includes(fix))) return; // a button of a moment ago
  mending = true;
  await edit(fix.operation);
  mending = false;
}
