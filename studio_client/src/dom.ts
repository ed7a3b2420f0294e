// Elements as descriptions, and the few changes that make the page look like them: inputs keep focus and position.

export interface Element_ {
  tag: string;
  props: Props;
  children: Child[];
}
export type Child = Element_ | string;
type Handler = (event: never) => void;
export type Props = Record<string, string | number | boolean | Handler | undefined>;

interface Known extends HTMLElement {
  described?: Element_;
}

export function h(tag: string, props: Props, ...children: (Child | Child[] | false | null | undefined)[]): Element_ {
  const flat = children.flat().filter((child): child is Child => child !== false && child != null);
  return { tag, props, children: flat };
}

/** Make the children of a node look like descriptions. */
export function patch(parent: Node, children: Child[]): void {
  const old = [...parent.childNodes];
  const byKey = new Map<string, ChildNode>();
  for (const node of old) {
    const key = (node as Known).described?.props.key;
    if (key !== undefined) byKey.set(String(key), node);
  }
  let place: ChildNode | null = parent.firstChild;
  for (const child of children) {
    const fitting = fit(place, child, byKey);
    if (fitting === null) {
      parent.insertBefore(made(child), place);
      continue;
    }
    if (fitting !== place) parent.insertBefore(fitting, place);
    else place = place!.nextSibling;
    update(fitting, child);
  }
  while (place !== null) {
    const next: ChildNode | null = place.nextSibling;
    parent.removeChild(place);
    place = next;
  }
}

function fit(place: ChildNode | null, child: Child, byKey: Map<string, ChildNode>): ChildNode | null {
  if (typeof child === "string") return place?.nodeType === Node.TEXT_NODE ? place : null;
  const key = child.props.key;
  if (key !== undefined) {
    const found = byKey.get(String(key));
    byKey.delete(String(key));
    return found && (found as Known).described?.tag === child.tag ? found : null;
  }
  const known = (place as Known | null)?.described;
  return place && known && known.tag === child.tag && known.props.key === undefined ? place : null;
}

const SVG = new Set(["svg", "g", "path", "rect", "circle", "text"]);

function made(child: Child): Node {
  if (typeof child === "string") return document.createTextNode(child);
  const name = "http://www.w3.org/2000/svg";
  const node = SVG.has(child.tag) ? document.createElementNS(name, child.tag) : document.createElement(child.tag);
  update(node as ChildNode, child);
  return node;
}

function update(node: ChildNode, child: Child): void {
  if (typeof child === "string") {
    if (node.nodeValue !== child) node.nodeValue = child;
    return;
  }
  const element = node as Known;
  const before = element.described?.props ?? {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(child.props)])) {
    if (before[name] !== child.props[name] || name === "value") set(element, name, child.props[name]);
  }
  element.described = child;
  const inUse = child.props["data-filled"] !== undefined && document.activeElement === element; // a list somebody looks at stays
  if (child.props.raw === undefined && !inUse) patch(element, child.children);
}

function set(element: Known, name: string, value: Props[string]): void {
  if (name === "key") return;
  if (name === "raw") {
    const parsed = new DOMParser().parseFromString(String(value), "image/svg+xml").documentElement;
    element.replaceChildren(document.importNode(parsed, true));
  } else if (name === "place") {
    const [left, top] = String(value ?? "").split(" "); // by script: the policy of the page allows no styles in attributes
    Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
  } else if (name.startsWith("on")) {
    const handler = value as Handler | undefined; // what it returns is dropped: `false` would take Tab and Enter from the page
    (element as unknown as Record<string, unknown>)[name] = handler ? (event: never) => void handler(event) : null;
  } else if (name === "value" || name === "checked") {
    const input = element as unknown as Record<string, unknown>;
    if (input[name] !== value && !(document.activeElement === element && name === "value")) input[name] = value;
  } else if (value === undefined || value === false) {
    element.removeAttribute(name === "class" ? "class" : name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}
