// The segments of the programs of one launch, with their shares of the time and of the warp
// instructions.

import { h, s } from "../../dom";
import { figure, label, percent, svg } from "./figure";
import type { SegmentShare } from "./answers";
import { executionsOf, type Access, type ModelLaunch, type Segment } from "./model_file";

const mostSegments = 300;

interface SegmentRow {
  index: number;
  segment: Segment;
  executions: number;
  instructions: number; // of all warps
  share: number; // of the warp instructions
  time: number | null; // share of the cycles of resident warps; null: not known
}

// `times`: of the prediction; undefined where it has none, as for nets without segments.
export function segmentRows(launch: ModelLaunch, times?: SegmentShare[]): SegmentRow[] {
  const executions = executionsOf(launch);
  const timeOf = new Map((times ?? []).map(({ segment, share }) => [segment, share]));
  const rows = (launch.segments ?? []).map((segment, index) => {
    const length = Object.values(segment.classes).reduce((sum, count) => sum + count, 0);
    const time = timeOf.get(index) ?? null;
    return { index, segment, executions: executions[index]!, instructions: executions[index]! * length, share: 0, time };
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

const barHigh = 34;

// One bar of all segments, at the height y.
function shareBar(rows: SegmentRow[], y: number, width: number, what: string, share: (row: SegmentRow) => number): Node[] {
  const nodes: Node[] = [];
  let x = 0;
  for (const row of rows) {
    const wide = share(row) * width;
    nodes.push(
      s(
        "rect",
        { x, y, width: wide, height: barHigh, class: `part ${fillOf(row.segment)}` },
        s("title", {}, `segment ${row.index}: ${percent(share(row))} of the ${what}; ${classesText(row.segment)}`),
      ),
    );
    if (wide > 26)
      nodes.push(
        label(x + wide / 2, y + barHigh / 2, String(row.index), {
          class: `on ${fillOf(row.segment)}on`,
          "text-anchor": "middle",
          "font-size": 12,
          "pointer-events": "none",
        }),
      );
    x += wide;
  }
  return nodes;
}

const hasTimes = (rows: SegmentRow[]): boolean => rows.some((row) => row.time !== null);

function drawShares(rows: SegmentRow[], width: number): SVGSVGElement {
  const bars: [string, (row: SegmentRow) => number][] = [["warp instructions", (row) => row.share]];
  if (hasTimes(rows)) bars.unshift(["time", (row) => row.time ?? 0]);
  const step = barHigh + 22;
  const picture = svg(width, bars.length * step);
  bars.forEach(([what, share], i) => {
    const y = i * step + 18;
    picture.append(
      label(0, y - 9, `share of the ${what}, 0 to 100 %`, { "font-size": 11, class: "quiet" }),
      ...shareBar(rows, y, width, what, share),
    );
  });
  return picture;
}

function timeCell(row: SegmentRow): HTMLElement {
  const share = row.time ?? 0;
  const bar = `background-size: ${(100 * share).toFixed(2)}% 100%`;
  return h("td", { class: "number share", style: bar }, row.time === null ? "" : (100 * share).toFixed(1));
}

function segmentTable(rows: SegmentRow[]): HTMLElement {
  const number = (text: string): HTMLElement => h("td", { class: "number" }, text);
  const timed = hasTimes(rows);
  const heads: [string, boolean][] = [
    ["segment", false],
    ...(timed ? [["share of the time %", true] as [string, boolean]] : []),
    ["share of warp instructions %", true],
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
              timed ? timeCell(row) : null,
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

const timeNote =
  "The share of the time is the part of the cycles of all resident warps that they spend in the segment, in the simulated run " +
  "of an SM: while they wait for its operands or for an issue slot, during its instructions, and at a barrier at its end. ";
const noTimeNote = "Their shares of the time need the prediction of the net of an SM with the programs of the warps. ";

export function segmentsFigure(file: string, launch: ModelLaunch, times?: SegmentShare[]): HTMLElement | null {
  const rows = segmentRows(launch, times);
  if (rows.length === 0) return null;
  const section = figure(
    {
      title: `Segments of ${launch.kernel}`,
      file: `${file}-segments`,
      draw: (width) => drawShares(rows, width),
      label: rows.map((row) => `segment ${row.index}: ${percent(row.time ?? row.share)}`).join(", "),
      data: () => ({
        head: ["segment", "executions", "warp_instructions", "share", "waits_for", "instructions", "accesses", "end", "time_share"],
        rows: rows.map((row) => [
          row.index,
          row.executions,
          row.instructions,
          row.share,
          (row.segment.waits_for ?? []).join(" "),
          classesText(row.segment),
          accessText(row.segment),
          row.segment.end,
          row.time,
        ]),
      }),
    },
    "Stretches of code whose loads are outstanding together. " +
      (hasTimes(rows) ? timeNote : noTimeNote) +
      "Blue ones wait for memory, orange ones for shared memory, constants or special functions, green ones for nothing.",
  );
  section.append(segmentTable(rows));
  if (rows.length > mostSegments)
    section.append(
      h("p", { class: "muted" }, `The first ${mostSegments} of ${rows.length} segments. The CSV has all.`),
    );
  return section;
}
