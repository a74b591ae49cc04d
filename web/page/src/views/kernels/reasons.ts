// The stack of reasons: what cycles go to, by the net and by the profiler.

import { h, s } from "../../dom";
import type { Breakdown } from "./answers";
import { figure, label, percent, svg } from "./figure";
import { groups, groupSum, partsOf, type Part } from "./reason_groups";

interface Bar {
  title: string;
  column: string;
  parts: Part[];
}

function barsOf(breakdown: Breakdown, stalls: Map<string, number> | null): Bar[] {
  const bars: Bar[] = [
    { title: "Schedulers, predicted", column: "schedulers", parts: partsOf(breakdown.schedulers ?? {}, "net") },
    { title: "Warps, predicted", column: "warps", parts: partsOf(breakdown.warps ?? {}, "net") },
  ];
  if (stalls !== null) {
    bars.push({ title: "Warps, profiled", column: "profiler", parts: partsOf(Object.fromEntries(stalls), "profiler") });
  }
  return bars;
}

function drawBar(bar: Bar, left: number, top: number, span: number, high: number): Node[] {
  const nodes: Node[] = [];
  let x = left;
  for (const part of bar.parts) {
    const width = part.share * span;
    nodes.push(
      s(
        "rect",
        { x, y: top, width, height: high, class: `part ${part.colour}`, "data-part": part.name },
        s("title", {}, `${bar.title}: ${part.name} ${percent(part.share)} (${part.group})`),
      ),
    );
    const text = `${part.name} ${percent(part.share, 0)}`;
    if (width > text.length * 6.6 + 8) {
      nodes.push(
        label(x + 5, top + high / 2, text, { class: `on ${part.colour}on`, "font-size": 12, "pointer-events": "none" }),
      );
    } else if (width > 34) {
      nodes.push(
        label(x + 4, top + high / 2, percent(part.share, 0), {
          class: `on ${part.colour}on`,
          "font-size": 12,
          "pointer-events": "none",
        }),
      );
    }
    x += width;
  }
  return nodes;
}

function drawBars(bars: Bar[], width: number): SVGSVGElement {
  const narrow = width < 640;
  const left = narrow ? 0 : 165,
    high = 30,
    row = narrow ? 56 : 42;
  const picture = svg(width, bars.length * row);
  bars.forEach((bar, i) => {
    const top = i * row + (narrow ? 22 : 6);
    picture.append(
      narrow ? label(0, top - 11, bar.title) : label(left - 10, top + high / 2, bar.title, { "text-anchor": "end" }),
      ...drawBar(bar, left, top, width - left, high),
    );
  });
  return picture;
}

// One row for each group that has a share, with its parts.
function reasonTable(bars: Bar[]): HTMLElement {
  const details = (group: string): string => {
    const names = bars.flatMap((bar) => bar.parts.filter((part) => part.group === group).map((part) => part.name));
    return [...new Set(names)].join(", ");
  };
  const shown = groups.filter((group) => bars.some((bar) => groupSum(bar.parts, group.name) > 0));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "Reasons by group" },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, "Shares of the cycles by group of reasons"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, "cycles go to"),
          ...bars.map((bar) => h("th", { scope: "col", class: "number" }, `${bar.column} %`)),
          h("th", { scope: "col" }, "the warp ..."),
          h("th", { scope: "col" }, "made of"),
        ),
      ),
      h(
        "tbody",
        {},
        ...shown.map((group) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, h("span", { class: `swatch ${group.colour}` }), group.name),
            ...bars.map((bar) => h("td", { class: "number" }, (100 * groupSum(bar.parts, group.name)).toFixed(1))),
            h("td", {}, group.meaning),
            h("td", { class: "muted" }, details(group.name)),
          ),
        ),
      ),
    ),
  );
}

function noteOf(stalls: Map<string, number> | null, isProgram: boolean): string {
  if (isProgram)
    return "All launches of the program together. Choose one of them above to see the profiler's stall reasons beside it.";
  if (stalls === null)
    return "The profile has no stall reasons (ncu --set full collects them), so only the prediction is shown.";
  return "Profiled: the shares of the profiler's stall reasons. Its launch ran alone; the net predicts launches back to back.";
}

// isProgram: the breakdown is that of several launches together.
export function reasonsFigure(
  file: string,
  breakdown: Breakdown,
  stalls: Map<string, number> | null,
  isProgram: boolean,
): HTMLElement | null {
  if (breakdown.schedulers === undefined || breakdown.warps === undefined) return null;
  const bars = barsOf(breakdown, stalls);
  const section = figure(
    {
      title: "Where the cycles go",
      file: `${file}-reasons`,
      draw: (width) => drawBars(bars, width),
      label: bars
        .map((bar) => `${bar.title}: ${bar.parts.map((p) => `${p.name} ${percent(p.share)}`).join(", ")}`)
        .join(". "),
      data: () => ({
        head: ["side", "reason", "group", "share"],
        rows: bars.flatMap((bar) => bar.parts.map((p) => [bar.column, p.name, p.group, p.share])),
      }),
    },
    noteOf(stalls, isProgram),
  );
  section.append(reasonTable(bars));
  return section;
}
