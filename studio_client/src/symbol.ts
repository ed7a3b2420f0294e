// Symbols: elements of SVG as steps of drawing, so that they are sharp at every zoom and follow the theme.

import type { ClassShape, PortShape } from "./protocol.ts";

interface Stroke {
  path: Path2D;
  fill: string | null;
  opacity: number;
  stroke: string | null;
}

interface Letters {
  text: string;
  x: number;
  y: number;
  size: number;
}

interface Drawing {
  strokes: Stroke[];
  letters: Letters[];
}

const drawings = new Map<string, Drawing>();

export const SYMBOL = { width: 84, height: 48 };

/** The last word of a key: `Resistor` of `electrical.Resistor`, `Tank` of `Tanks.mo#Tanks.Tank`. */
export function className(key: string): string {
  return key.split(/[.#]/).at(-1)!;
}

/** What is written into a box that has no drawing: capitals, or the first letters. */
export function initials(name: string): string {
  const capitals = name.replace(/[^A-Z0-9]/g, "");
  return capitals.length > 1 ? capitals.slice(0, 4) : name.slice(0, 3);
}

export function plainBox(shape: ClassShape): string {
  const top = 24 - shape.height / 2 + 3;
  const box = `<rect x="18" y="${top}" width="48" height="${shape.height - 6}" rx="5" fill="${shape.colour}" fill-opacity=".12" stroke="${shape.colour}"/>`;
  if (shape.drawing && shape.boxed) return shape.drawing.replace(/<rect [^>]*\/>/, box);
  const name = initials(className(shape.key));
  const size = name.length < 3 ? 18 : Math.floor(44 / name.length) + 2;
  return `${box}<text x="42" y="${Math.round(24 + size * 0.36)}" font-size="${size}" text-anchor="middle" fill="currentColor" stroke="none">${name}</text>`;
}

export function svgOf(shape: ClassShape): string {
  return shape.drawing && !shape.boxed ? shape.drawing : plainBox(shape);
}

function drawingOf(shape: ClassShape): Drawing {
  const key = `${shape.key} ${shape.height} ${shape.drawing.length} ${shape.colour}`;
  const known = drawings.get(key);
  if (known) return known;
  const drawing: Drawing = { strokes: [], letters: [] };
  const text = `<svg xmlns="http://www.w3.org/2000/svg">${svgOf(shape)}</svg>`;
  collect(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, { x: 0, y: 0 }, drawing);
  drawings.set(key, drawing);
  return drawing;
}

function collect(node: Element, by: { x: number; y: number }, into: Drawing): void {
  for (const child of node.children) {
    const number = (name: string) => Number(child.getAttribute(name) ?? 0);
    if (child.tagName === "g") {
      const shift = /translate\(([-\d.]+)[ ,]+([-\d.]+)\)/.exec(child.getAttribute("transform") ?? "");
      collect(child, { x: by.x + Number(shift?.[1] ?? 0), y: by.y + Number(shift?.[2] ?? 0) }, into);
      continue;
    }
    if (child.tagName === "text") {
      into.letters.push({ text: child.textContent ?? "", x: number("x"), y: number("y"), size: number("font-size") });
      continue;
    }
    const path = new Path2D();
    if (child.tagName === "rect") {
      path.roundRect(by.x + number("x"), by.y + number("y"), number("width"), number("height"), number("rx"));
    } else if (child.tagName === "circle") {
      path.arc(by.x + number("cx"), by.y + number("cy"), number("r"), 0, 2 * Math.PI);
    } else {
      path.addPath(new Path2D(child.getAttribute("d") ?? ""), new DOMMatrix().translate(by.x, by.y));
    }
    const opacity = Number(child.getAttribute("fill-opacity") ?? 1);
    into.strokes.push({ path, fill: child.getAttribute("fill"), opacity, stroke: child.getAttribute("stroke") });
  }
}

const reaches = new Map<string, number>();
let probe: CanvasRenderingContext2D | null = null;

/** Leads from ports to where the drawing of a symbol begins, from the origin: `x, y` at the port, `toX, toY` at the drawing. */
export function leads(shape: ClassShape, ports: PortShape[]): { x: number; y: number; toX: number; toY: number }[] {
  return ports.map((port) => {
    const level = port.side === "left" || port.side === "right";
    const by = reach(shape, port);
    return { x: port.x, y: port.y, toX: level ? port.x - Math.sign(port.x) * by : port.x, toY: level ? port.y : port.y - Math.sign(port.y) * by };
  });
}

/** How far it is from a port inwards to the first stroke; none where there is none up to the middle. */
function reach(shape: ClassShape, port: PortShape): number {
  const key = `${shape.key} ${shape.height} ${port.side} ${port.x} ${port.y}`;
  const known = reaches.get(key);
  if (known !== undefined) return known;
  probe ??= document.createElement("canvas").getContext("2d")!;
  probe.lineWidth = 2;
  const level = port.side === "left" || port.side === "right";
  const [x, y] = [port.x + SYMBOL.width / 2, port.y + SYMBOL.height / 2];
  const most = Math.abs(level ? port.x : port.y);
  const meets = (by: number) => drawingOf(shape).strokes.some(({ path }) => probe!.isPointInStroke(path, level ? x - Math.sign(port.x) * by : x, level ? y : y - Math.sign(port.y) * by));
  let found = 0;
  while (found < most && !meets(found)) found++;
  if (found === most) found = 0;
  reaches.set(key, found);
  return found;
}

/** Draw the body of a symbol around the origin of the canvas. `upright` says how to turn letters back. */
export function drawSymbol(on: CanvasRenderingContext2D, shape: ClassShape, ink: string, upright: () => void): void {
  const drawing = drawingOf(shape);
  on.save();
  on.translate(-SYMBOL.width / 2, -SYMBOL.height / 2);
  on.lineWidth = 2;
  on.lineJoin = "round";
  on.lineCap = "round";
  for (const { path, fill, opacity, stroke } of drawing.strokes) {
    if (fill && fill !== "none") {
      on.globalAlpha = opacity;
      on.fillStyle = fill === "currentColor" ? ink : fill;
      on.fill(path);
      on.globalAlpha = 1;
    }
    if (stroke !== "none") {
      on.strokeStyle = !stroke || stroke === "currentColor" ? ink : stroke;
      on.stroke(path);
    }
  }
  on.restore();
  on.save();
  upright();
  on.fillStyle = ink;
  on.textAlign = "center";
  on.textBaseline = "alphabetic";
  for (const { text, x, y, size } of drawing.letters) {
    on.font = `500 ${size}px ui-sans-serif, system-ui, sans-serif`;
    on.fillText(text, x - SYMBOL.width / 2, y - SYMBOL.height / 2);
  }
  on.restore();
}
