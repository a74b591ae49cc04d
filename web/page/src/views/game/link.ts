// The keys of the token game's address, and what of an address was not understood.

import type { ViewState } from "../../context";
import { keyFaults, quoted } from "../../link_faults";
import type { Source } from "./source";

export const reserved = ["net", "seed", "step", "instances", "find", "empty", "text", "title"];

export function wholeNumber(text: string | null): number | null {
  if (text === null || !/^\d{1,16}$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : null;
}

// `instances` are the instances of the net by name. The net itself is checked where it is opened.
export function faultsOf(state: ViewState, source: Source, instances: readonly string[]): string[] {
  const number = (key: string, instead: number): string[] => {
    const text = state.get(key);
    if (text === null || wholeNumber(text) !== null) return [];
    return [`${key}: found ${quoted(text)}, expected a whole number. ${instead.toLocaleString("en")} is used.`];
  };
  const shown = state.get("instances");
  const isKnown = shown === null || shown === "all" || instances.includes(shown);
  const parameters = source.parameters.filter((p) => !reserved.includes(p.name));
  return [
    ...number("seed", 1),
    ...number("step", 0),
    ...parameters.flatMap((p) => number(p.name, p.value)),
    ...(isKnown ? [] : [`instances: found ${quoted(shown)}, which is no instance of this net. All are folded to one.`]),
    ...keyFaults(state.keys(), [...reserved, ...parameters.map((p) => p.name)], "game"),
  ];
}
