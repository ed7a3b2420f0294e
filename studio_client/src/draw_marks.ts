// On the sheet beside parts and lines: notes, states, the linear graph.

import { bodyBox } from "./geometry.ts";
import type { Theme } from "./theme.ts";
import type { GraphEdge } from "./protocol.ts";
import { endPlace, notes, parts } from "./sheet.ts";
import { partNamed, shapeOf, store } from "./store.ts";

const FONT = "ui-sans-serif, system-ui, sans-serif";

export function drawNotes(on: CanvasRenderingContext2D, look: Theme): void {
  on.textAlign = "left";
  on.textBaseline = "top";
  for (const { note, box } of notes()) {
    const { x, y, note: text } = note.place;
    on.font = `13px ${FONT}`;
    if (store.selected.has(note.name)) {
      on.strokeStyle = look.accent;
      on.lineWidth = 1.5;
      on.strokeRect(box.left - 4, box.top - 4, box.right - box.left + 8, box.bottom - box.top + 8);
    }
    on.fillStyle = look.faint;
    text.split("\n").forEach((row, k) => on.fillText(row, x, y + 17 * k));
  }
}

/** States beside the parts they belong to. */
export function drawStates(on: CanvasRenderingContext2D, look: Theme): void {
  const found = store.view === "understand" && store.page === "model" ? store.explained.get("model") : undefined;
  on.font = `600 11px ${FONT}`;
  on.textBaseline = "middle";
  on.textAlign = "center";
  for (const mark of found?.marks ?? []) {
    const part = partNamed(mark.path);
    const shape = part && shapeOf(part);
    if (!part || !shape) continue;
    const box = bodyBox(part, shape);
    const words = `states ${mark.text}`;
    const wide = on.measureText(words).width + 14;
    on.fillStyle = look.accent;
    on.beginPath();
    on.roundRect(part.place.x - wide / 2, box.top - 26, wide, 18, 9);
    on.fill();
    on.fillStyle = look.paper;
    on.fillText(words, part.place.x, box.top - 17);
  }
}

/** Edges of the linear graph, from each component to its vertices: branches of the tree thick, chords dashed. */
export function drawGraph(on: CanvasRenderingContext2D, look: Theme): void {
  const found = store.view === "understand" && store.page === "graph" ? store.explained.get("graph") : undefined;
  if (!found) return;
  const places = vertexPlaces(found.edges);
  const between = new Map<string, number>();
  for (const edge of found.edges) {
    const part = partNamed(edge.component.replace(/[.[].*$/, ""));
    const tail = places.get(edge.tail);
    const head = places.get(edge.head);
    if (!part || !tail || !head) continue;
    const both = [edge.tail, edge.head, part.name].sort().join(" ");
    const before = between.get(both) ?? 0; // of the same part between the same vertices: each bends farther out
    between.set(both, before + 1);
    const bend = Math.ceil(before / 2) * (before % 2 ? 70 : -70);
    const far = Math.hypot(head.x - tail.x, head.y - tail.y) || 1;
    const by = { x: (bend * (tail.y - head.y)) / far, y: (bend * (head.x - tail.x)) / far };
    on.strokeStyle = edge.branch ? look.good : look.warn;
    on.lineWidth = edge.branch ? 5 : 2.5;
    on.globalAlpha = 0.75;
    on.setLineDash(edge.branch ? [] : [7, 6]);
    on.beginPath();
    on.moveTo(tail.x, tail.y);
    on.quadraticCurveTo(part.place.x + by.x, part.place.y + by.y, head.x, head.y);
    on.stroke();
    on.setLineDash([]);
  }
  on.globalAlpha = 1;
  for (const [name, at] of places) {
    on.fillStyle = look.ink;
    on.beginPath();
    on.arc(at.x, at.y, 6, 0, 2 * Math.PI);
    on.fill();
    on.font = `11px ${FONT}`;
    on.textAlign = "left";
    on.textBaseline = "bottom";
    on.fillText(name, at.x + 8, at.y - 4);
  }
}

/** A vertex stands where the port of its name is; a reference below the parts of its domain. */
function vertexPlaces(edges: GraphEdge[]): Map<string, { x: number; y: number }> {
  const byName = new Map(parts().map((part) => [part.name, part]));
  const lowest = Math.max(...parts().map((part) => part.place.y), 0) + 110;
  const found = new Map<string, { x: number; y: number }>();
  for (const edge of edges)
    for (const name of [edge.tail, edge.head]) {
      if (found.has(name)) continue;
      const port = endPlace(name, byName);
      const own = edges.filter((row) => row.tail === name || row.head === name).map((row) => partNamed(row.component.replace(/[.[].*$/, ""))).filter((part) => part !== undefined);
      const mean = own.reduce((sum, part) => sum + part.place.x, 0) / Math.max(1, own.length);
      found.set(name, port ? { x: port.at.x, y: port.at.y } : { x: mean, y: lowest });
    }
  return found;
}
