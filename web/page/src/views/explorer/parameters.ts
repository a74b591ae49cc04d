// The parameters of the paper's net: their ranges, the address, the counts of recorded kernels.

import type { ExploreRequest, PaperNet } from "../../../../engine/engine";
import type { ViewState } from "../../context";
import type { Engine } from "../../engine_client";
import { choiceFault, keyFaults, quoted } from "../../link_faults";

export const keys = ["W", "S", "l1", "l2", "xa", "xs", "xg", "seed"] as const;
export type Key = (typeof keys)[number];

export interface Parameters extends Record<Key, number> {
  net: PaperNet;
}

export interface Range {
  label: string;
  hint: string;
  min: number;
  max: number; // of the field; the law takes it
  slider: number; // the slider ends here
  preset: number;
}

// Limits are those of the net template `wpnm`.
export const ranges: Record<Key, Range> = {
  W: { label: "W, warps", hint: "warps that run on the multiprocessor", min: 1, max: 65536, slider: 64, preset: 16 },
  S: { label: "S, schedulers", hint: "warps that can work in the same step", min: 1, max: 65536, slider: 8, preset: 4 },
  l1: { label: "l1, global latency (steps)", hint: "steps that a warp waits for a global access", min: 0, max: 1000000, slider: 400, preset: 20 },
  l2: { label: "l2, shared latency (steps)", hint: "steps that a warp waits for a shared access", min: 0, max: 1000000, slider: 40, preset: 2 },
  xa: { label: "xa, arithmetic", hint: "arithmetic instructions of a warp", min: 0, max: 1000000, slider: 200, preset: 24 },
  xs: { label: "xs, shared", hint: "shared memory accesses of a warp", min: 0, max: 1000000, slider: 50, preset: 6 },
  xg: { label: "xg, global", hint: "global memory accesses of a warp", min: 0, max: 1000000, slider: 50, preset: 4 },
  seed: { label: "seed", hint: "conflicts are settled by random draws of this seed", min: 1, max: 1000000000, slider: 100, preset: 1 },
};

export function presets(): Parameters {
  const values = Object.fromEntries(keys.map((key) => [key, ranges[key].preset]));
  return { net: "wpnm", ...(values as Record<Key, number>) };
}

