// Elements. Text always becomes a text node: no markup in a name is ever interpreted.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

function assign(element: Element, props: Props): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2), value as EventListener);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// h("button", { class: "x", onclick: f, disabled: true }, "text", child)
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  assign(element, props);
  append(element, children);
  return element;
}

const svgNamespace = "http://www.w3.org/2000/svg";

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgNamespace, tag);
  assign(element, props);
  append(element, children);
  return element;
}

let labels = 0;

// A labelled control, with the label above it.
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  control.id ||= `field-${++labels}`;
  return h("div", { class: "field", title: hint }, h("label", { for: control.id }, label), control);
}

export function button(label: string, action: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", ...props, onclick: action }, label);
}

export function select(
  options: [value: string, label: string][], value: string, onchange: (value: string) => void,
): HTMLSelectElement {
  const element = h("select", {}, ...options.map(([v, label]) => h("option", { value: v }, label)));
  element.value = value;
  element.addEventListener("change", () => onchange(element.value));
  return element;
}

// A table whose header cells have a scope. Columns of numbers are aligned right.
export function table(caption: string, head: string[], rows: Child[][], numeric: boolean[] = []): HTMLTableElement {
  const align = (column: number): Props => (numeric[column] ? { class: "number" } : {});
  return h("table", {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...head.map((text, i) => h("th", { scope: "col", ...align(i) }, text)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, i) =>
      i === 0 ? h("th", { scope: "row", ...align(i) }, cell) : h("td", align(i), cell))))));
}

// A number with `digits` significant digits and without an exponent below 10^15.
export function significant(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(decimals, 20), useGrouping: true });
}

export function signed(value: number, decimals = 1): string {
  const text = value.toFixed(decimals);
  return value > 0 ? `+${text}` : text.replace("-", "−");
}
