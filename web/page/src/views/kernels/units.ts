// The use of units as horizontal bars.

import { s } from "../../dom";
import type { Breakdown } from "./answers";
import { figure, fitted, label, percent, svg } from "./figure";

export const limitText = (limit: string): string => limit.replace(/^none: the/, "none. The");

export function unitsFigure(file: string, breakdown: Breakdown): HTMLElement | null {
  const units = Object.entries(breakdown.units ?? {});
  if (units.length === 0) return null;
  const busiest = units.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
  const draw = (width: number): SVGSVGElement => {
    const left = Math.min(230, width * 0.4),
      right = 62,
      row = 28;
    const span = width - left - right;
    const picture = svg(width, units.length * row + 24);
    for (const tick of [0, 0.25, 0.5, 0.75, 1]) {
      const x = left + tick * span;
      picture.append(
        s("line", { x1: x, x2: x, y1: 2, y2: units.length * row, class: "grid" }),
        label(x, units.length * row + 13, `${100 * tick} %`, {
          "text-anchor": "middle",
          "font-size": 11,
          class: "quiet",
        }),
      );
    }
    units.forEach(([name, share], i) => {
      const y = i * row;
      picture.append(
        label(left - 8, y + row / 2, fitted(name, left - 8, 6.9), { "text-anchor": "end" }),
        s("rect", { x: left, y: y + 5, width: span, height: row - 10, class: "track" }),
        s(
          "rect",
          {
            x: left,
            y: y + 5,
            width: Math.max(0, Math.min(1, share)) * span,
            height: row - 10,
            class: name === busiest ? "f1" : "f6",
          },
          s("title", {}, `${name}: busy in ${percent(share)} of the cycles`),
        ),
        label(left + span + 8, y + row / 2, percent(share)),
      );
    });
    return picture;
  };
  return figure(
    {
      title: "Use of units",
      file: `${file}-units`,
      draw,
      label: `Utilisation of units: ${units.map(([name, share]) => `${name} ${percent(share)}`).join(", ")}`,
      data: () => ({ head: ["unit", "busy_share"], rows: units.map(([name, share]) => [name, share]) }),
    },
    breakdown.nearest_limit === undefined ? null : `Nearest limit: ${limitText(breakdown.nearest_limit)}.`,
  );
}
