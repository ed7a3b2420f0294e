// The model: WebAssembly that is set up, run and read.

const DONE = 0;
const EVENT = 1;
const REASONS = {
  3: "the equations have no solution",
  4: "event iteration does not settle, or an assertion fails",
  5: "the integrator finds no step that is small enough",
  6: "there is no room for the past that delays read",
};
const MOST_ROWS = 20000;
const PATIENCE = 3000; // milliseconds

const FUNCTIONS = {
  exp: Math.exp, log: Math.log, log10: Math.log10, pow: Math.pow,
  // what C code of the user may call besides
  exp2: (x) => 2 ** x, expm1: Math.expm1, log2: Math.log2, log1p: Math.log1p, cbrt: Math.cbrt, hypot: Math.hypot,
  sqrt: Math.sqrt, fabs: Math.abs, floor: Math.floor, ceil: Math.ceil, trunc: Math.trunc, fmod: (x, y) => x % y,
  asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh,
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan, atan2: Math.atan2,
  sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh,
};

/** The module in a page, ready to run. */
async function instantiate(code) {
  const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes, { env: FUNCTIONS });
  return instance.exports;
}

/** A run: times, one array for each reference, and why it ended early if it did. */
class Run {
  constructor(native, model, values) {
    this.native = native;
    this.times = [];
    this.rows = values.references.map(() => []);
    this.references = values.references;
    this.failure = "";
    const begun = performance.now();
    this.integrate(model, values.given, begun);
    this.milliseconds = performance.now() - begun;
  }

  integrate(model, given, begun) {
    const { native } = this;
    const { start, stop, points } = model;
    if (!native.begin()) return this.fail("there is not enough memory");
    for (const [reference, value] of given) native.set(reference, value);
    const status = native.initialize(start, stop);
    if (status !== DONE) return this.fail(REASONS[status], start);
    this.record(start);
    for (let k = 1; k < points && !native.terminated(); k++) {
      if (!this.advance(start + ((stop - start) * k) / (points - 1))) return;
      if (performance.now() - begun > PATIENCE) return this.fail(`stopped after ${PATIENCE / 1000} s`, native.time());
    }
    if (native.terminated()) this.end = native.time();
  }

  /** To a time, with a row before and after every event on the way. */
  advance(target) {
    const { native } = this;
    while (native.time() < target && !native.terminated()) {
      const records = this.times.length < MOST_ROWS;
      let status = native.advance(target, records ? 1 : 0);
      if (status === EVENT) {
        this.record(native.time());
        status = native.happen();
      }
      if (status !== DONE) {
        this.fail(REASONS[status], native.time());
        return false;
      }
      this.record(native.time());
    }
    return true;
  }

  record(time) {
    this.times.push(time);
    this.references.forEach((reference, k) => this.rows[k].push(this.native.get(reference)));
  }

  fail(reason, time) {
    this.failure = time === undefined ? reason : `${reason} at t = ${shortNumber(time)} s`;
  }
}
