// The launch on two GPUs side by side, and why one is faster.

import type { Context } from "../../context";
import { field, h, select, signed, significant } from "../../dom";
import { ask, type Warning } from "./answers";
import { drawBars, type BarRow } from "./bars";
import { figure } from "./figure";
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
  return field(title, select(session.devices.map((d) => [d.name, d.estimate === null ? d.title : `${d.title} (estimate)`]), value, change));
}

function unitsTable(comparison: Comparison): HTMLElement {
  const head = ["unit", `busy on ${comparison.a.device} %`, `busy on ${comparison.b.device} %`];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Use of units on both GPUs" }, h("table", {},
    h("caption", { class: "unseen" }, "Use of units on both GPUs"),
    h("thead", {}, h("tr", {}, ...head.map((text, i) => h("th", { scope: "col", class: i > 0 ? "number" : null }, text)))),
    h("tbody", {}, ...comparison.units.map((unit) => h("tr", {}, h("th", { scope: "row" }, unit.name),
      ...unit.share.map((share) => h("td", { class: "number" }, (100 * share).toFixed(1))))))));
}

// The sentence of the command names the sides a and b.
function whyText(why: string): string {
  return why.replace(/^(.*? time)\..*$/s, "$1.").replaceAll(/(\d) us\b/g, "$1 µs");
}

function rowsOf(comparison: Comparison): BarRow[] {
  return comparison.reasons.filter((reason) => Math.abs(reason.difference_us) > 1e-6)
    .sort((a, b) => b.difference_us - a.difference_us)
    .map((reason) => ({
      name: reason.name, value: reason.difference_us, text: `${signed(reason.difference_us, 3)} µs`,
      colour: reason.difference_us > 0 ? "f2" : "f3",
      title: `${reason.name}: ${significant(reason.us[0])} µs on ${comparison.a.device}, ${significant(reason.us[1])} µs on ${comparison.b.device}`,
    }));
}

function facts(comparison: Comparison): HTMLElement {
  const side = (which: "a" | "b"): HTMLElement => {
    const { device, time_us, measured_us, nearest_limit } = comparison[which];
    return h("div", { class: "fact" }, h("div", { class: "muted" }, device), h("div", { class: "big" }, time_us === null ? "limit" : `${significant(time_us)} µs`),
      h("div", { class: "muted" }, measured_us === null ? "" : `measured ${significant(measured_us)} µs`), h("div", { class: "limit muted" }, `Nearest limit: ${limitText(nearest_limit)}`));
  };
  return h("div", { class: "facts pair" }, side("a"), side("b"));
}

export async function sideBySide(context: Context, launch: Launch, set: string[], again: () => void): Promise<HTMLElement> {
  const known = (name: string | null, other: string): string => (session.devices.some((d) => d.name === name) ? name! : other);
  const a = known(context.state.get("a"), "h200"), b = known(context.state.get("b"), "h100");
  const control = h("div", { class: "row" },
    deviceSelect("First GPU", a, (value) => { context.state.set({ a: value }); again(); }),
    deviceSelect("Second GPU", b, (value) => { context.state.set({ b: value }); again(); }));
  const args = await argumentsOf(context.engine, launch, "", set);
  const { value, message } = await ask<Comparison>(context.engine, ["compare", args[1]!, ...args.slice(2), "--a", `device=${a}`, "--b", `device=${b}`, "--json"]);
  if (value === null) {
    return h("section", { class: "panel" }, h("h3", {}, "GPUs side by side"), control, h("p", { class: "failure" }, message));
  }
  const rows = rowsOf(value);
  const estimates = session.devices.filter((d) => (d.name === a || d.name === b) && d.estimate !== null);
  const section = figure({
    title: "GPUs side by side", file: `${launch.key.replaceAll("/", "-")}-${a}-${b}`, label: value.why,
    draw: (width) => drawBars(rows, width, 110),
    data: () => ({
      head: ["kind", "name", `${a}_us`, `${b}_us`, "difference_us"],
      rows: [["time", "predicted", value.a.time_us, value.b.time_us, (value.b.time_us ?? NaN) - (value.a.time_us ?? NaN)],
        ...value.reasons.map((r) => ["reason", r.name, r.us[0], r.us[1], r.difference_us])],
    }),
  }, control, facts(value),
  h("p", {}, whyText(value.why.replaceAll(/\ba takes/g, `${value.a.device} takes`).replaceAll(/\bb takes/g, `${value.b.device} takes`))),
  ...estimates.map((d) => `${d.title} is an estimate: ${d.estimate}.`),
  h("p", { class: "muted" }, `Time that ${value.b.device} spends more (to the right) or less than ${value.a.device}, by what the cycles go to:`));
  section.append(unitsTable(value));
  return section;
}
