// What of the kernels' address was not understood, and what is used instead.

import type { ViewState } from "../../context";
import { choiceFault, keyFaults, quoted } from "../../link_faults";
import { sizesAreValid } from "./block_sizes";
import { orderOf } from "./rows";
import { session } from "./session";
import { partOf, windowOf } from "./timeline";

const keys = [
  "from", "device", "beside", "a", "b", "sort", "filter", "model", "launch", "set", "part", "cycles", "blocks",
];

export const isSetting = (text: string): boolean => /^[A-Za-z_]\w*=\d+$/.test(text);

// The settings of the key "set", without the parts that are ignored.
export const settingsOf = (state: ViewState): string[] => (state.get("set") ?? "").split(" ").filter(isSetting);

// `launches`: how many the shown program has; null while that is not known.
export function faultsOf(state: ViewState, launches: number | null): string[] {
  const gpus = session.devices.map((device) => device.name);
  const gpu = (key: string, instead: string): string | null => choiceFault(key, state.get(key), gpus, instead);
  const text = (key: string, isGood: (value: string) => boolean, expected: string, instead: string): string | null => {
    const value = state.get(key);
    return value === null || isGood(value) ? null : `${key}: found ${quoted(value)}, expected ${expected}. ${instead}`;
  };
  const all = launches ?? 0;
  return [
    choiceFault("from", state.get("from"), ["shipped", "files"], "It is ignored."),
    gpu("device", "The profiled GPU is used."),
    gpu("beside", "No second GPU is shown."),
    gpu("a", "The GPU h200 is used."),
    gpu("b", "The GPU h100 is used."),
    text("sort", (value) => orderOf(value) !== null, "the name of a column", "The rows keep their order."),
    text("set", (value) => value.split(" ").every(isSetting), "AXIS=NUMBER", "Other parts are ignored."),
    text("cycles", (value) => windowOf(value) !== null, "FIRST-LAST, at most 10,000 cycles", "1,000 cycles are shown."),
    text("blocks", sizesAreValid, "up to 64 numbers from 1 to 1024", "Other parts are ignored."),
    all === 0
      ? null
      : text("part", (value) => all === 1 || partOf(value, all) !== null, `a launch from 1 to ${all}`, "All launches are shown."),
    ...keyFaults(state.keys(), keys, "kernels"),
  ].filter((fault) => fault !== null);
}
