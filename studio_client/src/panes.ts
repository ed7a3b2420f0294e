// How the window is divided: the height of what stands below the sheet, and whether the sides are seen.

import { changed } from "./store.ts";

const HEIGHT = "tellegen-results";
const LEAST = 90;
const STEP = 24;
const NARROW = matchMedia("(max-width: 1100px)");

type Side = "left" | "right";

/** Sides that are seen: on a narrow window none is until it is asked for, since it would cover the sheet. */
const seen: Record<Side, boolean> = { left: !NARROW.matches, right: !NARROW.matches };

export function sideShown(side: Side): boolean {
  return seen[side];
}

export function toggleSide(side: Side): void {
  seen[side] = !seen[side];
  if (NARROW.matches && seen[side]) seen[side === "left" ? "right" : "left"] = false;
  apply();
}

/** On a narrow window the library is in the way of the place that something is dragged to. */
export function makeRoom(): void {
  if (!NARROW.matches || (!seen.left && !seen.right)) return;
  seen.left = seen.right = false;
  apply();
}

function apply(): void {
  for (const side of ["left", "right"] as const) document.body.classList.toggle(`no-${side}`, !seen[side]);
  changed();
}

/** The bar between sheet and curves: by mouse, finger or arrow keys. */
export function listenPanes(): void {
  const grip = document.getElementById("grip")!;
  const results = document.getElementById("results")!;
  const set = (height: number) => {
    const most = Math.max(LEAST, document.getElementById("middle")!.clientHeight - LEAST);
    const now = Math.round(Math.min(Math.max(height, LEAST), most));
    results.style.height = `${now}px`;
    grip.setAttribute("aria-valuenow", String(now));
    localStorage.setItem(HEIGHT, String(now));
    changed();
  };
  const remembered = Number(localStorage.getItem(HEIGHT));
  if (remembered) set(remembered);
  let from: { y: number; height: number } | null = null;
  grip.onpointerdown = (event) => {
    grip.setPointerCapture(event.pointerId);
    from = { y: event.clientY, height: results.clientHeight };
  };
  grip.onpointermove = (event) => from && set(from.height + from.y - event.clientY);
  grip.onpointerup = grip.onpointercancel = () => void (from = null);
  grip.onkeydown = (event) => {
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    set(results.clientHeight + way * STEP);
  };
  NARROW.onchange = () => {
    seen.left = seen.right = !NARROW.matches;
    apply();
  };
  apply();
}
