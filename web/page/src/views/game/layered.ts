// A layered layout of any net: arcs run from left to right where they can. A place and a transition
// that are joined both ways count as one edge, in the direction in which tokens are gained.
//   1. break cycles   2. layers by the longest path   3. order within layers   4. heights

import type { FoldedNet, GroupEdge } from "./net";
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

function linksOf(net: FoldedNet, index: Map<string, number>): Link[] {
  const gains = new Map<string, number>(); // tokens the place gains
  for (const edge of net.edges) {
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

export function layered(net: FoldedNet): Layout {
  const index = new Map(net.groups.map((group, i) => [group.key, i]));
  const links = linksOf(net, index);
  const marked = (i: number): number =>
    net.groups[i]!.kind === "place" && net.groups[i]!.members.some((p) => net.opened.places[p]!.initial > 0) ? 0 : 1;
  const starts = net.groups.map((_, i) => i).sort((a, b) => marked(a) - marked(b) || a - b);
  breakCycles(net.groups.length, links, starts);
  const layer = layersOf(net.groups.length, links);
  // Points where a long link passes a layer.
  const chains = new Map<string, { nodes: number[]; isReversed: boolean }>();
  const joints: [number, number][] = [];
  for (const link of links) {
    const nodes = [link.from];
    for (let at = layer[link.from]! + 1; at < layer[link.to]!; ++at) nodes.push(layer.push(at) - 1);
    nodes.push(link.to);
    for (let i = 1; i < nodes.length; ++i) joints.push([nodes[i - 1]!, nodes[i]!]);
    chains.set(link.pair, { nodes, isReversed: link.isReversed });
  }
  const real = net.groups.length;
  const order = crossingOrder(layer, joints);
  const y = heights(order, joints, layer.length, (node) => (node < real ? 1 : 0.45));
  const point = (node: number): Point => [layer[node]! * layer_width, y[node]! * row_height];
  const all = layer.map((_, node) => point(node));
  const [left, right] = [Math.min(...all.map((p) => p[0])), Math.max(...all.map((p) => p[0]))];
  const [top, bottom] = [Math.min(...all.map((p) => p[1])), Math.max(...all.map((p) => p[1]))];
  const placeOf = (key: string): number => index.get(key)!;
  return {
    at: new Map(net.groups.map((group, i) => [group.key, point(i)])),
    route: (edge) => {
      const chain = chains.get(pairOf(edge))!;
      const begin = edge.kind === "output" ? placeOf(edge.transition.key) : placeOf(edge.place.key);
      const inner = chain.nodes.slice(1, -1).map(point);
      return chain.nodes[0] === begin ? inner : inner.reverse();
    },
    left: left - 70, top: top - 50, width: right - left + 140, height: bottom - top + 105, labels: new Map(),
  };
}
