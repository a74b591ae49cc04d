// Where the nodes of the folded net lie, and by which points its arcs run.

import type { FoldedNet, GroupEdge } from "./net";
import { layered } from "./layered";
import { paperLayout } from "./paper_layout";

export type Point = [x: number, y: number];

// Where a node's name stands.
export type Side = "below" | "above" | "left" | "right";

export interface Label {
  caption: string; // two or three words after the name
  side: Side;
}

export interface Layout {
  at: Map<string, Point>; // by the key of the group
  // The points between the ends of an arc, in its direction (place to transition for an inhibitor).
  route(edge: GroupEdge): Point[];
  left: number;
  top: number;
  width: number;
  height: number;
  labels: Map<string, Label>; // by key; without one the name stands below
}

// The size of nodes in the units of the drawing.
export const radius = 19;
export const bar = { width: 14, height: 44 };

export function layoutOf(net: FoldedNet): Layout {
  return paperLayout(net) ?? layered(net);
}
