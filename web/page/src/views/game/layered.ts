// A layered layout of any net: arcs run from left to right where they can. A place and a transition
// that are joined both ways count as one edge, in the direction in which tokens are gained.
//   1. break cycles   2. layers by the longest path   3. order within layers   4. heights

import type { FoldedNet, Group, GroupEdge } from "./net";
import type { Layout, Point } from "./layout";
import { crossingOrder, heights } from "./order";

const layer_width = 118;
const row_height = 92;

interface Link {
  from: number;
  to: number;
  isReversed: boolean; // it was turned around to break a cycle
  pair: string;
}

const pairOf = (edge: GroupEdge): string => JSON.stringify([edge.place.key, edge.transition.key]);

// Weight that the arcs of an edge move, of its first transition.
function moved(net: FoldedNet, edge: GroupEdge): number {
  const places = new Set(edge.place.members);
  const transition = net.opened.transitions[edge.transition.members[0]!]!;
  const arcs = edge.kind === "input" ? transition.inputs : transition.outputs;
  return arcs.reduce((sum, [place, weight]) => sum + (places.has(place) ? weight : 0), 0);
}

function linksOf(net: FoldedNet, edges: GroupEdge[], index: Map<string, number>): Link[] {
  const gains = new Map<string, number>(); // tokens the place gains
  for (const edge of edges) {
    const sign = edge.kind === "output" ? 1 : edge.kind === "input" ? -1 : 0;
    gains.set(pairOf(edge), (gains.get(pairOf(edge)) ?? 0) + sign * (sign === 0 ? 0 : moved(net, edge)));
  }
  const links: Link[] = [];
  for (const [pair, gain] of gains) {
    const [place, transition] = (JSON.parse(pair) as [string, string]).map((key) => index.get(key)!) as [number, number];
    links.push(gain > 0 ? { from: transition, to: place, isReversed: false, pair } : { from: place, to: transition, isReversed: false, pair });
  }
  return links;
}

// Depth first, without recursion; a link back to a node on the path is turned around.
function breakCycles(count: number, links: Link[], starts: number[]): void {
  const out: Link[][] = Array.from({ length: count }, () => []);
  for (const link of links) out[link.from]!.push(link);
  const state = new Uint8Array(count); // 0 new, 1 on the path, 2 done
  for (const start of starts) {
    if (state[start] !== 0) continue;
    const path: [node: number, next: number][] = [[start, 0]];
    state[start] = 1;
    while (path.length > 0) {
      const top = path[path.length - 1]!;
      const link = out[top[0]]![top[1]++];
      if (link === undefined) {
        state[top[0]] = 2;
        path.pop();
      } else if (state[link.to] === 1) {
        link.isReversed = true;
      } else if (state[link.to] === 0) {
        state[link.to] = 1;
        path.push([link.to, 0]);
      }
    }
  }
  for (const link of links) if (link.isReversed) [link.from, link.to] = [link.to, link.from];
}

function layersOf(count: number, links: Link[]): number[] {
  const layer = new Array<number>(count).fill(0);
  const waiting = new Array<number>(count).fill(0);
  const out: number[][] = Array.from({ length: count }, () => []);
  for (const { from, to } of links) {
    out[from]!.push(to);
    ++waiting[to]!;
  }
  const ready = layer.map((_, i) => i).filter((i) => waiting[i] === 0);
  const order: number[] = [];
  while (ready.length > 0) {
    const node = ready.pop()!;
    order.push(node);
    for (const to of out[node]!) {
      layer[to] = Math.max(layer[to]!, layer[node]! + 1);
      if (--waiting[to]! === 0) ready.push(to);
    }
  }
  // A node without arcs into it moves next to what it leads to.
  const hasInput = new Set(links.map((link) => link.to));
  for (const node of order.reverse()) {
    if (!hasInput.has(node) && out[node]!.length > 0) layer[node] = Math.min(...out[node]!.map((to) => layer[to]!)) - 1;
  }
  return layer;
}

interface Part {
  at: Map<string, Point>;
  routes: Map<GroupEdge, Point[]>;
  left: number;
  top: number;
  width: number;
  height: number;
}