// A number of the range, or what is wrong with the text.
export function parsed(key: Key, text: string): number | string {
  const { label, min, max } = ranges[key];
  const value = Number(text.trim());
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  return `${label}: found ${quoted(text)}, expected an integer from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
}

export function read(get: (key: string) => string | null): Parameters {
  const values = presets();
  if (get("net") === "wpnm_literal") values.net = "wpnm_literal";
  for (const key of keys) {
    const value = parsed(key, get(key) ?? "");
    if (typeof value === "number") values[key] = value;
  }
  return values;
}

// Where the axes of the surface end.
export function endsOf(state: ViewState): { l1: number; l2: number } {
  const end = (key: "l1" | "l2", preset: number): number => {
    const value = parsed(key, state.get(`${key}end`) ?? "");
    return typeof value === "number" && value > 0 ? value : preset;
  };
  return { l1: end("l1", 400), l2: end("l2", 40) };
}

const nets: PaperNet[] = ["wpnm", "wpnm_literal"];
const viewKeys = ["net", ...keys, "l1end", "l2end", "surface", "base"];

function baselineFault(text: string | null): string | null {
  const base = unpacked(text);
  if (text === null || (base !== null && packed(base) === text)) return null;
  return `base: found ${quoted(text)}, expected the net and ${keys.length} numbers of a baseline. ` +
    (base === null ? "There is no baseline." : "Standard values take the place of those that were not understood.");
}

// What of the address was not understood, and what is used instead. `models` have a surface.
export function faultsOf(state: ViewState, models: readonly string[]): string[] {
  const number = (key: Key, from: string, instead: string): string | null => {
    const text = state.get(from);
    const value = text === null ? 1 : parsed(key, text);
    if (typeof value === "string") return `${from}: ${value.slice(value.indexOf("found"))}. ${instead} is used.`;
    return from !== key && value === 0 ? `${from}: found 0, expected at least 1. ${instead} is used.` : null;
  };
  return [
    choiceFault("net", state.get("net"), nets, "The net wpnm is used."),
    ...keys.map((key) => number(key, key, String(ranges[key].preset))),
    number("l1", "l1end", "400"),
    number("l2", "l2end", "40"),
    choiceFault("surface", state.get("surface"), models, "The surface shows steps."),
    baselineFault(state.get("base")),
    ...keyFaults(state.keys(), viewKeys, "explorer"),
  ].filter((fault) => fault !== null);
}

export const describe = ({ net, W, S, l1, l2, xa, xs, xg, seed }: Parameters): string =>
  `${net}, W = ${W}, S = ${S}, l1 = ${l1}, l2 = ${l2}, xa = ${xa}, xs = ${xs}, xg = ${xg}, seed ${seed}`;

export function write(state: ViewState, p: Parameters): void {
  const standard = presets();
  const entries = keys.map((key) => [key, p[key] === standard[key] ? null : String(p[key])]);
  state.set({ ...Object.fromEntries(entries), net: p.net === "wpnm" ? null : p.net });
}

// A baseline as one value of the address: "wpnm,16,4,...".
export function packed(p: Parameters): string {
  return [p.net, ...keys.map((key) => p[key])].join(",");
}

export function unpacked(text: string | null): Parameters | null {
  const parts = (text ?? "").split(",");
  if (parts.length !== keys.length + 1) return null;
  const named = new Map<string, string>([["net", parts[0]!], ...keys.map((key, i): [string, string] => [key, parts[i + 1]!])]);
  return read((key) => named.get(key) ?? null);
}

export function request(p: Parameters): ExploreRequest {
  return { ...p };
}

export const same = (a: Parameters, b: Parameters): boolean => packed(a) === packed(b);

// The counts of one kernel: its most frequent kind of warp.
export interface KernelCounts {
  model: string; // of the program that launches it
  kernel: string;
  warps: number; // on one multiprocessor
  xa: number;
  xs: number;
  xg: number;
}

const integer = (text: string): number => Number(text.replaceAll(",", ""));

// Reads what `pnsim show MODEL` prints: the line of each kind of warp, and the launches.
export async function countsOf(engine: Engine, model: string): Promise<KernelCounts[]> {
  const { code, stdout, stderr } = await engine.run(["show", model, "-q"]);
  if (code !== 0) throw new Error(stderr.trim());
  const most = new Map<string, { times: number; counts: KernelCounts }>();
  for (const line of stdout.split("\n")) {
    const m = /^kind \d+ of (\S+): ([\d,]+) warps, each ([\d,]+) arithmetic \+ ([\d,]+) shared \+ ([\d,]+) global/.exec(line);
    if (m === null) continue;
    const times = integer(m[2]!);
    if (times <= (most.get(m[1]!)?.times ?? 0)) continue;
    most.set(m[1]!, { times, counts: { model, kernel: m[1]!, warps: 0, xa: integer(m[3]!), xs: integer(m[4]!), xg: integer(m[5]!) } });
  }
  const kernels = [...most.values()].map(({ counts }) => counts);
  const table = await engine.run(["--model", model, "--net", "wpnm", "-q"]);
  for (const counts of kernels) counts.warps = warpsOf(table.stdout, counts.kernel);
  return kernels.filter((counts) => counts.warps > 0);
}

// The warps on one multiprocessor, from the table of `pnsim --model MODEL --net wpnm`.
function warpsOf(text: string, kernel: string): number {
  const lines = text.split("\n");
  const head = lines.find((line) => /^\s*launch\s+repeat/.test(line))?.trim().split(/\s+/) ?? [];
  const cells = lines.find((line) => line.trim().startsWith(`${kernel} `))?.trim().split(/\s+/) ?? [];
  return Number(cells[head.indexOf("warps")] ?? 0);
}
