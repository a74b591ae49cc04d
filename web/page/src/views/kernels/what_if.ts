// What would help: the launch predicted again with one change each, the best first.

import type { Context } from "../../context";
import { h, signed, significant } from "../../dom";
import { ask } from "./answers";
import { drawBars, type BarRow } from "./bars";
import { figure } from "./figure";
import { argumentsOf, type Launch } from "./session";

interface WhatIf {
  what: string;
  time_us: number | null;
  change_percent: number | null;
  half_width_95: number | null;
  replicas: number;
  told: string; // "change", "no change", "noise" or "one replica"
}

interface Sensitivity {
  time_us: number | null;
  what_if: WhatIf[];
}

const timeText = (time_us: number | null): string => (time_us === null ? "no time" : `${significant(time_us)} µs`);

function rowOf(change: WhatIf): BarRow {
  const { what, time_us, change_percent, half_width_95, told } = change;
  const isTold = told === "change";
  const text =
    change_percent === null ? "no time" : `${signed(change_percent)} ± ${significant(half_width_95 ?? 0, 2)} %${told === "noise" ? ", noise" : ""}`;
  return {
    name: what,
    value: change_percent,
    error: half_width_95 ?? undefined,
    text,
    colour: !isTold ? "f8" : (change_percent ?? 0) <= 0 ? "f3" : "f2",
    title: `${what}: ${timeText(time_us)}, ${text}, ${change.replicas} replicas, ${told}`,
  };
}

// A change that takes a cost away, and is no other shape of the launch ("tile = 32").
const isRelief = ({ what }: WhatIf): boolean => !what.includes(" = ");

// What is known where more of a resource makes the launch longer.
export function anomalyNote(rows: WhatIf[]): string | null {
  const longer = rows.filter((row) => isRelief(row) && row.told === "change" && (row.change_percent ?? 0) > 0);
  if (longer.length === 0) return null;
  const list = longer.map((row) => `${row.what} (${signed(row.change_percent!)} %)`).join(", ");
  return (
    `Longer although a cost is taken away: ${list}. The replicas tell this from chance, but pnsim does not know the cause. ` +
    "It can be a scheduling anomaly: warps reach the next unit in another order, where arbitration is random, " +
    "and the busiest SM ends later. It can also be a rule of the model that does not fit the changed launch. " +
    "Do not expect it of a GPU."
  );
}

export async function whatIfs(context: Context, launch: Launch, device: string, set: string[]): Promise<HTMLElement> {
  const args = await argumentsOf(context.engine, launch, device, set);
  const { value, message } = await ask<Sensitivity>(context.engine, ["sensitivity", ...args, "--net", "sm", "--json"]);
  if (value === null || value.what_if === undefined) {
    return h(
      "section",
      { class: "panel" },
      h("h3", {}, "What would help"),
      h("p", { class: "failure" }, message || "The command gives no what-ifs for this net."),
    );
  }
  const rows = value.what_if;
  const best = rows.find((row) => row.told === "change" && (row.change_percent ?? 0) < 0);
  return figure(
    {
      title: "What would help",
      file: `${launch.key.replaceAll("/", "-")}-what-if`,
      label: rows
        .map((row) => `${row.what}: ${row.change_percent === null ? "no time" : `${signed(row.change_percent)} %`}`)
        .join(", "),
      draw: (width) => drawBars(rows.map(rowOf), width),
      data: () => ({
        head: ["what", "time_us", "change_percent", "half_width_95", "replicas", "told"],
        rows: rows.map((row) => [row.what, row.time_us, row.change_percent, row.half_width_95, row.replicas, row.told]),
      }),
    },
    best === undefined
      ? "No change makes the launch shorter."
      : `First: ${best.what}, ${significant(best.time_us ?? NaN)} µs instead of ${significant(value.time_us ?? NaN)} µs.`,
    anomalyNote(rows),
    "Change of the predicted time, each change alone; ± is half of the 95 % interval. " +
      "Grey: no change, or within the noise of random arbitration.",
  );
}
