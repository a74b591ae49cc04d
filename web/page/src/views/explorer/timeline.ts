// The schedule on a canvas, with zoom; as SVG when it is saved.

import type { Timeline } from "../../../../engine/engine";
import { button, h, s } from "../../dom";
import { save, saveCsv, saveSvg } from "../../picture";
import { type Drawing, type Window, kinds, schedule, under } from "./schedule";

export interface TimelinePanel {
  element: HTMLElement;
  show(t: Timeline, steps: number): void;
  redraw(): void;
}

const font = '12px system-ui, "DejaVu Sans", sans-serif';

function paint(canvas: HTMLCanvasElement, d: Drawing): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(d.width * scale);
  canvas.height = Math.round(d.height * scale);
  canvas.style.height = `${d.height}px`;
  const c = canvas.getContext("2d")!;
  const style = getComputedStyle(document.documentElement);
  const colours = new Map<string, string>();
  const colour = (name: string): string => {
    if (!colours.has(name)) colours.set(name, style.getPropertyValue(name).trim());
    return colours.get(name)!;
  };
  c.scale(scale, scale);
  for (const shape of d.shapes) {
    c.globalAlpha = shape.opacity ?? 1;
    c.fillStyle = colour(shape.colour);
    c.fillRect(shape.x, shape.y, shape.width, shape.height);
  }
  c.globalAlpha = 1;
  c.fillStyle = colour("--muted");
  c.font = font;
  c.textBaseline = "middle";
  for (const label of d.labels) {
    c.textAlign = label.anchor === "middle" ? "center" : label.anchor;
    c.fillText(label.text, label.x, label.y);
  }
}

function asSvg(d: Drawing): SVGSVGElement {
  const picture = s("svg", { viewBox: `0 0 ${d.width} ${d.height}`, class: "unseen" },
    ...d.shapes.map((r) => s("rect", { x: r.x, y: r.y, width: r.width, height: r.height, "fill-opacity": r.opacity, style: `fill: var(${r.colour})` })),
    ...d.labels.map((l) => s("text", { x: l.x, y: l.y, "text-anchor": l.anchor, "dominant-baseline": "middle", "font-size": 12 }, l.text)));
  document.body.append(picture);  // so that styles can be computed
  return picture;
}

function rowsOf(t: Timeline): (string | number)[][] {
  return [
    ...t.warps.flatMap(({ warp, spans }) => spans.map(([kind, first, last]) => ["warp", warp, kind, first, last, ""])),
    ...t.schedulers.flatMap(({ scheduler, spans }) =>
      spans.map(([kind, first, last, warp]) => ["scheduler", scheduler, kind, first, last, warp ?? ""])),
    ...t.idle.map(([first, last]) => ["idle", "", "idle", first, last, ""]),
  ];
}

const legend = (): HTMLElement => h("ul", { class: "legend" },
  ...Object.entries(kinds).filter(([kind]) => kind !== "idle" && kind !== "ended").map(([, { colour, label }]) =>
    h("li", {}, h("span", { class: "swatch", style: `background: var(${colour})` }), label)),
  h("li", {}, h("span", { class: "swatch idle" }), "idle period: no scheduler works"));

export function timelinePanel(): TimelinePanel {
  let timeline: Timeline | null = null;
  let steps = 0;
  let window_: Window = { from: 0, to: 1 };
  const canvas = h("canvas", { role: "img", tabindex: 0 });
  const readout = h("p", { class: "muted readout", "aria-live": "polite" }, " ");
  const width = (): number => Math.max(320, canvas.parentElement?.clientWidth ?? 900);
  const redraw = (): void => {
    if (timeline === null) return;
    paint(canvas, schedule(timeline, window_, width()));
    canvas.setAttribute("aria-label", `Schedule of ${timeline.warps.length} warps and ${timeline.schedulers.length} schedulers, ` +
      `steps ${window_.from} to ${window_.to - 1} of ${steps}; ${timeline.idle.length} idle periods`);
  };
  const zoom = (factor: number, about?: number): void => {
    if (timeline === null) return;
    const size = Math.min(timeline.end, Math.max(10, Math.round((window_.to - window_.from) * factor)));
    const centre = about ?? (window_.from + window_.to) / 2;
    const share = (centre - window_.from) / (window_.to - window_.from);
    move(Math.round(centre - share * size), size);
  };
  const move = (from: number, size: number): void => {
    const start = Math.max(0, Math.min(from, timeline!.end - size));
    window_ = { from: start, to: start + size };
    redraw();
  };
  const pan = (share: number): void => {
    const size = window_.to - window_.from;
    move(window_.from + Math.round(share * size), size);
  };
  const stepAt = (event: MouseEvent): string | null => {
    const box = canvas.getBoundingClientRect();
    return timeline && under(timeline, window_, box.width, event.clientX - box.left, event.clientY - box.top);
  };
  canvas.addEventListener("mousemove", (event) => { readout.textContent = stepAt(event) ?? " "; });
  canvas.addEventListener("keydown", (event) => {
    const act: Record<string, () => void> = { ArrowLeft: () => pan(-0.25), ArrowRight: () => pan(0.25), "+": () => zoom(0.5), "-": () => zoom(2) };
    if (act[event.key] === undefined) return;
    event.preventDefault();
    act[event.key]!();
  });
  const element = h("section", { class: "panel timeline", "aria-label": "Schedule" },
    h("div", { class: "row head" }, h("h2", {}, "Schedule of warps and schedulers"),
      h("div", { class: "row tools" }, button("◀", () => pan(-0.5), { "aria-label": "Earlier" }), button("▶", () => pan(0.5), { "aria-label": "Later" }),
        button("+", () => zoom(0.5), { "aria-label": "Zoom in" }), button("−", () => zoom(2), { "aria-label": "Zoom out" }),
        button("All", () => timeline && move(0, timeline.end)))),
    legend(), h("div", { class: "drawing" }, canvas), readout, saveButtons(canvas, () => timeline, () => window_, width));
  return {
    element,
    show(t, all) {
      const size = window_.to - window_.from;
      const whole = timeline === null || size >= timeline.end;
      timeline = t;
      steps = all;
      if (whole) window_ = { from: 0, to: Math.min(t.end, 600) };
      else move(window_.from, Math.min(size, t.end));
      redraw();
    },
    redraw,
  };
}

function saveButtons(canvas: HTMLCanvasElement, timeline: () => Timeline | null, window_: () => Window, width: () => number): HTMLElement {
  const drawn = (act: (t: Timeline) => void) => () => {
    const t = timeline();
    if (t !== null) act(t);
  };
  return h("div", { class: "takeaways", role: "group", "aria-label": "Save the schedule" },
    button("CSV", drawn((t) => saveCsv("schedule.csv", ["row", "number", "kind", "first_step", "last_step", "warp"], rowsOf(t)))),
    button("SVG", drawn((t) => {
      const picture = asSvg(schedule(t, window_(), width()));
      saveSvg("schedule.svg", picture);
      picture.remove();
    })),
    button("PNG", () => canvas.toBlob((content) => content && save("schedule.png", content))));
}

