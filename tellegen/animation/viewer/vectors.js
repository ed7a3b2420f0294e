// Vectors of three numbers, quaternions x y z w, and 4 x 4 matrices stored column by column as WebGL wants them.

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scaled = (a, factor) => [a[0] * factor, a[1] * factor, a[2] * factor];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.sqrt(dot(a, a));
const unit = (a) => scaled(a, 1 / (norm(a) || 1));

/** The coordinate axis that is most nearly perpendicular to a direction. */
function perpendicularAxis(direction) {
  const sizes = direction.map(Math.abs);
  const smallest = sizes.indexOf(Math.min(...sizes));
  return [0, 1, 2].map((k) => (k === smallest ? 1 : 0));
}

/** v turned by a unit quaternion. */
function rotated(v, q) {
  const axis = [q[0], q[1], q[2]];
  const twice = scaled(cross(axis, v), 2);
  return add(add(v, scaled(twice, q[3])), cross(axis, twice));
}

/** The quaternion that turns the z axis into a direction. */
function turnFromZ(direction) {
  const d = unit(direction);
  if (d[2] < -0.999999) return [1, 0, 0, 0];
  const q = [-d[1], d[0], 0, 1 + d[2]];
  const size = Math.hypot(...q);
  return q.map((x) => x / size);
}

/** Between two unit quaternions on the shorter arc. */
function slerp(a, b, weight) {
  let cosine = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine);
  const sine = Math.sin(angle);
  const first = sine < 1e-6 ? 1 - weight : Math.sin((1 - weight) * angle) / sine;
  const second = sign * (sine < 1e-6 ? weight : Math.sin(weight * angle) / sine);
  const mixed = a.map((x, k) => first * x + second * b[k]);
  const size = Math.hypot(...mixed);
  return mixed.map((x) => x / size);
}

/** The matrix of a pose: scaled, then turned, then moved. */
function poseMatrix(position, q, scale) {
  const x = scaled(rotated([1, 0, 0], q), scale[0]);
  const y = scaled(rotated([0, 1, 0], q), scale[1]);
  const z = scaled(rotated([0, 0, 1], q), scale[2]);
  return new Float32Array([...x, 0, ...y, 0, ...z, 0, ...position, 1]);
}

function multiplied(a, b) {
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let total = 0;
      for (let k = 0; k < 4; k++) total += a[4 * k + row] * b[4 * column + k];
      out[4 * column + row] = total;
    }
  }
  return out;
}

/** A point through a matrix, divided by its last component. */
function transformed(m, p) {
  const row = (k) => m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
  const w = row(3);
  return [row(0) / w, row(1) / w, row(2) / w, w];
}

function lookAt(eye, target, up) {
  const back = unit(subtract(eye, target));
  const right = unit(cross(up, back));
  const top = cross(back, right);
  return new Float32Array([
    right[0], top[0], back[0], 0,
    right[1], top[1], back[1], 0,
    right[2], top[2], back[2], 0,
    -dot(right, eye), -dot(top, eye), -dot(back, eye), 1,
  ]);
}

/** Vertical field of view in radians. */
function perspective(fieldOfView, aspect, near, far) {
  const f = 1 / Math.tan(fieldOfView / 2);
  const depth = near - far;
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0,
  ]);
}

function orthographic(halfWidth, near, far) {
  const depth = near - far;
  return new Float32Array([
    1 / halfWidth, 0, 0, 0, 0, 1 / halfWidth, 0, 0, 0, 0, 2 / depth, 0, 0, 0, (far + near) / depth, 1,
  ]);
}
