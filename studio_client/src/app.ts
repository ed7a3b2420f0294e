// The page: panels are drawn again when something changed; keys do what buttons do.

import { edit, goBack, open, openPart, removeSelected, save, select, start, step, turnSelected } from "./actions.ts";
import { copy, duplicate, paste } from "./clipboard.ts";
import { design } from "./design_panel.ts";
import type { Child } from "./dom.ts";
import { patch } from "./dom.ts";
import { draw, drawPanned } from "./draw_sheet.ts";
import { counts } from "./counts.ts";
import { emptySheet, startPage } from "./empty_sheet.ts";
import { csvText, sheetSvg } from "./export_files.ts";
import { rightPanel } from "./form_panel.ts";
import { leftPanel } from "./library_panel.ts";
import { drawPlot, LEFT, pointer, RIGHT } from "./plot.ts";
import { plotSvg } from "./plot_svg.ts";
import { closeMenu, menu, openMenuAtSelection } from "./menu.ts";
import { listenPanes } from "./panes.ts";
import { listen, nudge, selectAll, selectNext, SHEET_ITEMS } from "./pointer.ts";
import { runBar, sliders } from "./run_panel.ts";
import { cancel, run, toggleSlider } from "./runs.ts";
import { scriptPage } from "./script_panel.ts";
import { fit, sheet, toSheet, under, where } from "./sheet.ts";
import type { Extent } from "./store.ts";
import { changed, onChange, selectedPart, store } from "./store.ts";
import { banners, newNote, notice, topBar } from "./top_bar.ts";
import { understand } from "./understand_panel.ts";
import { panBy, zoomAt } from "./zoom.ts";

const at = (id: string) => document.getElementById(id)!;
let fitted = "";

function render(extents: Set<Extent>): void {
  const canvas = at("sheet") as HTMLCanvasElement;
  if (extents.has("all")) return renderAll(canvas);
  if (extents.has("sheet")) draw(canvas);
  else if (extents.has("pan")) drawPanned(canvas);
  if (extents.has("curves")) renderCurves();
}

/** What follows a slider: nothing else is looked at, so that it follows at the rate of the screen. */
function renderCurves(): void {
  patch(at("runbar"), runBar());
  patch(at("sliders"), sliders());
  drawPlot(at("plot") as HTMLCanvasElement);
}

function renderAll(canvas: HTMLCanvasElement): void {
  counts.panels++;
  patch(at("top"), topBar());
  patch(at("banners"), banners());
  patch(at("left"), leftPanel());
  patch(at("right"), rightPanel());
  patch(at("notice"), notice());
  patch(at("menu"), menu());
  const pages: Partial<Record<typeof store.view, () => Child[]>> = { understand, design, script: scriptPage };
  const page = pages[store.view];
  at("page").hidden = !page;
  at("plot").hidden = page !== undefined;
  patch(at("page"), page?.() ?? []);
  showScene();
  at("hint").hidden = !store.document || store.document.diagram.parts.length > 0;
  patch(at("hint"), emptySheet(store.document));
  at("start").hidden = store.document !== null;
  patch(at("start"), store.document ? [] : startPage());
  canvas.setAttribute("aria-label", `Sheet with ${store.document?.diagram.parts.length ?? 0} parts; the outline lists them`);
  const made = store.document?.diagram.parts.filter((part) => part.fixed === "made by code").length;
  const now = `${store.document?.path} ${store.document?.cls} ${made} ${store.scene}`;
  if (store.document && fitted !== now) {
    fitted = now;
    draw(canvas);
    fit();
  }
  draw(canvas);
  renderCurves();
}

/** The scene of the last run beside the sheet, in a frame of its own. */
function showScene(): void {
  const frame = at("scene") as HTMLIFrameElement;
  at("beside").hidden = !store.scene;
  at("paper").classList.toggle("with-scene", store.scene !== "");
  if (frame.dataset.shown !== store.scene) {
    frame.dataset.shown = store.scene;
    frame.src = store.scene || "about:blank";
  }
}

