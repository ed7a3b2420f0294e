// A panel: the curves of one unit over time, with those that were kept, and a cursor.

const MARGIN = { left: 56, right: 10, top: 22, bottom: 22 };
const COLORS = 6;

class Panel {
  constructor(panel, model, point) {
    this.panel = panel;
    this.model = model;
    this.element = document.createElement("div");
    this.element.className = "panel";
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", panel.curves.map((curve) => curve.name).join(", "));
    this.legend = document.createElement("div");
    this.legend.className = "legend";
    this.element.append(this.canvas, this.legend);
    this.values = panel.curves.map((curve, k) => this.entry(curve, k));
    this.canvas.addEventListener("pointermove", (event) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
      point(model.start + Math.max(0, Math.min(1, part)) * (model.stop - model.start));
    });
    this.canvas.addEventListener("pointerleave", () => point(null));
  }

  /** The line of a curve in the legend; returns the element for its value at the cursor. */
  entry(curve, k) {
    const line = document.createElement("span");
    const mark = document.createElement("i");
    mark.style.background = `var(--curve${k % COLORS})`;
    const value = document.createElement("span");
    line.title = curve.description;
    line.append(mark, curve.name, " ", value);
    this.legend.append(line);
    return value;
  }

  /** The values of a curve in its unit. */
  static shown(run, curve) {
    return run.rows[run.references.indexOf(curve.reference)].map((x) => (x - curve.offset) / curve.scale);
  }

  draw(runs, cursor) {
    const pen = this.cleared();
    const curves = runs.map((run) => this.panel.curves.map((curve) => Panel.shown(run, curve)));
    const [low, high] = this.range(curves);
    const { start, stop } = this.model;
    const x = (t) => MARGIN.left + ((t - start) / (stop - start)) * (this.width - MARGIN.left - MARGIN.right);
    const y = (v) => this.height - MARGIN.bottom - ((v - low) / (high - low)) * (this.height - MARGIN.top - MARGIN.bottom);
    this.drawGrid(pen, x, y, [low, high]);
    runs.forEach((run, k) => {
      const isPresent = k === runs.length - 1;
      pen.globalAlpha = isPresent ? 1 : 0.35;
      pen.lineWidth = isPresent ? 1.8 : 1.2;
      curves[k].forEach((values, n) => this.drawCurve(pen, x, y, run.times, values, n));
    });
    pen.globalAlpha = 1;
    this.drawCursor(pen, x, y, runs[runs.length - 1], curves[curves.length - 1], cursor);
  }

  cleared() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = this.width * ratio;
    this.canvas.height = this.height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = "11px system-ui, sans-serif";
    const style = getComputedStyle(document.documentElement);
    this.color = (name) => style.getPropertyValue(name).trim();
    return pen;
  }

  range(curves) {
    const { literals } = this.panel;
    if (literals.length) return [-0.3, literals.length - 0.7];
    let [low, high] = [Infinity, -Infinity];
    for (const values of curves.flat()) {
      for (const value of values) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(low <= high)) return [0, 1];
    const margin = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
    return [low - margin, high + margin];
  }

  drawGrid(pen, x, y, range) {
    const { literals, unit } = this.panel;
    pen.strokeStyle = this.color("--line");
    pen.fillStyle = this.color("--faint");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    const levels = literals.length ? literals.map((_, k) => k) : ticks(...range, 5);
    for (const value of levels) {
      pen.beginPath();
      pen.moveTo(MARGIN.left, y(value));
      pen.lineTo(this.width - MARGIN.right, y(value));
      pen.stroke();
      pen.fillText(literals.length ? literals[value] : shortNumber(value), MARGIN.left - 6, y(value) + 4);
    }
    pen.textAlign = "center";
    for (const time of ticks(this.model.start, this.model.stop, 8)) {
      pen.fillText(shortNumber(time), Math.min(x(time), this.width - 14), this.height - 8);
    }
    pen.textAlign = "left";
    if (unit && unit !== "1") pen.fillText(unit, 2, 12);
    pen.fillText("t [s]", 2, this.height - 8);
  }

  drawCurve(pen, x, y, times, values, number) {
    pen.strokeStyle = this.color(`--curve${number % COLORS}`);
    pen.lineJoin = "round";
    pen.beginPath();
    let isDown = false;
    times.forEach((time, k) => {
      const isThere = Number.isFinite(values[k]);
      if (isThere) isDown ? pen.lineTo(x(time), y(values[k])) : pen.moveTo(x(time), y(values[k]));
      isDown = isThere;
    });
    pen.stroke();
  }

  drawCursor(pen, x, y, run, curves, cursor) {
    const { times } = run;
    let k = times.length - 1;
    if (cursor !== null) {
      k = 0;
      while (k < times.length - 1 && times[k + 1] <= cursor) k++;
      pen.strokeStyle = this.color("--faint");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(x(cursor), MARGIN.top);
      pen.lineTo(x(cursor), this.height - MARGIN.bottom);
      pen.stroke();
    }
    this.panel.curves.forEach((curve, n) => {
      const value = curves[n][k];
      const text = this.panel.literals[value] ?? (Number.isFinite(value) ? shortNumber(value) : "");
      this.values[n].textContent = `${text} ${curve.unit}`;
    });
  }
}
