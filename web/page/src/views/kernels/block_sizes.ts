// The predicted time by block size: recorded points and what-ifs.

import type { Context } from "../../context";
import { button, field, h, signed, significant } from "../../dom";
import { ask, type Warning } from "./answers";
import { drawBars, type BarRow } from "./bars";
import { figure } from "./figure";
import { fixedTile, modelFile } from "./model_file";
import { argumentsOf, type Launch } from "./session";

interface Configuration {
  configuration: string; // "block=128"
  time_us: number | null;
  outcome: string;
  measured_us: number | null;
  how_sure: string;
  warnings: Warning[];
}

interface Ranking {
  configurations: Configuration[];
  not_predicted?: { configuration: string; why: string }[];
}

interface Ranked {
  configurations: Configuration[];
  refused: [size: number, why: string][];
  message: string | null; // no size was predicted
}

const usual = [32, 64, 128, 256, 512, 1024];

const mostSizes = 64;
const isSize = (n: number): boolean => Number.isInteger(n) && n >= 1 && n <= 1024;

export function sizesAreValid(text: string): boolean {
  const sizes = text.split(",").map((size) => (size.trim() === "" ? NaN : Number(size)));
  return sizes.length <= mostSizes && sizes.every(isSize);
}

export function sizesOf(text: string | null, own: number): number[] {
  const asked = (text ?? "")
    .split(",")
    .map((size) => Number(size.trim()))
    .filter(isSize);
  const sizes = asked.length > 0 ? asked.slice(0, mostSizes) : [...usual, own];
  return [...new Set(sizes)].sort((a, b) => a - b);
}

const sizeOf = (c: { configuration: string }): number => Number(c.configuration.slice(c.configuration.indexOf("=") + 1));

// A size that does not fit on the SM ends the command: it is asked again without it.
async function rank(context: Context, args: string[], sizes: number[]): Promise<Ranked> {
  const refused: Ranked["refused"] = [];
  let left = sizes;
  while (left.length > 0) {
    // `rank` refuses a single configuration.
    if (left.length === 1)
      return {
        configurations: [],
        refused,
        message: `Only the block size ${left[0]} can be predicted; a ranking needs two.`,
      };
    const { value, message } = await ask<Ranking>(context.engine, [
      "rank",
      ...args,
      "--axis",
      `block=[${left.join(",")}]`,
      "--json",
    ]);
    if (value !== null) {
      for (const one of value.not_predicted ?? []) refused.push([sizeOf(one), one.why]);
      return { configurations: value.configurations, refused, message: null };
    }
    const recorded = /are block=\[([\d,]+)\]/.exec(message)?.[1]?.split(",").map(Number);
    const tooLarge = Number(/a block of (\d+) threads .* does not fit/.exec(message)?.[1]);
    let next = left;
    if (left.includes(tooLarge)) next = left.filter((size) => size !== tooLarge);
    else if (recorded !== undefined) next = left.filter((size) => recorded.includes(size));
    if (next.length === left.length) return { configurations: [], refused, message };
    for (const size of left) if (!next.includes(size)) refused.push([size, message]);
    left = next;
  }
  return { configurations: [], refused, message: refused[0]?.[1] ?? "No block size was given." };
}

// `isFixed`: other sizes than the recorded ones can hardly be launched, so none is named the shortest.
function rowsOf(configurations: Configuration[], isFixed: boolean): BarRow[] {
  const best = isFixed ? null : Math.min(...configurations.map((c) => c.time_us ?? Infinity));
  const against = (time_us: number): string => {
    if (best === null) return "";
    return time_us === best ? ", shortest" : `, ${signed(100 * (time_us / best - 1))} %`;
  };
  return [...configurations]
    .sort((a, b) => sizeOf(a) - sizeOf(b))
    .map((c) => ({
      name: `${c.configuration.replace("=", " = ")}${c.how_sure === "recorded" ? "" : " (what-if)"}`,
      value: c.time_us,
      mark: c.measured_us ?? undefined,
      colour: c.time_us === best ? "f3" : c.how_sure === "recorded" ? "f1" : "f6",
      text:
        c.time_us === null
          ? c.outcome
          : `${significant(c.time_us)} µs${against(c.time_us)}`,
      title:
        `${c.configuration}: ${c.time_us === null ? c.outcome : `${significant(c.time_us)} µs`}, ${c.how_sure}` +
        (c.measured_us === null ? "" : `, measured ${significant(c.measured_us)} µs`),
    }));
}

