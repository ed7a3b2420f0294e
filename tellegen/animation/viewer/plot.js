// Curves of the picked body, with the time as a cursor: one small plot for each variable, all elements of a vector in one.

const MARGIN = { left: 46, right: 8, top: 20, bottom: 18 };
const LINES = ["--accent", "--second", "--third"];

/** Curves in groups: r_0[0], r_0[1] and r_0[2] belong together. */
function grouped(curves) {
  const groups = new Map();
  for (const curve of curves) {
    const name = curve.name.replace(/\[\d+\]$/, "");
    groups.set(name, [...(groups.get(name) || []), curve]);
  }
  return [...groups].map(([name, members]) => ({ name, curves: members }));
}

class Plot {
  constructor(owner, { name, curves }, scene, seek) {
    const whole = curves.length === 1 ? curves[0].name : name;
    this.name = whole.startsWith(`${owner}.`) ? whole.slice(owner.length + 1) : whole;
    this.curves = curves;
    this.scene = scene;
    this.canvas = document.createElement("canvas");
    let [low, high] = [Infinity, -Infinity];
    for (const curve of curves) {
      for (const value of curve.track.values) {
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    }
    const margin = 0.06 * (high - low) || Math.abs(high) || 1;
    this.range = [low - margin, high + margin];
    const toTime = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const part = (event.clientX - box.left - MARGIN.left) / (box.width - MARGIN.left - MARGIN.right);
      seek(scene.start + Math.max(0, Math.min(1, part)) * (scene.stop - scene.start));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      toTime(event);
    });
    this.canvas.addEventListener("pointermove", (event) => event.buttons && toTime(event));
  }

  draw(time) {
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const pen = this.canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const colors = getComputedStyle(document.documentElement);
    const color = (name) => colors.getPropertyValue(name).trim();
    const { start, stop } = this.scene;
    const [low, high] = this.range;
    const x = (t) => MARGIN.left + ((t - start) / (stop - start || 1)) * (width - MARGIN.left - MARGIN.right);
    const y = (v) => height - MARGIN.bottom - ((v - low) / (high - low)) * (height - MARGIN.top - MARGIN.bottom);
    pen.font = "11px system-ui, sans-serif";
    this.drawGrid(pen, x, y, width, height, color);
    pen.strokeStyle = color("--faint");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(time), MARGIN.top);
    pen.lineTo(x(time), height - MARGIN.bottom);
    pen.stroke();
    this.curves.forEach((curve, k) => this.drawCurve(pen, x, y, curve, time, color(LINES[k % LINES.length])));
    this.drawValues(pen, time, color);
  }

  /** The name, and the values at the time in the colours of their lines. */
  drawValues(pen, time, color) {
    pen.textAlign = "left";
    pen.fillStyle = color("--ink");
    pen.fillText(this.name, 2, 12);
    let at = 10 + pen.measureText(this.name).width;
    this.curves.forEach((curve, k) => {
      pen.fillStyle = color(this.curves.length === 1 ? "--ink" : LINES[k % LINES.length]);
      const text = shortNumber(curve.track.at(time)[0]);
      pen.fillText(text, at, 12);
      at += 8 + pen.measureText(text).width;
    });
    const { unit: unitName } = this.curves[0];
    pen.fillStyle = color("--ink");
    pen.fillText(unitName === "1" ? "" : unitName, at - 4, 12);
  }

  drawGrid(pen, x, y, width, height, color) {
    pen.strokeStyle = color("--line");
    pen.fillStyle = color("--faint");
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const value of ticks(...this.range, 3)) {
      pen.beginPath();
      pen.moveTo(MARGIN.left, y(value));
      pen.lineTo(width - MARGIN.right, y(value));
      pen.stroke();
      pen.fillText(shortNumber(value), MARGIN.left - 5, y(value) + 4);
    }
    pen.textAlign = "center";
    for (const time of ticks(this.scene.start, this.scene.stop, 4)) {
      pen.fillText(shortNumber(time), Math.min(x(time), width - 12), height - 5);
    }
  }

  drawCurve(pen, x, y, curve, time, color) {
    const { times, values } = curve.track;
    pen.strokeStyle = color;
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    pen.beginPath();
    times.forEach((t, k) => (k ? pen.lineTo(x(t), y(values[k])) : pen.moveTo(x(t), y(values[k]))));
    if (times.length === 1) pen.lineTo(x(this.scene.stop), y(values[0])); // constant
    pen.stroke();
    pen.fillStyle = color;
    pen.beginPath();
    pen.arc(x(time), y(curve.track.at(time)[0]), 3.5, 0, 2 * Math.PI);
    pen.fill();
  }
}
