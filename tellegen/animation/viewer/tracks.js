// Base64 to arrays, and values between samples in time.

function bytesOf(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes.buffer;
}

/** Samples in time; "rotation" for quaternions, which are interpolated on the sphere. */
class Track {
  constructor(encoded, kind = "linear") {
    this.times = new Float64Array(bytesOf(encoded.times));
    this.values = new Float32Array(bytesOf(encoded.values));
    this.width = this.values.length / this.times.length;
    this.kind = kind;
  }

  /** The last sample at or before a time: at an event, where a time appears twice, the one after it. */
  before(time) {
    let low = 0;
    let high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  row(k) {
    return Array.from(this.values.subarray(k * this.width, (k + 1) * this.width));
  }

  at(time) {
    const k = this.before(time);
    const a = this.row(k);
    if (k + 1 >= this.times.length || time <= this.times[k]) return a;
    const b = this.row(k + 1);
    const weight = (time - this.times[k]) / (this.times[k + 1] - this.times[k]);
    return this.kind === "rotation" ? slerp(a, b, weight) : a.map((x, i) => x + (b[i] - x) * weight);
  }
}

/** The scene with its tracks and meshes decoded. */
function decoded(scene) {
  const track = (encoded, kind) => encoded && new Track(encoded, kind);
  return {
    ...scene,
    meshes: scene.meshes.map((mesh) => ({
      vertices: new Float32Array(bytesOf(mesh.vertices)),
      normals: new Int8Array(bytesOf(mesh.normals)),
      colors: new Uint8Array(bytesOf(mesh.colors)),
      faces: new Uint32Array(bytesOf(mesh.faces)),
    })),
    items: scene.items.map((item) => ({
      ...item,
      position: track(item.position),
      rotation: track(item.rotation, "rotation"),
      scale: track(item.scale),
    })),
    traces: scene.traces.map((trace) => ({ ...trace, points: track(trace.points) })),
    arrows: scene.arrows.map((arrow) => ({ ...arrow, track: track(arrow.track) })),
    curves: scene.curves.map((curve) => ({ ...curve, track: track(curve.track) })),
  };
}

function poseOf(item, time) {
  return {
    position: item.position.at(time),
    rotation: item.rotation.at(time),
    scale: item.scale ? item.scale.at(time) : [1, 1, 1],
  };
}
