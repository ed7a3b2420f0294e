// Curves of the picked body, one small plot each, with the time as a cursor.

const MARGIN = { left: 46, right: 8, top: 20, bottom: 18 };

class Plot {
  constructor(curve, scene, seek) {
    this.curve = curve;
    this.scene = scene;
    this.canvas = document.createElement("canvas");
    let [low, high] = [Infinity, -Infinity];
    for (const value of curve.track.values) {
      low = Math.min(low, value);
      high = Math.max(high, value);
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
    this.drawCurve(pen, x, y, color);
    const value = this.curve.track.at(time)[0];
    pen.strokeStyle = color("--faint");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(x(time), MARGIN.top);
    pen.lineTo(x(time), height - MARGIN.bottom);
    pen.stroke();
    pen.fillStyle = color("--accent");
    pen.beginPath();
    pen.arc(x(time), y(value), 3.5, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = color("--ink");
    pen.textAlign = "left";
    const { name, unit: unitName } = this.curve;
    pen.fillText(`${name}  ${shortNumber(value)} ${unitName === "1" ? "" : unitName}`, 2, 12);
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

  drawCurve(pen, x, y, color) {
    const { times, values } = this.curve.track;
    pen.strokeStyle = color("--accent");
    pen.lineWidth = 1.5;
    pen.lineJoin = "round";
    pen.beginPath();
    times.forEach((time, k) => (k ? pen.lineTo(x(time), y(values[k])) : pen.moveTo(x(time), y(values[k]))));
    if (times.length === 1) pen.lineTo(x(this.scene.stop), y(values[0])); // constant
    pen.stroke();
  }
}
