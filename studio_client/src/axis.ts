// Axes of plots: round numbers between two ends, with as many digits as they differ by.

export interface Mark {
  value: number;
  text: string;
}

export interface Axis {
  marks: Mark[];
  /** What is to be added to all texts, where they would be too long: `293.15 +`; usually empty. */
  base: string;
}

/** Values that differ by less than this part of their size are one value: what is left is rounding. */
const ROUNDING = 1e-9;
/** Digits that a mark may have beside its axis. */
const MOST_DIGITS = 5;
const MOST_MARKS = 50;

/** Where an axis of values begins and ends: from zero where that is near, else a little farther than they reach. */
export function ends(low: number, high: number): [number, number] {
  if (!(low <= high) || !Number.isFinite(high - low)) return [0, 1];
  if (low > 0 && low < 0.5 * high) return [0, high + 0.06 * high];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const flat = high - low <= ROUNDING * size;
  const margin = flat ? 0.1 * size || 1 : 0.06 * (high - low);
  return [low === 0 ? 0 : low - margin, high + margin];
}

/** About so many round numbers between two ends. */
export function axis(low: number, high: number, about: number): Axis {
  const step = roundStep((high - low) / about);
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (!(step > 0) || !(step > 1e-14 * size)) return { marks: [{ value: low, text: short(low) }], base: "" };
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.min(MOST_MARKS, Math.floor(high / step + 1e-9) - first + 1);
  const values = Array.from({ length: Math.max(0, count) }, (_, k) => (first + k) * step);
  const digits = Math.ceil(Math.log10(size / step) - 1e-9) + 1;
  if (digits <= MOST_DIGITS) return { marks: values.map((value) => ({ value, text: short(value, Math.max(4, digits)) })), base: "" };
  return { marks: values.map((value, k) => ({ value, text: short(k * step) })), base: values.length ? `${short(values[0]!, digits + 1)} +` : "" };
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 10 * power;
}

/** So many digits; `2.5e8` where zeros would fill the place. */
export function short(value: number, digits = 4): string {
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return size >= 1e6 || (size > 0 && size < 1e-3) ? rounded.toExponential().replace("e+", "e") : rounded.toString();
}