function key(event: KeyboardEvent): void {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test((event.target as HTMLElement).tagName);
  const command = event.ctrlKey || event.metaKey;
  const name = event.key.toLowerCase();
  if (event.altKey) {
    if (event.key !== "ArrowLeft" || !store.trail.length) return;
    event.preventDefault();
    void goBack();
    return;
  }
  const done = command ? commands(name, event.shiftKey, typing) : !typing && plain(event.key, event.shiftKey);
  if (done) event.preventDefault();
}

function commands(name: string, shift: boolean, typing: boolean): boolean {
  if (name === "s") void save();
  else if (name === "enter") void run();
  else if (typing) return false;
  else if (name === "z") void step(shift ? "Redo" : "Undo");
  else if (name === "y") void step("Redo");
  else if (name === "a") selectAll();
  else if (name === "c") copy();
  else if (name === "x") copy(), removeSelected();
  else if (name === "v") void paste();
  else if (name === "d") void duplicate();
  else return false;
  return true;
}

function openSelected(): void {
  const part = selectedPart();
  if (part) void openPart(part);
}

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] };

function plain(name: string, shift: boolean): boolean {
  const arrow = ARROWS[name];
  const middle = { x: sheet.size.x / 2, y: sheet.size.y / 2 };
  if (name === "Delete" || name === "Backspace") removeSelected();
  else if (name === "r" || name === "R") turnSelected(false);
  else if (name === "m" || name === "M") turnSelected(true);
  else if (name === "f" || name === "F") fit();
  else if (name === "n" || name === "N") newNote();
  else if (name === "+") zoomAt(middle, 1.2);
  else if (name === "-") zoomAt(middle, 1 / 1.2);
  else if (name === "/") at("search").focus();
  else if (name === "Escape") closeMenu() || (store.running ? void cancel() : select([]));
  else if (name === "]" || name === "[") selectNext(name === "]" ? 1 : -1);
  else if (name === "o" || name === "O") openSelected();
  else if (name === "ContextMenu" || (name === "F10" && shift)) openMenuAtSelection(SHEET_ITEMS);
  else if (arrow && store.selected.size) nudge({ x: arrow[0] * (shift ? 4 : 1), y: arrow[1] * (shift ? 4 : 1) });
  else if (arrow) panBy({ x: -5 * arrow[0], y: -5 * arrow[1] });
  else return false;
  changed();
  return true;
}

declare global {
  interface Window {
    studio: unknown;
  }
}

/** For tests: what is known, and where things are on the page. */
window.studio = {
  store,
  counts,
  sheet,
  edit,
  open,
  slider: toggleSlider,
  csv: csvText,
  sheetSvg,
  plotSvg,
  /** A magnification about the middle of the sheet; 0 shows all parts. */
  zoom: (factor: number) => (factor ? zoomAt({ x: sheet.size.x / 2, y: sheet.size.y / 2 }, factor / sheet.view.zoom) : fit(), changed()),
  empty: (x: number, y: number) => Object.values(under(toSheet({ x, y }))).every((found) => !found),
  where: (path: string) => {
    const box = at("sheet").getBoundingClientRect();
    const point = where(path);
    return point && { x: box.left + point.x, y: box.top + point.y };
  },
};

const remembered = localStorage.getItem("theme");
if (remembered) document.documentElement.dataset.theme = remembered;
listen(at("sheet") as HTMLCanvasElement);
listenPanes();
const plot = at("plot") as HTMLCanvasElement;
plot.onpointermove = (event) => {
  pointer.x = event.offsetX;
  drawPlot(plot);
};
plot.onkeydown = (event) => {
  const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!way) return;
  event.preventDefault();
  event.stopPropagation();
  pointer.x = Math.min(Math.max((pointer.x < 0 ? 0 : pointer.x) + way * (event.shiftKey ? 40 : 4), LEFT), plot.clientWidth - RIGHT);
  drawPlot(plot);
  plot.setAttribute("aria-label", pointer.words || "Curves");
};
plot.onpointerleave = () => {
  pointer.x = -1;
  drawPlot(plot);
};
onChange(render);
window.onkeydown = key;
new ResizeObserver(() => changed()).observe(at("sheet"));
matchMedia("(prefers-color-scheme: dark)").onchange = () => changed();
void start();
changed();
