// The launch on two GPUs side by side, and why one is faster.

import type { Context } from "../../context";
import { field, h, select, signed, significant, table } from "../../dom";
import { ask, type Warning } from "./answers";
import { drawBars, type BarRow } from "./bars";
import { figure, scrolling } from "./figure";
import { argumentsOf, session, type Launch } from "./session";
import { limitText } from "./units";

interface Side {
  device: string;
  time_us: number | null;
  measured_us: number | null;
  nearest_limit: string;
  warnings: Warning[];
}

interface Difference {
  name: string;
  us: [number, number];
  difference_us: number;
}

interface Comparison {
  a: Side;
  b: Side;
  faster: string;
  why: string;
  reasons: Difference[];
  units: { name: string; share: [number, number] }[];
}

function deviceSelect(title: string, value: string, change: (value: string) => void): HTMLElement {
  return field(
    title,
    select(
      session.devices.map((d) => [d.name, d.estimate === null ? d.title : `${d.title} (estimate)`]),
      value,
      change,
    ),
  );
}

function unitsTable(comparison: Comparison): HTMLElement {
  const name = "Use of units on both GPUs";
  const head = ["unit", `busy on ${comparison.a.device} %`, `busy on ${comparison.b.device} %`];
  const rows = comparison.units.map((unit) => [unit.name, ...unit.share.map((share) => (100 * share).toFixed(1))]);
  return scrolling(name, table(name, head, rows, [false, true, true]));
}

// The first sentences of the command's answer, up to the causes and limits, which are shown below. It
// names the sides a and b.
function whyText({ a, b, why }: Comparison): string {
  const named = (side: string): string => (side === "a" ? a.device : b.device);
  return why
    .replace(/ (Against [ab],|Nearest limit of a:).*$/s, "")
    .replaceAll(/(^|[ :,]|Side )([ab])(?= (?:takes|reached|ended)\b)/g, (_, before: string, side: string) =>
      (before === "Side " ? "" : before) + named(side))
    .replaceAll(/(\d) us\b/g, "$1 µs");
}

function rowsOf(comparison: Comparison): BarRow[] {
  return comparison.reasons
    .filter((reason) => Math.abs(reason.difference_us) > 1e-6)
    .sort((a, b) => b.difference_us - a.difference_us)
    .map((reason) => ({
      name: reason.name,
      value: reason.difference_us,
      text: `${signed(reason.difference_us, 3)} µs`,
      colour: reason.difference_us > 0 ? "f2" : "f3",
      title:
        `${reason.name}: ${significant(reason.us[0])} µs on ${comparison.a.device}, ` +
        `${significant(reason.us[1])} µs on ${comparison.b.device}`,
    }));
}

function facts(comparison: Comparison): HTMLElement {
  const side = (which: "a" | "b"): HTMLElement => {
    const { device, time_us, measured_us, nearest_limit } = comparison[which];
    return h(
      "div",
      { class: "fact" },
      h("div", { class: "muted" }, device),
      h("div", { class: "big" }, time_us === null ? "limit" : `${significant(time_us)} µs`),
      h("div", { class: "muted" }, measured_us === null ? "" : `measured ${significant(measured_us)} µs`),
      h("div", { class: "limit muted" }, `Nearest limit: ${limitText(nearest_limit)}`),
    );
  };
  return h("div", { class: "facts pair" }, side("a"), side("b"));
}

function drawn(launch: Launch, a: string, b: string, comparison: Comparison, control: HTMLElement): HTMLElement {
  const rows = rowsOf(comparison);
  const times = [comparison.a.time_us, comparison.b.time_us] as const;
  const estimates = session.devices.filter((d) => (d.name === a || d.name === b) && d.estimate !== null);
  const more = `Time that ${comparison.b.device} spends more (to the right) or less than ${comparison.a.device}`;
  const section = figure(
    {
      title: "GPUs side by side",
      file: `${launch.key.replaceAll("/", "-")}-${a}-${b}`,
      label: whyText(comparison),
      draw: (width) => drawBars(rows, width, 110),
      data: () => ({
        head: ["kind", "name", `${a}_us`, `${b}_us`, "difference_us"],
        rows: [
          ["time", "predicted", ...times, (times[1] ?? NaN) - (times[0] ?? NaN)],
          ...comparison.reasons.map((r) => ["reason", r.name, r.us[0], r.us[1], r.difference_us]),
        ],
      }),
    },
    control,
    facts(comparison),
    h("p", {}, whyText(comparison)),
    ...estimates.map((d) => `${d.title} is an estimate: ${d.estimate}.`),
    `${more}, by what the cycles go to:`,
  );
  section.append(unitsTable(comparison));
  return section;
}

export async function sideBySide(
  context: Context,
  launch: Launch,
  set: string[],
  again: () => void,
): Promise<HTMLElement> {
  const chosen = (key: string, other: string): string => {
    const name = context.state.get(key);
    return session.devices.some((d) => d.name === name) ? name! : other;
  };
  const choice = (title: string, key: string, value: string): HTMLElement =>
    deviceSelect(title, value, (next) => {
      context.state.set({ [key]: next });
      again();
    });
  const a = chosen("a", "h200");
  const b = chosen("b", "h100");
  const control = h("div", { class: "row" }, choice("First GPU", "a", a), choice("Second GPU", "b", b));
  const [, path, ...common] = await argumentsOf(context.engine, launch, "", set);
  const sides = ["--a", `device=${a}`, "--b", `device=${b}`];
  const { value, message } = await ask<Comparison>(context.engine, ["compare", path!, ...common, ...sides, "--json"]);
  if (value !== null) return drawn(launch, a, b, value, control);
  const failure = h("p", { class: "failure" }, message);
  return h("section", { class: "panel" }, h("h3", {}, "GPUs side by side"), control, failure);
}
