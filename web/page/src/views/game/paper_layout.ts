// The paper's net, placed by hand: a warp selects an instruction (left), is scheduled (top middle)
// and executes it (right), one row for each kind of instruction. The arcs back to the places p0, p2
// and p3 share lanes at the right and above.

import type { FoldedNet, GroupEdge } from "./net";
import type { Layout, Point, Side } from "./layout";

const unit_x = 104;
const unit_y = 92;

type Spot = [x: number, y: number, caption: string, side?: Side];

const spots: Record<string, Spot> = {
  "p:p0": [4.4, -1.3, "free schedulers", "above"], "p:p1": [0.1, 0.75, "not ended", "above"],
  "p:p2": [2.9, -1.3, "ready"], "p:p3": [1.2, 0, "may select", "right"],
  "p:p4": [2.9, 0, "selected", "left"], "p:p11": [4.4, 0, "has a scheduler", "right"],
  "p:p5": [1.05, 1, "arithmetic left"], "p:p7": [1.05, 2, "shared left"], "p:p9": [1.05, 4.05, "global left"],
  "p:p6": [3.35, 1, "arithmetic"], "p:p8": [3.35, 2, "shared"], "p:p10": [3.35, 4.05, "global"],
  "p:p17": [6, 1, "executed", "above"],
  "p:p15": [6, 2, "steps to pass", "above"], "p:p18": [6.85, 2.8, "steps passed"], "p:p14": [8.1, 2, "data there"],
  "p:p12": [6, 4.05, "steps to pass", "above"], "p:p16": [6.85, 4.85, "steps passed"], "p:p13": [8.1, 4.05, "data there"],
  "t:t0": [3.65, -1.3, "wait"], "t:t1": [3.65, 0, "schedule"], "t:t16": [0.1, 2, "warp ends"],
  "t:t2": [2.05, 1, "select"], "t:t3": [2.05, 2, "select"], "t:t4": [2.05, 4.05, "select"],
  "t:t7": [5.1, 1, "execute"], "t:t6": [5.1, 2, "begin"], "t:t5": [5.1, 4.05, "issue"],
  "t:t17": [6, 2.8, "one step"], "t:t12": [7.4, 2, "arrives", "above"],
  "t:t8": [6, 4.85, "one step"], "t:t9": [7.4, 4.05, "arrives", "above"],
  "t:t15": [8.8, 1, "go on"], "t:t14": [8.8, 2, "go on"], "t:t11": [8.8, 4.05, "go on"],
};

const lanes: { right: number; points: Point[]; to: string }[] = [
  { to: "p:p0", right: 9.25, points: [[9.25, -1.3]] },
  { to: "p:p2", right: 9.42, points: [[9.42, -1.92], [2.9, -1.92]] },
  { to: "p:p3", right: 9.59, points: [[9.59, -2.12], [1.2, -2.12]] },
];

const detours: Record<string, Point[]> = {
  "t:t5>p:p0": [[5.55, 3.7], [5.55, -1.3]],
  "p:p2>t:t16": [[-0.27, -1.3], [-0.27, 2]],
  "p:p3>t:t16": [[0.44, 0], [0.44, 1.45]],
  "p:p18>t:t12": [[7.4, 2.8]],
  "p:p16>t:t9": [[7.4, 4.85]],
};

const scaled = ([x, y]: Point): Point => [x * unit_x, y * unit_y];

function routeOf(edge: GroupEdge): Point[] {
  const [from, to] = edge.kind === "output" ? [edge.transition.key, edge.place.key] : [edge.place.key, edge.transition.key];
  const detour = detours[`${from}>${to}`];
  if (edge.kind !== "inhibitor" && detour !== undefined) return detour.map(scaled);
  const lane = lanes.find((l) => l.to === to);
  if (lane === undefined || !["t:t11", "t:t14", "t:t15"].includes(from)) return [];
  const begin: Point = [lane.right, spots[from]![1]];
  return [begin, ...lane.points].map(scaled);
}

// Only for a net with the places and transitions of the paper's, all of them.
export function paperLayout(net: FoldedNet): Layout | null {
  if (net.groups.length !== Object.keys(spots).length) return null;
  if (!net.groups.every((group) => Object.hasOwn(spots, group.key))) return null;
  return {
    at: new Map(net.groups.map((group) => [group.key, scaled([spots[group.key]![0], spots[group.key]![1]])])),
    route: routeOf,
    left: -0.42 * unit_x, top: -2.2 * unit_y, width: 10.15 * unit_x, height: 7.75 * unit_y,
    labels: new Map(net.groups.map((group) => [group.key, { caption: spots[group.key]![2], side: spots[group.key]![3] ?? "below" }])),
  };
}
