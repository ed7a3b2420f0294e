// How wide texts on the sheet are: lines go around them.

export const NAME_FONT = "600 11.5px ui-sans-serif, system-ui, sans-serif";
export const VALUE_FONT = "10.5px ui-sans-serif, system-ui, sans-serif";

const known = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;

export function textWidth(text: string, font: string): number {
  const key = `${font} ${text}`;
  let wide = known.get(key);
  if (wide === undefined) {
    pen ??= document.createElement("canvas").getContext("2d")!;
    pen.font = font;
    wide = pen.measureText(text).width;
    known.set(key, wide);
  }
  return wide;
}
