// A heat map over l1 (to the right) and l2 (upwards), with a line where the values cross zero.

import { s, significant } from "../../dom";
import { zeroLine } from "./contour";

export interface Grid {
  l1: number[];
  l2: number[];
  values: (number | null)[][]; // [index of l2][index of l1]; null: not known (yet)
  kind: "steps" | "error"; // error: per cent, with 0 in the middle
}

export const cell = { width: 26, height: 18 };
const margin = { left: 62, top: 10, right: 96, bottom: 44 };

export interface Scale {
  low: number;
  high: number;
  colour(value: number): string;
}

// Steps: from the paper to the accent. Errors: blue where the prediction is too short, orange where
// it is too long; at least 10 % to each side.
export function scaleOf(grid: Grid): Scale {
  const known = grid.values.flat().filter((v): v is number => v !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const mix = (name: string, share: number): string => `color-mix(in oklab, var(${name}) ${(100 * share).toFixed(1)}%, var(--paper))`;
  if (grid.kind === "error") {
    const end = Math.max(10, Math.abs(low), Math.abs(high));
    return { low: -end, high: end, colour: (v) => mix(v < 0 ? "--c1" : "--c2", Math.min(1, Math.abs(v) / end)) };
  }
  return { low, high, colour: (v) => mix("--c1", high > low ? 0.08 + (0.92 * (v - low)) / (high - low) : 0.5) };
}

export const sizeOf = (grid: Grid): { width: number; height: number } => ({
  width: margin.left + grid.l1.length * cell.width + margin.right,
  height: margin.top + grid.l2.length * cell.height + margin.bottom,
});

const x = (column: number): number => margin.left + column * cell.width;
const y = (grid: Grid, row: number): number => margin.top + (grid.l2.length - 1 - row) * cell.height;

const text = (value: number, grid: Grid): string => grid.kind === "error" ? `${significant(value, 3)} %` : significant(value, 4);

function cells(grid: Grid, scale: Scale): SVGElement[] {
  return grid.values.flatMap((row, j) => row.map((value, i) => value === null
    ? s("rect", { x: x(i), y: y(grid, j), width: cell.width, height: cell.height, fill: "var(--panel)" })
    : s("rect", { x: x(i), y: y(grid, j), width: cell.width, height: cell.height, style: `fill: ${scale.colour(value)}`, "data-l1": grid.l1[i], "data-l2": grid.l2[j], "data-value": value },
        s("title", {}, `l1 = ${grid.l1[i]}, l2 = ${grid.l2[j]}: ${text(value, grid)}`))));
}

function axes(grid: Grid): SVGElement[] {
  const { height } = sizeOf(grid);
  const everyX = Math.ceil(grid.l1.length / 11);
  const everyY = Math.ceil(grid.l2.length / 11);
  const bottom = height - margin.bottom;
  return [
    ...grid.l1.filter((_, i) => i % everyX === 0).map((value) =>
      s("text", { x: x(grid.l1.indexOf(value)) + cell.width / 2, y: bottom + 15, "text-anchor": "middle", "font-size": 11 }, value)),
    ...grid.l2.filter((_, j) => j % everyY === 0).map((value) =>
      s("text", { x: margin.left - 7, y: y(grid, grid.l2.indexOf(value)) + cell.height / 2, "text-anchor": "end", "dominant-baseline": "middle", "font-size": 11 }, value)),
    s("text", { x: x(grid.l1.length / 2), y: bottom + 34, "text-anchor": "middle", "font-size": 12 }, "l1, global latency (steps)"),
    s("text", { x: 0, y: 0, "text-anchor": "middle", "font-size": 12, transform: `translate(14 ${margin.top + (bottom - margin.top) / 2}) rotate(-90)` }, "l2, shared latency (steps)"),
  ];
}

function key(grid: Grid, scale: Scale): SVGElement[] {
  const at = x(grid.l1.length) + 14;
  const parts = 40;
  const tall = grid.l2.length * cell.height;
  const rects = Array.from({ length: parts }, (_, i) => {
    const value = scale.low + ((i + 0.5) / parts) * (scale.high - scale.low);
    return s("rect", { x: at, y: margin.top + tall * (1 - (i + 1) / parts), width: 14, height: tall / parts + 0.5, style: `fill: ${scale.colour(value)}` });
  });
  const label = (share: number, value: number): SVGElement =>
    s("text", { x: at + 19, y: margin.top + tall * (1 - share) + (share === 1 ? 10 : share === 0 ? -2 : 4), "font-size": 11 }, text(value, grid));
  const flat = scale.high === scale.low;
  return [...rects, label(1, scale.high), flat ? s("g") : label(0, scale.low), grid.kind === "error" ? label(0.5, 0) : s("g")];
}

// The contour is drawn between the centres of the cells.
function contour(grid: Grid): SVGElement[] {
  if (grid.kind !== "error") return [];
  const place = (column: number, row: number): string => `${x(column) + cell.width / 2} ${y(grid, row) + cell.height / 2}`;
  const path = zeroLine(grid.values).map(([x1, y1, x2, y2]) => `M${place(x1, y1)}L${place(x2, y2)}`).join("");
  return path === "" ? [] : [s("path", { d: path, class: "contour", fill: "none", style: "stroke: var(--ink)", "stroke-width": 2.5 })];
}

export function mark(grid: Grid, column: number, row: number, name: string): SVGElement {
  const isCursor = name === "cursor";
  const out = isCursor ? 1 : -1; // around the mark of the present cell, not over it
  return s("rect", { class: name, x: x(column) - out, y: y(grid, row) - out, width: cell.width + 2 * out, height: cell.height + 2 * out, fill: "none",
    style: `stroke: var(${isCursor ? "--bad" : "--ink"})`, "stroke-width": 2, "stroke-dasharray": isCursor ? "4 2" : null });
}

export function heatMap(grid: Grid, label: string): SVGSVGElement {
  const { width, height } = sizeOf(grid);
  const scale = scaleOf(grid);
  return s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "application", "aria-roledescription": "map of cells", "aria-label": label, tabindex: 0 },
    ...cells(grid, scale), ...contour(grid), ...axes(grid), ...key(grid, scale));
}

// The cell under a point of the picture, in its own coordinates.
export function cellAt(grid: Grid, px: number, py: number): { column: number; row: number } | null {
  const column = Math.floor((px - margin.left) / cell.width);
  const row = grid.l2.length - 1 - Math.floor((py - margin.top) / cell.height);
  return column >= 0 && column < grid.l1.length && row >= 0 && row < grid.l2.length ? { column, row } : null;
}
