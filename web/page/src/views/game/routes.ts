// Paths of arcs: from the edge of one node to the edge of another, with rounded corners.

import { s } from "../../dom";
import { bar, type Point, radius } from "./layout";
import type { NodeKind } from "./net";

export interface End {
  at: Point;
  kind: NodeKind;
}

const corner = 15;
const arrow = 10;
const ring = 4.5;

const towards = (from: Point, to: Point, distance: number): Point => {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  return [from[0] + (dx / length) * distance, from[1] + (dy / length) * distance];
};

// Where a line from `from`, inside or outside of the node, to `next` leaves the node.
function border(node: End, from: Point, next: Point): Point {
  const [dx, dy] = [next[0] - from[0], next[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ox, oy] = [from[0] - node.at[0], from[1] - node.at[1]];
  if (node.kind === "place") {
    const along = (ox * dx + oy * dy) / length;
    return towards(from, next, -along + Math.sqrt(Math.max(0, along * along - ox * ox - oy * oy + radius * radius)));
  }
  const reach = (offset: number, d: number, half: number): number => (d === 0 ? Infinity : (Math.sign(d) * half - offset) / d);
  const share = Math.min(reach(ox, dx, bar.width / 2 + 1), reach(oy, dy, bar.height / 2 + 1));
  return [from[0] + dx * share, from[1] + dy * share];
}

function rounded(points: Point[]): string {
  const text = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  let path = `M${text(points[0]!)}`;
  for (let i = 1; i + 1 < points.length; ++i) {
    const [before, at, after] = [points[i - 1]!, points[i]!, points[i + 1]!];
    const reach = (to: Point): number => Math.min(corner, Math.hypot(to[0] - at[0], to[1] - at[1]) / 2);
    path += `L${text(towards(at, before, reach(before)))}Q${text(at)} ${text(towards(at, after, reach(after)))}`;
  }
  return `${path}L${text(points[points.length - 1]!)}`;
}

// Beside the middle of the longest segment.
function labelSpot(points: Point[]): Point {
  let [longest, spot]: [number, Point] = [-1, points[0]!];
  for (let i = 1; i < points.length; ++i) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    if (length <= longest) continue;
    longest = length;
    const isSteep = Math.abs(b[1] - a[1]) > Math.abs(b[0] - a[0]);
    spot = [(a[0] + b[0]) / 2 + (isSteep ? 9 : 0), (a[1] + b[1]) / 2 + (isSteep ? 4 : -6)];
  }
  return spot;
}

// Text with a rim in the colour of the paper, readable on lines. Two elements, so that a saved
// picture looks the same.
export function rimmed(at: Point, text: string, name: string): SVGGElement {
  const props = { x: at[0].toFixed(1), y: at[1].toFixed(1) };
  return s("g", { class: name }, s("text", { ...props, class: "rim", "aria-hidden": true }, text), s("text", props, text));
}

// `shift` moves the line sideways, so that arcs in both directions lie side by side.
export function arcOf(from: End, to: End, through: Point[], shift: number, isInhibitor: boolean, label: string): SVGElement[] {
  const angle = Math.atan2(to.at[1] - from.at[1], to.at[0] - from.at[0]);
  const moved = ([x, y]: Point): Point => [x - Math.sin(angle) * shift, y + Math.cos(angle) * shift];
  const [begin, end] = [moved(from.at), moved(to.at)];
  const first = border(from, begin, through[0] ?? end);
  const last = through[through.length - 1] ?? begin;
  const tip = border(to, end, last);
  const stop = towards(tip, last, isInhibitor ? 2 * ring : arrow - 2);
  const points = [first, ...through, stop];
  const parts: SVGElement[] = [s("path", { class: "line", d: rounded(points) })];
  if (isInhibitor) {
    const [cx, cy] = towards(tip, last, ring);
    parts.push(s("circle", { class: "tip open", cx: cx.toFixed(1), cy: cy.toFixed(1), r: ring }));
  } else {
    const back = towards(tip, last, arrow);
    const [ux, uy] = [(tip[0] - back[0]) / arrow, (tip[1] - back[1]) / arrow];
    const side = (sign: number): string => `${(back[0] - uy * 4.2 * sign).toFixed(1)},${(back[1] + ux * 4.2 * sign).toFixed(1)}`;
    parts.push(s("polygon", { class: "tip", points: `${tip[0].toFixed(1)},${tip[1].toFixed(1)} ${side(1)} ${side(-1)}` }));
  }
  if (label !== "") {
    const [x, y] = labelSpot([first, ...through, tip]);
    const out = Math.sign(shift) * 11; // away from the arc beside it
    const spot: Point = shift === 0 ? [x, y] : [(first[0] + tip[0]) / 2 - Math.sin(angle) * out, (first[1] + tip[1]) / 2 + Math.cos(angle) * out + 4];
    parts.push(rimmed(spot, label, "weight"));
  }
  return parts;
}
