// The net's reasons and the profiler's stall reasons in common groups: those of docs/cycles.md.

import type { Shares } from "./answers";

export interface Group {
  name: string;
  colour: string; // class of the fill
  net: string[];
  profiler: string[];
  meaning: string;
}

export const groups: Group[] = [
  { name: "issued", colour: "f3", net: ["issued"], profiler: ["selected"], meaning: "issues an instruction" },
  {
    name: "not selected",
    colour: "f6",
    net: ["not selected"],
    profiler: ["not_selected"],
    meaning: "could issue, but another warp does",
  },
  {
    name: "pipes",
    colour: "f5",
    net: ["pipes", "tensor cores"],
    profiler: ["math_pipe_throttle", "dispatch_stall"],
    meaning: "waits for a pipe that is slower than one instruction a cycle",
  },
  {
    name: "dependence",
    colour: "f4",
    net: ["dependence"],
    profiler: ["wait", "branch_resolving", "imc_miss", "membar", "no_instruction"],
    meaning: "waits for arithmetic, a branch, a constant, a fence or code",
  },
  {
    name: "shared",
    colour: "f2",
    net: ["shared", "shared port", "constants"],
    profiler: ["short_scoreboard", "mio_throttle"],
    meaning: "waits for shared memory, loads of constants, special functions or shuffles",
  },
  {
    name: "loads",
    colour: "f1",
    net: [
      "L1 port",
      "L1 latency",
      "L2 latency",
      "DRAM latency",
      "L2 bandwidth",
      "DRAM bandwidth",
      "atomics",
      "loads",
      "bandwidth",
    ],
    profiler: ["long_scoreboard", "lg_throttle", "tex_throttle"],
    meaning: "waits for global memory",
  },
  {
    name: "barrier",
    colour: "f7",
    net: ["barrier"],
    profiler: ["barrier"],
    meaning: "waits for other warps at a barrier",
  },
  {
    name: "not in the net",
    colour: "f8",
    net: [],
    profiler: ["drain", "sleeping", "misc", "warpgroup_arrive"],
    meaning: "drains stores or sleeps: the net does not model these",
  },
  {
    name: "no warp",
    colour: "f0",
    net: ["launch", "dispatch", "empty"],
    profiler: [],
    meaning: "the scheduler has no warp: before the first block, between blocks, and at the end",
  },
];

export interface Part {
  name: string;
  share: number;
  colour: string;
  group: string;
}

// The parts of one bar in the order of the groups. A name that no group has comes last.
export function partsOf(shares: Shares, side: "net" | "profiler"): Part[] {
  const parts: Part[] = [];
  const seen = new Set<string>();
  const add = (name: string, colour: string, group: string): void => {
    const share = shares[name];
    seen.add(name);
    if (share !== undefined && share > 0) parts.push({ name, share, colour, group });
  };
  for (const group of groups) for (const name of group[side]) add(name, group.colour, group.name);
  for (const name of Object.keys(shares)) if (!seen.has(name)) add(name, "f8", "not in the net");
  return parts;
}

export function groupSum(parts: Part[], group: string): number {
  return parts.filter((part) => part.group === group).reduce((sum, part) => sum + part.share, 0);
}
