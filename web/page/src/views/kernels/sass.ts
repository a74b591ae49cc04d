// The SASS of a launch with its share of the time by the profiler's samples.

import type { Context } from "../../context";
import { field, h, s, select } from "../../dom";
import { figure, label, percent, svg } from "./figure";
import { session, type Launch, type Pages } from "./session";
import { instructionsOf, matchTables, tablesOf, type Instruction, type SourceTable } from "./source_page";

const mostRows = 2000;
const found = new WeakMap<Pages, (SourceTable | null)[]>();

interface Line extends Instruction {
  index: number;
  share: number; // of the samples
}

function drawCode(lines: Line[], width: number): SVGSVGElement {
  const high = 110,
    left = 44;
  const most = Math.max(...lines.map((line) => line.share));
  const wide = (width - left) / lines.length;
  const picture = svg(width, high + 20);
  for (const tick of [0, 0.5, 1]) {
    const y = 4 + (1 - tick) * (high - 4);
    picture.append(
      s("line", { x1: left, x2: width, y1: y, y2: y, class: "grid" }),
      label(left - 6, y, percent(tick * most, most < 0.1 ? 1 : 0), {
        "font-size": 11,
        class: "quiet",
        "text-anchor": "end",
      }),
    );
  }
  const d = lines
    .filter((line) => line.share > 0)
    .map((line) => {
      const tall = (line.share / most) * (high - 4);
      const x = (left + line.index * wide).toFixed(2);
      return `M${x} ${(high - tall).toFixed(2)}h${Math.max(1.5, wide - (wide > 3 ? 1 : 0)).toFixed(2)}V${high}H${x}z`;
    });
  picture.append(
    s("path", { d: d.join(""), class: "f1" }),
    label(left, high + 11, "first instruction", { "font-size": 11, class: "quiet" }),
    label(width, high + 11, `instruction ${lines.length.toLocaleString("en")}`, {
      "font-size": 11,
      class: "quiet",
      "text-anchor": "end",
    }),
  );
  return picture;
}

function codeRows(lines: Line[], hot: number): HTMLElement[] {
  return lines.map((line) =>
    h(
      "tr",
      { class: line.share >= hot ? "hot" : null },
      h("td", { class: "number" }, String(line.index)),
      h("td", { class: "number" }, line.share > 0 ? (100 * line.share).toFixed(1) : ""),
      h("td", { class: "number" }, line.executed.toLocaleString("en")),
      h("th", { scope: "row", class: "mono" }, line.text),
    ),
  );
}

// The instructions with most samples, or all in the order of the code.
function codeTable(lines: Line[]): HTMLElement {
  const hot = 0.5 * Math.max(...lines.map((line) => line.share));
  const body = h("tbody");
  const show = (choice: string): void => {
    const most = [...lines]
      .sort((a, b) => b.share - a.share)
      .slice(0, 25)
      .filter((line) => line.share > 0);
    body.replaceChildren(...codeRows(choice === "most" ? most : lines.slice(0, mostRows), hot));
  };
  show("most");
  const rows =
    lines.length > mostRows
      ? `the first ${mostRows.toLocaleString("en")} instructions`
      : "all instructions, in their order";
  const choices: [string, string][] = [
    ["most", "the instructions with most samples"],
    ["all", rows],
  ];
  const choice = select(choices, "most", show);
  return h(
    "div",
    {},
    h("div", { class: "row" }, field("Show", choice)),
    h(
      "div",
      { class: "scroll segments", tabindex: 0, role: "region", "aria-label": "SASS instructions" },
      h(
        "table",
        {},
        h("caption", { class: "unseen" }, "SASS instructions"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col", class: "number" }, "line"),
            h("th", { scope: "col", class: "number" }, "share of time %"),
            h("th", { scope: "col", class: "number" }, "executed"),
            h("th", { scope: "col" }, "instruction"),
          ),
        ),
        body,
      ),
    ),
  );
}

async function tableOf(context: Context, pages: Pages, launch: Launch): Promise<SourceTable | null> {
  let tables = found.get(pages);
  if (tables === undefined) {
    const all = await tablesOf(pages.source!, pages.sourceEncoding ?? "utf-8", (lines) =>
      context.say(
        lines === 0 ? "" : `Looking for the SASS: line ${lines.toLocaleString("en")} of ${pages.source!.name}`,
        "progress",
      ),
    );
    context.say("");
    tables = matchTables(all, pages.launches ?? []);
    found.set(pages, tables);
  }
  return launch.ordinal === undefined ? null : (tables[launch.ordinal] ?? null);
}

// null: the launch has no source page with samples.
export async function sassFigure(context: Context, launch: Launch): Promise<HTMLElement | null> {
  const pages = launch.pages;
  if (pages?.source === undefined || !session.pages.includes(pages)) return null;
  const table = await tableOf(context, pages, launch);
  const instructions =
    table === null ? null : await instructionsOf(pages.source, pages.sourceEncoding ?? "utf-8", table);
  const all = (instructions ?? []).reduce((sum, line) => sum + line.samples, 0);
  if (instructions === null || all === 0) return null;
  const lines = instructions.map((line, index): Line => ({ ...line, index, share: line.samples / all }));
  const first = lines.reduce((a, b) => (b.share > a.share ? b : a));
  const section = figure(
    {
      title: "SASS by share of the time",
      file: `${launch.key.replaceAll("/", "-")}-sass`,
      draw: (width) => drawCode(lines, width),
      label: `Share of the profiler's samples by instruction; the most, ${percent(first.share)}, at line ${first.index}`,
      data: () => ({
        head: ["line", "instruction", "executed", "samples", "share"],
        rows: lines.map((l) => [l.index, l.text, l.executed, l.samples, l.share]),
      }),
    },
    `The profiler's samples of warps, ${all.toLocaleString("en")} in all. Most are at line ${first.index}, ` +
      `${first.text} (${percent(first.share)}): a sampled warp waits to execute it.`,
  );
  section.append(codeTable(lines));
  return section;
}
