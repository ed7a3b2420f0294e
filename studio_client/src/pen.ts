// What drawing on the sheet needs to know.

import type { Box } from "./geometry.ts";
import type { Theme } from "./theme.ts";

/** Below this magnification parts are boxes. */
export const FAR = 0.35;

/** What drawing needs to know: where to, in which colours, how large, and what can be seen there. */
export interface Pen {
  on: CanvasRenderingContext2D;
  look: Theme;
  zoom: number;
  visible: Box;
  /** What messages are about: paths with whether it is an error. */
  errors: Map<string, boolean>;
}
