// A picture with its title, its data for the user to take away, and a drawing that follows the width.

import { h, s } from "../../dom";
import { takeaways } from "../../picture";

export interface FigureData {
  head: string[];
  rows: (string | number | null)[][];
}

export interface FigureOptions {
  title: string;
  file: string; // the name of saved files
  label: string; // for screen readers
  draw: (width: number) => SVGSVGElement;
  data: () => FigureData;
}

export function figure(options: FigureOptions, ...notes: (Node | string | null)[]): HTMLElement {
  const place = h("div", { class: "drawing" });
  let picture: SVGSVGElement | null = null;
  let drawn = 0;
  const draw = (): void => {
    const width = Math.floor(place.clientWidth);
    if (width < 50 || Math.abs(width - drawn) < 2) return;
    drawn = width;
    picture = options.draw(width);
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", options.label);
    place.replaceChildren(picture);
  };
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(place);
  return h(
    "section",
    { class: "panel figure" },
    h("h3", {}, options.title),
    ...notes.map((note) => (typeof note === "string" ? h("p", { class: "muted" }, note) : note)),
    place,
    takeaways(options.file, () => picture, options.data),
  );
}

// A table that may be wider than the page; the keyboard scrolls it.
export function scrolling(label: string, content: HTMLElement, kind = ""): HTMLElement {
  return h("div", { class: `scroll ${kind}`, tabindex: 0, role: "region", "aria-label": label }, content);
}

export function svg(width: number, height: number, ...children: (Node | null)[]): SVGSVGElement {
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, ...children);
}

export function label(x: number, y: number, text: string, props: Record<string, unknown> = {}): SVGTextElement {
  return s("text", { x, y, "font-size": 13, "dominant-baseline": "central", ...props }, text);
}

// A text that fits `width` pixels, about: 7 pixels a letter at 13 pixels.
export function fitted(text: string, width: number, letter = 7): string {
  const most = Math.floor(width / letter);
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1))}…`;
}

export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)} %`;
