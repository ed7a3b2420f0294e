// Numbers along the axes of plots.

/** Round numbers within a range, about so many. */
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) || 10);
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; k++) found.push(k * step);
  return found;
}

/** A number with so many digits, with a power of ten if it is very large or small. */
const shortNumber = (x, digits = 4) => {
  const size = Math.abs(x);
  return size !== 0 && (size >= 1e5 || size < 1e-3) ? x.toExponential(digits - 3) : String(Number(x.toPrecision(digits)));
};
