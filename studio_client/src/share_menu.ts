// What can be taken away, as a menu at the top.

import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { exportCsv, exportPage, exportPng, exportScript, exportSheetSvg } from "./export_files.ts";
import { exportPlotSvg } from "./plot_svg.ts";

const ITEMS: [string, string, () => void][] = [
  ["page", "Page with model and sliders (HTML)", () => void exportPage()],
  ["csv", "Curves (CSV)", exportCsv],
  ["plot-png", "Plot (PNG)", () => exportPng("plot")],
  ["plot-svg", "Plot (SVG)", exportPlotSvg],
  ["sheet-png", "Sheet (PNG)", () => exportPng("sheet")],
  ["sheet-svg", "Sheet (SVG)", exportSheetSvg],
  ["script", "Python script of what was done", () => void exportScript()],
];

export function shareMenu(): Child {
  const choose = (event: Event) => {
    const select = event.target as HTMLSelectElement;
    ITEMS.find(([key]) => key === select.value)?.[2]();
    select.value = "";
  };
  return h("select", { id: "share", "aria-label": "Share and export", onchange: choose }, h("option", { value: "" }, "Share…"), ...ITEMS.map(([key, words]) => h("option", { value: key, key }, words)));
}