function notesOf(ranked: Ranked, tile: string | null): (Node | string | null)[] {
  const known = ["recorded", "profiled"];
  const sure = [...new Set(ranked.configurations.map((c) => c.how_sure).filter((text) => !known.includes(text)))];
  const isMeasured = ranked.configurations.some((c) => c.measured_us !== null);
  return [
    sure.length === 0
      ? null
      : `Light bars rest on: ${sure.join("; ")}. They keep the number of threads; ` +
        "a loop over the grid, or rounds within a block, would change the work. " +
        "They assume that the source works with any block size.",
    tile === null || sure.length === 0 ? null : `${fixedText(tile)} So no what-if is named the shortest.`,
    isMeasured ? "Vertical lines: measured times." : null,
    ranked.refused.length === 0
      ? null
      : h(
          "details",
          {},
          h("summary", {}, `Not predicted: ${ranked.refused.map(([size]) => size).join(", ")}`),
          h("pre", {}, [...new Set(ranked.refused.map(([, why]) => why))].join("\n")),
        ),
  ];
}

const fixedText = (tile: string): string =>
  `This kernel has ${tile}: its source very likely fixes the tile of a block, and other block sizes cannot be launched.`;

// In place of the ranking, where other block sizes can hardly be launched.
function notOffered(context: Context, tile: string, own: number, again: () => void): HTMLElement {
  return h(
    "section",
    { class: "panel" },
    h("h3", {}, "Block sizes"),
    h("p", {}, `${fixedText(tile)} So other sizes are not predicted.`),
    button("Predict them all the same", () => {
      context.state.set({ blocks: sizesOf(null, own).join(",") });
      again();
    }),
  );
}

export async function blockSizes(
  context: Context,
  launch: Launch,
  device: string,
  set: string[],
  own: number,
  again: () => void,
): Promise<HTMLElement> {
  const model = await modelFile(context.engine, launch);
  const tile = model === null ? null : fixedTile(model);
  if (tile !== null && context.state.get("blocks") === null) return notOffered(context, tile, own, again);
  const sizes = sizesOf(context.state.get("blocks"), own);
  const input = h("input", { type: "text", value: sizes.join(", "), size: 34, inputmode: "numeric" });
  input.addEventListener("change", () => {
    context.state.set({ blocks: input.value.trim() === "" ? null : sizesOf(input.value, own).join(",") });
    again();
  });
  const control = h(
    "div",
    { class: "row" },
    field("Block sizes (threads)", input, "Up to 64 sizes of 1 to 1024 threads"),
  );
  const args = await argumentsOf(
    context.engine,
    launch,
    device,
    set.filter((s) => !s.startsWith("block=")),
  );
  const ranked = await rank(context, args, sizes);
  if (ranked.message !== null) {
    return h(
      "section",
      { class: "panel" },
      h("h3", {}, "Block sizes"),
      control,
      h("p", { class: "failure" }, ranked.message),
    );
  }
  const rows = rowsOf(ranked.configurations, tile !== null);
  return figure(
    {
      title: "Block sizes",
      file: `${launch.key.replaceAll("/", "-")}-blocks`,
      label: rows.map((row) => row.title).join("; "),
      draw: (width) => drawBars(rows, width),
      data: () => ({
        head: ["configuration", "time_us", "measured_us", "how_sure", "outcome"],
        rows: ranked.configurations.map((c) => [c.configuration, c.time_us, c.measured_us, c.how_sure, c.outcome]),
      }),
    },
    ...notesOf(ranked, tile),
    control,
  );
}
