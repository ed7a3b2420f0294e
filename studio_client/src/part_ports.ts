// Of one part: how many there are and when, its ports with what they are connected to, and other ports that fit.

import { connect, edit, misfit } from "./actions.ts";
import type { Child } from "./dom.ts";
import { h } from "./dom.ts";
import { partName } from "./geometry.ts";
import type { Part } from "./protocol.ts";
import { portsOf } from "./sheet.ts";
import { partNamed, shapeOf, store } from "./store.ts";

const MOST = 400;

/** An array, or a part that exists under a condition: expressions of structural parameters. */
export function copiesForm(part: Part): Child[] {
  if (part.fixed || part.port) return [];
  const row = (words: string, value: string, hint: string, kind: "SetCount" | "SetCondition") =>
    h(
      "label",
      { class: "parameter", key: `${kind} ${part.name}` },
      h("span", { class: "symbol" }, words),
      h("input", { value, placeholder: hint, "data-set": kind, "data-part": part.name, "aria-label": words, onchange: (event: Event) => void edit({ kind, part: part.name, typed: (event.target as HTMLInputElement).value }) }),
    );
  const open = part.count !== "" || part.condition !== "";
  return [
    h(
      "details",
      { key: `copies ${part.name}`, open },
      h("summary", {}, part.count ? `An array of ${part.count}` : part.condition ? `Only if ${part.condition}` : "Array, condition"),
      row("Copies", part.count, "a single part; 4, or n", "SetCount"),
      row("Only if", part.condition, "always; a structural parameter", "SetCondition"),
      part.count ? chain(part) : "",
    ),
  ];
}

/** Elements of an array one after the other, by ports of opposite sides. */
function chain(part: Part): Child {
  const shape = shapeOf(part);
  const right = shape?.ports.find((port) => port.side === "right" && !port.only_if);
  const left = shape?.ports.find((port) => port.side === "left" && port.type === right?.type && !port.only_if);
  if (!right || !left) return "";
  const act = () => void edit({ kind: "Connect", first: `${part.name}[:-1].${right.name}`, second: `${part.name}[1:].${left.name}` });
  return h("button", { class: "fix", id: "chain", onclick: act }, `Connect each ${right.name} to the next ${left.name}`);
}

/** Ports and the ends they are connected to; a list of ports that fit, for those who do not draw. */
export function portsForm(part: Part): Child[] {
  const shape = shapeOf(part);
  if (!shape || part.port || !portsOf(part, shape).length) return [];
  const wires = store.document?.diagram.wires ?? [];
  const rows = portsOf(part, shape).map((port) => {
    const own = `${part.name}.${port.name}`;
    const plain = (end: string) => end.replace(/\[[^\]]*\]/g, "");
    const here = wires.filter((wire) => wire.ends.map(plain).includes(own));
    const given = here.find((wire) => wire.equation && plain(wire.ends.at(-1)!) === own);
    const others = here.flatMap((wire) => wire.ends.filter((end) => plain(end) !== own));
    const choose = (event: Event) => {
      const select = event.target as HTMLSelectElement;
      if (select.value) void connect(own, select.value);
      select.value = "";
    };
    return h(
      "div",
      { class: "port", key: `port ${own}` },
      h("span", { class: "symbol", title: port.meaning }, port.name),
      h("span", { class: "hint" }, given ? `= ${given.equation}` : others.join(", ") || "not connected"),
      h("select", { "data-connect": own, "data-filled": "", "aria-label": `Connect ${port.name} to`, onfocus: (event: Event) => fill(event.target as HTMLSelectElement, own), onpointerdown: (event: Event) => fill(event.target as HTMLSelectElement, own), onchange: choose }, h("option", { value: "" }, "+")),
    );
  });
  return [h("h3", {}, "Ports"), ...rows];
}

/** Ports that fit, the nearest first, looked for when somebody opens the list. */
function fill(list: HTMLSelectElement, own: string): void {
  const here = partNamed(partName(own));
  if (!here || list.options.length > 1) return;
  const far = ({ place }: Part) => Math.abs(place.x - here.place.x) + Math.abs(place.y - here.place.y);
  const others = (store.document?.diagram.parts ?? []).filter((part) => part !== here).sort((one, other) => far(one) - far(other));
  const found = others.flatMap((part) => {
    const shape = shapeOf(part);
    const ends = part.port ? [part.name] : shape ? portsOf(part, shape).map((port) => `${part.name}.${port.name}`) : [];
    return ends.filter((end) => misfit(own, end) === "");
  });
  for (const end of found.slice(0, MOST)) list.add(new Option(end, end));
  if (found.length > MOST) list.add(new Option(`the nearest ${MOST} of ${found.length}`, ""));
}
