// The net as it is drawn. Places and transitions of a template's warp have names such as p4.0 and
// p4.1: folded, they are one node p4; unfolded, each instance is drawn by itself.

import type { OpenedNet } from "../../../../engine/engine";

export type NodeKind = "place" | "transition";
export type EdgeKind = "input" | "output" | "inhibitor";

export interface Group {
  key: string; // "p:" or "t:" and the name: a place and a transition may have the same name
  name: string;
  kind: NodeKind;
  members: number[]; // indices of places or transitions
  shared: boolean; // belongs to no instance
}

export interface GroupEdge {
  place: Group;
  transition: Group;
  kind: EdgeKind;
}

export interface FoldedNet {
  opened: OpenedNet;
  groups: Group[];
  edges: GroupEdge[];
  byKey: Map<string, Group>;
  instances: string[]; // "0", "1", ...; empty: nothing to unfold
  instanceOf: Record<NodeKind, (string | null)[]>; // by index
}

const numbered = /^(.+?)((?:\.\d+)+)$/s;

function partsOf(name: string, group: string): [base: string, instance: string | null] {
  if (group !== name && name.startsWith(`${group}.`)) return [group, name.slice(group.length + 1)];
  const found = numbered.exec(name);
  return found === null ? [name, null] : [found[1]!, found[2]!.slice(1)];
}

// An instance's own name, as p4 and 0.
function collect(net: FoldedNet, kind: NodeKind, items: { name: string; group: string }[]): string[] {
  const keys: string[] = [];
  items.forEach(({ name, group }, index) => {
    const [base, instance] = partsOf(name, group);
    const key = `${kind[0]}:${base}`;
    let found = net.byKey.get(key);
    if (found === undefined) {
      found = { key, name: base, kind, members: [], shared: instance === null };
      net.byKey.set(key, found);
      net.groups.push(found);
    }
    found.members.push(index);
    net.instanceOf[kind].push(instance);
    keys.push(key);
  });
  return keys;
}

export function foldedNet(opened: OpenedNet): FoldedNet {
  const net: FoldedNet = {
    opened, groups: [], edges: [], byKey: new Map(), instances: [], instanceOf: { place: [], transition: [] },
  };
  const placeKeys = collect(net, "place", opened.places);
  const transitionKeys = collect(net, "transition", opened.transitions);
  const seen = new Set<string>();
  const connect = (place: number, transition: number, kind: EdgeKind): void => {
    const id = JSON.stringify([placeKeys[place], transitionKeys[transition], kind]);
    if (seen.has(id)) return;
    seen.add(id);
    net.edges.push({ place: net.byKey.get(placeKeys[place]!)!, transition: net.byKey.get(transitionKeys[transition]!)!, kind });
  };
  opened.transitions.forEach((transition, t) => {
    for (const [place] of transition.inputs) connect(place, t, "input");
    for (const [place] of transition.outputs) connect(place, t, "output");
    for (const place of transition.inhibitors) connect(place, t, "inhibitor");
  });
  const instances = new Set<string>();
  for (const list of Object.values(net.instanceOf)) for (const i of list) if (i !== null) instances.add(i);
  net.instances = instances.size > 1 ? [...instances] : [];
  return net;
}

// What is drawn: all instances together, one, or each in a box of its own. A box has the nodes of
// its instance and those that are shared.
export interface Box {
  title: string;
  instance: string | null; // null: all instances together
}

// Shown in one drawing, copies of shared nodes included.
export const mostNodes = 420;

export function boxesOf(net: FoldedNet, view: string): Box[] {
  if (view === "all" && canShowAll(net)) {
    return net.instances.map((instance) => ({ title: `instance ${instance}`, instance }));
  }
  return [{ title: "", instance: net.instances.includes(view) ? view : null }];
}

export function canShowAll(net: FoldedNet): boolean {
  return net.instances.length > 1 && net.groups.length * net.instances.length <= mostNodes;
}

export function membersIn(net: FoldedNet, group: Group, box: Box): number[] {
  if (box.instance === null || group.shared) return group.members;
  return group.members.filter((index) => net.instanceOf[group.kind][index] === box.instance);
}

// The weights of an edge's arcs between the members shown, as a label: "" for 1, "5", "2–4".
// null: no such arc.
export function edgeLabel(net: FoldedNet, edge: GroupEdge, places: Set<number>, transitions: number[]): string | null {
  let [least, most] = [Infinity, -Infinity];
  for (const t of transitions) {
    const transition = net.opened.transitions[t]!;
    const arcs = edge.kind === "input" ? transition.inputs : edge.kind === "output" ? transition.outputs
      : transition.inhibitors.map((place): [number, number] => [place, 1]);
    for (const [place, weight] of arcs) {
      if (!places.has(place)) continue;
      least = Math.min(least, weight);
      most = Math.max(most, weight);
    }
  }
  if (least > most) return null;
  if (least === most) return most === 1 ? "" : String(most);
  return `${least}–${most}`;
}
