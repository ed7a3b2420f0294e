// The page: what is shown, the time, and the controls.

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100];
const element = (id) => document.getElementById(id);

class Player {
  constructor(scene) {
    this.scene = scene;
    this.canvas = element("view");
    this.camera = new OrbitCamera(scene);
    this.renderer = new Renderer(this.canvas, scene);
    this.state = {
      time: scene.start, traces: true, forces: scene.forces_shown, frames: false, grid: true, picked: null,
      follow: scene.camera.follow,
    };
    this.playing = false;
    this.speed = this.usualSpeed();
    this.plots = [];
    this.dark = window.matchMedia("(prefers-color-scheme: dark)");
    this.connectControls();
    listenToPointers(this.canvas, this.camera, {
      changed: () => this.redraw(),
      clicked: (x, y) => this.select(this.pick(x, y)),
    });
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.dark.addEventListener("change", () => this.redraw());
    this.resize();
    this.camera.home();
    this.seek(scene.start);
  }

  /** Real time, unless the run is over in a blink or takes minutes. */
  usualSpeed() {
    const duration = this.scene.stop - this.scene.start;
    if (duration === 0) return 1;
    if (duration >= 2 && duration <= 60) return 1;
    const wanted = duration / 8;
    return SPEEDS.reduce((best, speed) => (Math.abs(Math.log(speed / wanted)) < Math.abs(Math.log(best / wanted)) ? speed : best));
  }

  connectControls() {
    const { scene } = this;
    element("name").textContent = scene.name;
    element("play").addEventListener("click", () => this.setPlaying(!this.playing));
    const scrub = element("scrub");
    scrub.addEventListener("input", () => this.seek(scene.start + scrub.value * (scene.stop - scene.start)));
    element("speed").append(...SPEEDS.map((speed) => new Option(`${speed}×`, speed, false, speed === this.speed)));
    element("speed").addEventListener("change", (event) => { this.speed = Number(event.target.value); });
    for (const name of ["traces", "forces", "frames", "grid"]) {
      element(name).addEventListener("click", () => this.toggle(name));
    }
    element("controls").hidden = scene.stop === scene.start; // a picture, not a run
    element("traces").hidden = !scene.traces.length;
    element("forces").hidden = !scene.arrows.length;
    element("forces").setAttribute("aria-pressed", scene.forces_shown);
    const follow = element("follow");
    follow.append(...scene.items.map((item) => new Option(`follow ${item.name}`, item.name, false, item.name === this.state.follow)));
    follow.addEventListener("change", () => this.follow(follow.value || null));
    element("home").addEventListener("click", () => { this.camera.home(); this.followFrom = null; this.redraw(); });
    element("unpick").addEventListener("click", () => this.select(null));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.showPlayButton();
  }

  key(event) {
    const step = (this.scene.stop - this.scene.start) / 100;
    const actions = {
      " ": () => this.setPlaying(!this.playing),
      ArrowRight: () => this.seek(this.state.time + step),
      ArrowLeft: () => this.seek(this.state.time - step),
      Home: () => this.seek(this.scene.start),
      End: () => this.seek(this.scene.stop),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }

  // -- time ---------------------------------------------------------------------------------------------------------

  setPlaying(playing) {
    const { start, stop } = this.scene;
    this.playing = playing && stop > start;
    if (this.playing && this.state.time >= stop) this.seek(start);
    this.lastFrame = null;
    this.showPlayButton();
    if (this.playing) requestAnimationFrame((now) => this.advance(now));
  }

  showPlayButton() {
    element("play").textContent = this.playing ? "❚❚" : "▶";
  }

  advance(now) {
    if (!this.playing) return;
    const passed = this.lastFrame === null ? 0 : (now - this.lastFrame) / 1000;
    this.lastFrame = now;
    const time = this.state.time + passed * this.speed;
    this.seek(time);
    if (time >= this.scene.stop) this.setPlaying(false);
    else requestAnimationFrame((next) => this.advance(next));
  }

  seek(time) {
    const { start, stop } = this.scene;
    this.state.time = Math.max(start, Math.min(stop, time));
    element("scrub").value = (this.state.time - start) / (stop - start || 1);
    const digits = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10((stop - start) / 10 || 1))));
    element("clock").textContent = `${this.state.time.toFixed(digits)} s`;
    this.redraw();
  }

  // -- what is shown ------------------------------------------------------------------------------------------------

  toggle(name) {
    this.state[name] = !this.state[name];
    element(name).setAttribute("aria-pressed", this.state[name]);
    this.redraw();
  }

  follow(name) {
    this.state.follow = name;
    this.followFrom = null;
    this.redraw();
  }

  /** The target moves as far as the body does. */
  moveWithBody() {
    const item = this.scene.items.find(({ name }) => name === this.state.follow);
    if (!item) return;
    const place = item.position.at(this.state.time);
    const from = this.followFrom || this.camera.target;
    this.camera.target = add(this.camera.target, subtract(place, from));
    this.followFrom = place;
  }

  pick(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (clientY - box.top)) / box.height;
    return pickedItem(this.scene, this.state.time, this.camera.ray(x, y));
  }

  /** Highlight an item and plot the curves that belong to it. */
  select(item) {
    this.state.picked = item ? item.name : null;
    element("panel").hidden = !item;
    element("picked").textContent = item ? item.name : "";
    const curves = item ? this.scene.curves.filter(({ name }) => item.curves.includes(name)) : [];
    this.plots = grouped(curves).map((group) => new Plot(item.name, group, this.scene, (time) => this.seek(time)));
    element("plots").replaceChildren(...this.plots.map((plot) => plot.canvas));
    if (item && !curves.length) element("plots").append(paragraph("no curves belong to this body"));
    this.redraw();
  }

  /** Where an item's origin is in the page, in CSS pixels. */
  project(name) {
    const item = this.scene.items.find((one) => one.name === name);
    const [x, y] = this.camera.project(item.position.at(this.state.time));
    const box = this.canvas.getBoundingClientRect();
    return [box.left + ((1 + x) * box.width) / 2, box.top + ((1 - y) * box.height) / 2];
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    this.canvas.height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    this.camera.aspect = this.canvas.width / this.canvas.height;
    this.draw();
  }

  redraw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const panel = element("panel");
    this.camera.shift = panel.hidden ? 0 : panel.offsetWidth / this.canvas.clientWidth;
    this.moveWithBody();
    this.renderer.render(this.state, this.camera, THEMES[this.dark.matches ? "dark" : "light"]);
    for (const plot of this.plots) plot.draw(this.state.time);
  }
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

try {
  window.player = new Player(decoded(JSON.parse(element("scene").textContent)));
} catch (error) {
  element("failure").hidden = false;
  element("failure").textContent = error.message;
  throw error;
}
