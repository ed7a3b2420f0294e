// How much was done, for tests and benchmarks: counts do not depend on how busy a machine is.

export const counts = {
  /** Times that all panels were described again. */
  panels: 0,
  /** Times that the sheet was shown, and those for which a picture of it was there already. */
  frames: 0,
  panned: 0,
  /** Times that curves were drawn. */
  plots: 0,
  parts: 0,
  lines: 0,
  /** Lines whose way was looked for. */
  routed: 0,
  /** Messages of the server and their letters. */
  messages: 0,
  letters: 0,
};
