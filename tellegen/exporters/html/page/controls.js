// Sliders and buttons: a change runs the model again, at most once a frame.

const model = JSON.parse(document.getElementById("model").textContent);
const state = document.getElementById("state");
const references = [...new Set(model.panels.flatMap((panel) => panel.curves.map((curve) => curve.reference)))];
const kept = [];
let native = null;
let present = null;
let cursor = null;
let isWaiting = false;

const point = (time) => {
  cursor = time;
  if (present) draw();
};
const panels = model.panels.map((panel) => new Panel(panel, model, point));
document.getElementById("panels").append(...panels.map((panel) => panel.element));

/** What a slider is set with: a range and a number, a box to check, or a list to choose from. */
class Slider {
  constructor(slider) {
    Object.assign(this, slider);
    this.element = document.createElement("div");
    this.element.className = "slider";
    this.element.title = slider.description;
    const label = document.createElement("label");
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = slider.name;
    this.field = this.makeField();
    const value = document.createElement("span");
    value.className = "value";
    value.append(this.field, slider.unit);
    label.append(name, value);
    this.element.append(label);
    if (this.field.type === "number") this.element.append(this.makeRange());
    this.show(slider.value);
  }

  makeField() {
    if (this.kind === "Enumeration") {
      const list = document.createElement("select");
      this.literals.forEach((literal, k) => literal && list.append(new Option(literal, k)));
      list.addEventListener("input", () => this.set(Number(list.value)));
      return list;
    }
    const field = document.createElement("input");
    field.type = this.kind === "Boolean" ? "checkbox" : "number";
    field.step = "any";
    field.addEventListener("change", () => {
      const value = field.type === "checkbox" ? Number(field.checked) : Number(field.value);
      this.set(Number.isFinite(value) && field.value !== "" ? value : this.now);
    });
    return field;
  }

  makeRange() {
    this.range = document.createElement("input");
    this.range.type = "range";
    this.range.min = this.low;
    this.range.max = this.high;
    this.range.step = this.kind === "Float64" ? "any" : 1;
    this.range.setAttribute("aria-label", this.name);
    this.range.addEventListener("input", () => this.set(Number(Number(this.range.value).toPrecision(4))));
    return this.range;
  }

  show(value) {
    this.now = value;
    if (this.field.type === "checkbox") this.field.checked = value > 0.5;
    else this.field.value = this.kind === "Float64" ? Number(value.toPrecision(6)) : value;
    if (this.range) this.range.value = value;
  }

  set(value) {
    this.show(Math.max(this.least ?? -Infinity, Math.min(this.most ?? Infinity, value)));
    runSoon();
  }
}

const sliders = model.sliders.map((slider) => new Slider(slider));
document.getElementById("sliders").append(...sliders.map((slider) => slider.element));

function draw() {
  for (const panel of panels) panel.draw([...kept, present], cursor);
}

function runNow() {
  // A value that is as exported is not set: it may have more digits than are shown.
  const given = sliders
    .filter((slider) => slider.now !== slider.value)
    .map((slider) => [slider.reference, slider.now * slider.scale + slider.offset]);
  present = new Run(native, model, { given, references });
  const end = present.end === undefined ? "" : `, ended by the model at t = ${shortNumber(present.end)} s`;
  state.textContent = present.failure || `${present.milliseconds.toFixed(2)} ms for this run${end}`;
  state.classList.toggle("failed", Boolean(present.failure));
  draw();
}

function runSoon() {
  if (isWaiting || !native) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    runNow();
  });
}

function table() {
  const curves = model.panels.flatMap((panel) => panel.curves);
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  const head = ["time [s]", ...curves.map((curve) => `${curve.name} [${curve.unit || "1"}]`)].map(quoted).join(",");
  const columns = [present.times, ...curves.map((curve) => Panel.shown(present, curve))];
  return [head, ...present.times.map((_, k) => columns.map((column) => column[k]).join(","))].join("\n") + "\n";
}

document.getElementById("keep").addEventListener("click", () => {
  if (present) kept.push(present);
  runSoon();
});
document.getElementById("reset").addEventListener("click", () => {
  kept.length = 0;
  for (const slider of sliders) slider.show(slider.value);
  runSoon();
});
document.getElementById("save").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
  link.download = `${document.title}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
});
window.addEventListener("resize", () => present && draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => present && draw());

instantiate(model.code)
  .then((exports) => {
    native = exports;
    runNow();
    window.tellegen = { model, run: () => present, again: runNow, table, sliders };
  })
  .catch((error) => {
    state.textContent = `this browser cannot run the model: ${error.message}`;
    state.classList.add("failed");
  });
