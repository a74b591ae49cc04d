// The segments of the programs of one launch, with their shares of the warp instructions.

import { h, s } from "../../dom";
import { figure, label, percent, svg } from "./figure";
import { executionsOf, type Access, type ModelLaunch, type Segment } from "./model_file";

const mostSegments = 300;

interface SegmentRow {
  index: number;
  segment: Segment;
  executions: number;
  instructions: number; // of all warps
  share: number;
}

export function segmentRows(launch: ModelLaunch): SegmentRow[] {
  const executions = executionsOf(launch);
  const rows = (launch.segments ?? []).map((segment, index) => {
    const length = Object.values(segment.classes).reduce((sum, count) => sum + count, 0);
    return { index, segment, executions: executions[index]!, instructions: executions[index]! * length, share: 0 };
  });
  const all = rows.reduce((sum, row) => sum + row.instructions, 0);
  for (const row of rows) row.share = all > 0 ? row.instructions / all : 0;
  return rows;
}

// Fills by what the segment waits for: that of the reason.
function fillOf(segment: Segment): string {
  const waits = segment.waits_for ?? [];
  if (waits.some((kind) => ["global", "local", "texture", "async_copy"].includes(kind))) return "f1";
  if (waits.includes("tensor")) return "f5";
  return waits.length > 0 ? "f2" : "f3";
}

const classesText = (segment: Segment): string =>
  Object.entries(segment.classes)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ");
function accessText(segment: Segment): string {
  const one = ({ count, class: kind, bytes, sectors }: Access): string => {
    const size = bytes === undefined ? "" : ` of ${bytes} B`;
    return `${count} ${kind}${size}${sectors === undefined ? "" : `, ${sectors} ${sectors === 1 ? "sector" : "sectors"}`}`;
  };
  return (segment.accesses ?? []).map(one).join("; ");
}

function drawShares(rows: SegmentRow[], width: number): SVGSVGElement {
  const high = 34;
  const picture = svg(width, high + 18);
  let x = 0;
  for (const row of rows) {
    const wide = row.share * width;
    picture.append(
      s(
        "rect",
        { x, y: 0, width: wide, height: high, class: `part ${fillOf(row.segment)}` },
        s(
          "title",
          {},
          `segment ${row.index}: ${percent(row.share)} of the warp instructions; ${classesText(row.segment)}`,
        ),
      ),
    );
    if (wide > 26)
      picture.append(
        label(x + wide / 2, high / 2, String(row.index), {
          class: `on ${fillOf(row.segment)}on`,
          "text-anchor": "middle",
          "font-size": 12,
          "pointer-events": "none",
        }),
      );
    x += wide;
  }
  picture.append(
    label(0, high + 10, "0 %", { "font-size": 11, class: "quiet" }),
    label(width, high + 10, "100 %", { "font-size": 11, class: "quiet", "text-anchor": "end" }),
  );
  return picture;
}

function segmentTable(rows: SegmentRow[]): HTMLElement {
  const number = (text: string): HTMLElement => h("td", { class: "number" }, text);
  const heads: [string, boolean][] = [
    ["segment", false],
    ["share %", true],
    ["executed", true],
    ["waits for", false],
    ["instructions", false],
    ["accesses", false],
    ["ends at", false],
  ];
  return h(
    "div",
    { class: "scroll segments", tabindex: 0, role: "region", "aria-label": "Segments of the programs" },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, "Segments of the programs, in the order of the code"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...heads.map(([text, isNumber]) => h("th", { scope: "col", class: isNumber ? "number" : null }, text)),
        ),
      ),
      h(
        "tbody",
        {},
        ...rows
          .slice(0, mostSegments)
          .map((row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, h("span", { class: `swatch ${fillOf(row.segment)}` }), String(row.index)),
              number((100 * row.share).toFixed(1)),
              number(row.executions.toLocaleString("en")),
              h("td", {}, (row.segment.waits_for ?? []).join(", ")),
              h("td", {}, classesText(row.segment)),
              h("td", {}, accessText(row.segment)),
              h("td", {}, row.segment.end),
            ),
          ),
      ),
    ),
  );
}

export function segmentsFigure(file: string, launch: ModelLaunch): HTMLElement | null {
  const rows = segmentRows(launch);
  if (rows.length === 0) return null;
  const section = figure(
    {
      title: `Segments of ${launch.kernel}`,
      file: `${file}-segments`,
      draw: (width) => drawShares(rows, width),
      label: rows.map((row) => `segment ${row.index}: ${percent(row.share)}`).join(", "),
      data: () => ({
        head: ["segment", "executions", "warp_instructions", "share", "waits_for", "instructions", "accesses", "end"],
        rows: rows.map((row) => [
          row.index,
          row.executions,
          row.instructions,
          row.share,
          (row.segment.waits_for ?? []).join(" "),
          classesText(row.segment),
          accessText(row.segment),
          row.segment.end,
        ]),
      }),
    },
    "Stretches of code whose loads are outstanding together, with their shares of all warp instructions " +
      "(not of the time: see the SASS, which has the profiler's samples). " +
      "Blue ones wait for memory, orange ones for shared memory, constants or special functions, green ones for nothing.",
  );
  section.append(segmentTable(rows));
  if (rows.length > mostSegments)
    section.append(
      h("p", { class: "muted" }, `The first ${mostSegments} of ${rows.length} segments. The CSV has all.`),
    );
  return section;
}