function boundsOf(points: Point[]): Omit<Part, "at" | "routes"> {
  const [x, y] = [points.map((p) => p[0]), points.map((p) => p[1])];
  const [left, top] = [Math.min(...x), Math.min(...y)];
  return { left: left - 70, top: top - 50, width: Math.max(...x) - left + 140, height: Math.max(...y) - top + 105 };
}

// A part of the net that is joined to nothing else.
function layPart(net: FoldedNet, groups: Group[], edges: GroupEdge[]): Part {
  const index = new Map(groups.map((group, i) => [group.key, i]));
  const links = linksOf(net, edges, index);
  const marked = (i: number): number =>
    groups[i]!.kind === "place" && groups[i]!.members.some((p) => net.opened.places[p]!.initial > 0) ? 0 : 1;
  const starts = groups.map((_, i) => i).sort((a, b) => marked(a) - marked(b) || a - b);
  breakCycles(groups.length, links, starts);
  const layer = layersOf(groups.length, links);
  // Points where a long link passes a layer.
  const chains = new Map<string, number[]>();
  const joints: [number, number][] = [];
  for (const link of links) {
    const nodes = [link.from];
    for (let at = layer[link.from]! + 1; at < layer[link.to]!; ++at) nodes.push(layer.push(at) - 1);
    nodes.push(link.to);
    for (let i = 1; i < nodes.length; ++i) joints.push([nodes[i - 1]!, nodes[i]!]);
    chains.set(link.pair, nodes);
  }
  const order = crossingOrder(layer, joints);
  const y = heights(order, joints, layer.length, (node) => (node < groups.length ? 1 : 0.45));
  const point = (node: number): Point => [layer[node]! * layer_width, y[node]! * row_height];
  const routeOf = (edge: GroupEdge): Point[] => {
    const chain = chains.get(pairOf(edge))!;
    const begin = index.get(edge.kind === "output" ? edge.transition.key : edge.place.key);
    const inner = chain.slice(1, -1).map(point);
    return chain[0] === begin ? inner : inner.reverse();
  };
  return {
    at: new Map(groups.map((group, i) => [group.key, point(i)])),
    routes: new Map(edges.map((edge) => [edge, routeOf(edge)])), ...boundsOf(layer.map((_, node) => point(node))),
  };
}

function partsOf(net: FoldedNet): Part[] {
  const leader = new Map(net.groups.map((group) => [group.key, group.key]));
  const find = (key: string): string => {
    let at = key;
    while (leader.get(at) !== at) at = leader.get(at)!;
    leader.set(key, at);
    return at;
  };
  for (const { place, transition } of net.edges) leader.set(find(place.key), find(transition.key));
  const parts = new Map<string, { groups: Group[]; edges: GroupEdge[] }>();
  for (const group of net.groups) {
    const key = find(group.key);
    if (!parts.has(key)) parts.set(key, { groups: [], edges: [] });
    parts.get(key)!.groups.push(group);
  }
  for (const edge of net.edges) parts.get(find(edge.place.key))!.edges.push(edge);
  return [...parts.values()].map(({ groups, edges }) => layPart(net, groups, edges));
}

// The parts in columns, the highest first, in about the shape of the page's picture.
export function layered(net: FoldedNet): Layout {
  const parts = partsOf(net).sort((a, b) => b.height - a.height);
  const area = parts.reduce((sum, part) => sum + part.width * part.height, 0);
  const most = Math.max(...parts.map((part) => part.height), Math.sqrt(area / 1.7));
  const at = new Map<string, Point>();
  const routes = new Map<GroupEdge, Point[]>();
  let [x, y, columnWidth, height] = [0, 0, 0, 0];
  for (const part of parts) {
    if (y > 0 && y + part.height > most) [x, y, columnWidth] = [x + columnWidth, 0, 0];
    const [dx, dy] = [x - part.left, y - part.top];
    const moved = ([px, py]: Point): Point => [px + dx, py + dy];
    for (const [key, spot] of part.at) at.set(key, moved(spot));
    for (const [edge, points] of part.routes) routes.set(edge, points.map(moved));
    y += part.height;
    columnWidth = Math.max(columnWidth, part.width);
    height = Math.max(height, y);
  }
  return { at, route: (edge) => routes.get(edge)!, left: 0, top: 0, width: x + columnWidth, height, labels: new Map() };
}
