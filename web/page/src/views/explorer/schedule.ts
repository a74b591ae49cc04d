// The schedule of a run as shapes: one row a warp, one row a scheduler, marks for idle periods.

import type { Timeline } from "../../../../engine/engine";

export interface Shape {
  x: number;
  y: number;
  width: number;
  height: number;
  colour: string; // name of a CSS variable
  opacity?: number;
}

export interface Label {
  x: number;
  y: number;
  text: string;
  anchor: "start" | "middle" | "end";
}

export interface Drawing {
  width: number;
  height: number;
  shapes: Shape[];
  labels: Label[];
}

export interface Window {
  from: number; // step
  to: number; // exclusive
}

export const kinds: Record<string, { colour: string; label: string }> = {
  arithmetic: { colour: "--c1", label: "arithmetic" },
  shared: { colour: "--c3", label: "shared access" },
  global: { colour: "--c2", label: "global access" },
  ready: { colour: "--c5", label: "ready, selects an instruction" },
  waiting: { colour: "--line", label: "waiting" },
  ended: { colour: "--panel", label: "ended" },
  idle: { colour: "--panel", label: "scheduler without a warp" },
};

export const left = 108;
const top = 22;
const right = 14;

function rowHeight(rows: number): number {
  return Math.max(5, Math.min(18, Math.floor(560 / rows)));
}

export function layout(t: Timeline): { row: number; schedulersAt: number; height: number } {
  const row = rowHeight(t.warps.length + t.schedulers.length);
  const schedulersAt = top + t.warps.length * row + 10;
  return { row, schedulersAt, height: schedulersAt + t.schedulers.length * row + 30 };
}

// Spans that begin on the same pixel as the one before are not drawn: they cannot be seen.
function spanShapes(spans: readonly (readonly [string, number, number, ...unknown[]])[], y: number, height: number,
                    at: (step: number) => number, w: Window): Shape[] {
  const shapes: Shape[] = [];
  for (const [kind, first, last] of spans) {
    if (last < w.from || first >= w.to) continue;
    const x = at(Math.max(first, w.from));
    const width = at(Math.min(last + 1, w.to)) - x;
    const before = shapes[shapes.length - 1];
    if (before !== undefined && width < 0.4 && x - before.x < 0.4) continue;
    shapes.push({ x, y, width: Math.max(width, 0.4), height, colour: kinds[kind]?.colour ?? "--c8" });
  }
  return shapes;
}

// Round steps for about `count` marks.
export function ticks(from: number, to: number, count: number): number[] {
  const raw = Math.max(1, (to - from) / count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= raw)!;
  const marks: number[] = [];
  for (let mark = Math.ceil(from / step) * step; mark <= to; mark += step) marks.push(mark);
  return marks;
}

export function schedule(t: Timeline, w: Window, width: number): Drawing {
  const { row, schedulersAt, height } = layout(t);
  const at = (step: number): number => left + ((step - w.from) / (w.to - w.from)) * (width - left - right);
  const bar = Math.max(2, row - (row > 8 ? 2 : 1));
  const shapes: Shape[] = [];
  const labels: Label[] = [];
  const every = Math.max(1, Math.ceil(12 / row));
  const rowOf = (name: string, i: number, y: number): void => {
    if (i % every === 0) labels.push({ x: left - 8, y: y + row / 2, text: `${name} ${i}`, anchor: "end" });
  };
  t.warps.forEach(({ warp, spans }, i) => {
    rowOf("warp", warp, top + i * row);
    shapes.push(...spanShapes(spans, top + i * row, bar, at, w));
  });
  t.schedulers.forEach(({ scheduler, spans }, i) => {
    rowOf("scheduler", scheduler, schedulersAt + i * row);
    shapes.push(...spanShapes(spans, schedulersAt + i * row, bar, at, w));
  });
  for (const [first, last] of t.idle) {
    if (last < w.from || first >= w.to) continue;
    const x = at(Math.max(first, w.from));
    const wide = at(Math.min(last + 1, w.to)) - x;
    shapes.push({ x, y: top - 6, width: Math.max(wide, 1), height: height - 24 - top, colour: "--bad", opacity: 0.16 });
    shapes.push({ x, y: top - 8, width: Math.max(wide, 1), height: 4, colour: "--bad" });
  }
  for (const mark of ticks(w.from, w.to, 10)) {
    shapes.push({ x: at(mark), y: height - 26, width: 1, height: 5, colour: "--muted" });
    labels.push({ x: at(mark), y: height - 12, text: mark.toLocaleString("en"), anchor: "middle" });
  }
  return { width, height, shapes, labels };
}

// What lies at a point of the drawing, as a sentence.
export function under(t: Timeline, w: Window, width: number, x: number, y: number): string | null {
  const { row, schedulersAt } = layout(t);
  const step = Math.floor(w.from + ((x - left) / (width - left - right)) * (w.to - w.from));
  if (step < w.from || step >= Math.min(w.to, t.end)) return null;
  const inRow = (list: { spans: readonly (readonly [string, number, number, ...unknown[]])[] }[], from: number) => list[Math.floor((y - from) / row)];
  const warp = y >= top && y < schedulersAt - 10 ? inRow(t.warps, top) : undefined;
  const scheduler = y >= schedulersAt ? inRow(t.schedulers, schedulersAt) : undefined;
  const span = (warp ?? scheduler)?.spans.find(([, first, last]) => first <= step && step <= last);
  if (span === undefined) return null;
  const [kind, first, last, by] = span;
  const what = kinds[kind]?.label ?? kind;
  const name = warp !== undefined ? `warp ${(warp as Timeline["warps"][0]).warp}` : `scheduler ${(scheduler as Timeline["schedulers"][0]).scheduler}`;
  const held = scheduler !== undefined && by !== undefined ? ` of warp ${String(by)}` : "";
  return `${name}, steps ${first} to ${last}: ${what}${held}`;
}
