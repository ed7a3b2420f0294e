// The camera: it orbits around a target, and may follow a body.

class OrbitCamera {
  constructor(scene) {
    this.scene = scene;
    this.up = unit(scene.camera.up);
    this.fieldOfView = (scene.camera.field_of_view * Math.PI) / 180;
    this.aspect = 1;
    this.shift = 0; // of the picture to the left, where a panel covers its right side; 1 is half of the width
    this.home();
  }

  /** The view the scene asks for; from farther away where the picture is narrower than it was meant to be. */
  home() {
    const { position, target } = this.scene.camera;
    this.target = [...target];
    this.offset = subtract(position, target);
    this.distance = norm(this.offset);
    if (this.aspect < 4 / 3) this.distance *= Math.min(4 / 3 / this.aspect, 3);
    this.direction = unit(this.offset);
  }

  eye() {
    return add(this.target, scaled(this.direction, this.distance));
  }

  /** Directions to the right and up on the screen. */
  screenAxes() {
    const right = unit(cross(this.up, this.direction));
    return [right, cross(this.direction, right)];
  }

  matrix() {
    const near = 0.02 * this.distance;
    const far = this.distance + 20 * this.scene.size;
    const projection = perspective(this.fieldOfView, this.aspect, near, far);
    projection[8] = this.shift;
    return multiplied(projection, lookAt(this.eye(), this.target, this.up));
  }

  /** Angles in radians; the camera never passes over the pole. */
  orbit(around, above) {
    const level = unit(cross(this.up, this.direction));
    const elevation = Math.asin(Math.max(-1, Math.min(1, dot(this.direction, this.up))));
    const next = Math.max(-1.5, Math.min(1.5, elevation + above));
    const front = unit(cross(level, this.up));
    const turned = add(scaled(front, Math.cos(around)), scaled(cross(this.up, front), Math.sin(around)));
    this.direction = add(scaled(turned, Math.cos(next)), scaled(this.up, Math.sin(next)));
  }

  /** Pixels of a picture of a height. */
  pan(x, y, height) {
    const [right, top] = this.screenAxes();
    const size = (2 * this.distance * Math.tan(this.fieldOfView / 2)) / height;
    this.target = add(this.target, add(scaled(right, -x * size), scaled(top, y * size)));
  }

  zoom(factor) {
    const { size } = this.scene;
    this.distance = Math.max(0.02 * size, Math.min(20 * size, this.distance * factor));
  }

  /** A point of the world on the screen, from -1 to 1; the last number is the distance along the view. */
  project(point) {
    return transformed(this.matrix(), point);
  }

  /** The ray through a point of the screen, x and y from -1 to 1. */
  ray(x, y) {
    const [right, top] = this.screenAxes();
    const size = Math.tan(this.fieldOfView / 2);
    const sideways = add(scaled(right, (x + this.shift) * size * this.aspect), scaled(top, y * size));
    return { origin: this.eye(), direction: unit(subtract(sideways, this.direction)) };
  }
}

/** Dragging orbits, dragging with shift or another button pans, the wheel or two fingers zoom. */
function listenToPointers(canvas, camera, { changed, clicked }) {
  const pointers = new Map();
  let travelled = 0;
  const spread = () => {
    const [a, b] = [...pointers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    travelled = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? spread() : 0;
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const [x, y] = [event.clientX - last[0], event.clientY - last[1]];
    travelled += Math.abs(x) + Math.abs(y);
    if (pointers.size === 2) {
      camera.zoom(before / spread());
      camera.pan(x / 2, y / 2, canvas.clientHeight);
    } else if (event.shiftKey || event.buttons > 1) camera.pan(x, y, canvas.clientHeight);
    else camera.orbit(-0.008 * x, 0.008 * y);
    changed();
  });
  const released = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && travelled < 4 && !pointers.size) clicked(event.clientX, event.clientY);
  };
  canvas.addEventListener("pointerup", released);
  canvas.addEventListener("pointercancel", released);
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    camera.zoom(Math.exp(0.0012 * event.deltaY));
    changed();
  }, { passive: false });
}
