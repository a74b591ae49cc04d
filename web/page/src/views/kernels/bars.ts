// Horizontal bars with a label left and a text right of them, from a zero line.

import { s } from "../../dom";
import { fitted, label, svg } from "./figure";

export interface BarRow {
  name: string;
  value: number | null; // null: no bar, only the text
  error?: number; // half of the 95 % interval
  mark?: number; // a second value, as a line: measured
  text: string;
  colour: string;
  title: string;
}

interface Scale {
  x: (value: number) => number;
  low: number;
  high: number;
}

function scaleOf(rows: BarRow[], left: number, span: number): Scale {
  const values = rows.flatMap((row) =>
    row.value === null ? [] : [row.value - (row.error ?? 0), row.value + (row.error ?? 0), row.mark ?? row.value],
  );
  const low = Math.min(0, ...values),
    high = Math.max(0, ...values);
  const range = high - low || 1;
  return { x: (value) => left + ((value - low) / range) * span, low, high };
}

function rowNodes(row: BarRow, y: number, left: number, high: number, scale: Scale): Node[] {
  const middle = y + high / 2;
  const nodes: Node[] = [label(left - 8, middle, fitted(row.name, left - 8, 6.9), { "text-anchor": "end" })];
  if (row.value === null) return nodes;
  const zero = scale.x(0),
    end = scale.x(row.value);
  nodes.push(
    s(
      "rect",
      {
        x: Math.min(zero, end),
        y: y + 5,
        width: Math.max(1, Math.abs(end - zero)),
        height: high - 10,
        class: row.colour,
      },
      s("title", {}, row.title),
    ),
  );
  if (row.error !== undefined && row.error > 0) {
    nodes.push(
      s("line", {
        x1: scale.x(row.value - row.error),
        x2: scale.x(row.value + row.error),
        y1: middle,
        y2: middle,
        class: "whisker",
      }),
    );
  }
  if (row.mark !== undefined) {
    nodes.push(s("line", { x1: scale.x(row.mark), x2: scale.x(row.mark), y1: y + 1, y2: y + high - 1, class: "mark" }));
  }
  return nodes;
}

export function drawBars(rows: BarRow[], width: number, textWidth = 150): SVGSVGElement {
  const high = 27;
  const left = Math.min(300, width * 0.38);
  const right = Math.min(textWidth, width * 0.3);
  const scale = scaleOf(rows, left, width - left - right - 8);
  const picture = svg(width, rows.length * high + 4);
  rows.forEach((row, i) => {
    picture.append(
      ...rowNodes(row, i * high, left, high, scale),
      label(width, i * high + high / 2, row.text, { "text-anchor": "end", "font-size": 12.5 }),
    );
  });
  picture.append(s("line", { x1: scale.x(0), x2: scale.x(0), y1: 0, y2: rows.length * high, class: "axis" }));
  return picture;
}
