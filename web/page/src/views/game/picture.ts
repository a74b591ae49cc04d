// The drawing: built when the net or the choice of instances changes, and updated after each step.

import { s } from "../../dom";
import { layoutOf, type Layout, type Point } from "./layout";
import { type Box, boxesOf, edgeLabel, type FoldedNet, type Group, type GroupEdge, membersIn, mostNodes } from "./net";
import { describeGroup, type NodeView, placeNode, type Shown, transitionNode } from "./nodes";
import { arcOf } from "./routes";
import { plain } from "./text";

const most_edges = 1_500;

export function canDraw(net: FoldedNet): boolean {
  return net.groups.length > 0 && net.groups.length <= mostNodes && net.edges.length <= most_edges;
}

interface EdgeView {
  element: SVGGElement;
  node: NodeView; // its transition
  ends: [string, string]; // keys of its groups
}

// More boxes beside each other would make the names too small to be read.
const columnsOf = (boxes: number): number => (boxes <= 2 ? 1 : 2);

export class Picture {
  readonly svg: SVGSVGElement;
  private readonly layout: Layout;
  private nodes: NodeView[] = [];
  private edges: EdgeView[] = [];
  private pairs = new Map<string, number>();

  constructor(private readonly net: FoldedNet, private readonly meanings: Map<string, string>) {
    this.layout = layoutOf(net);
    this.svg = s("svg", { class: "net", tabindex: 0, role: "img", preserveAspectRatio: "xMidYMid meet" });
    for (const edge of net.edges) {
      const key = edge.place.key + "\n" + edge.transition.key;
      this.pairs.set(key, (this.pairs.get(key) ?? 0) + 1);
    }
  }

  // The whole drawing: x, y, width, height.
  whole: [number, number, number, number] = [0, 0, 1, 1];

  build(view: string): void {
    const boxes = boxesOf(this.net, view);
    const columns = columnsOf(boxes.length);
    const [stepX, stepY] = [this.layout.width + 40, this.layout.height + 60];
    [this.nodes, this.edges] = [[], []];
    const parts: SVGElement[] = [];
    boxes.forEach((box, i) => {
      const [dx, dy] = [(i % columns) * stepX, Math.floor(i / columns) * stepY];
      parts.push(this.buildBox(box, dx, dy, boxes.length > 1));
    });
    const rows = Math.ceil(boxes.length / columns);
    const pad = boxes.length > 1 ? 30 : 0;
    this.whole = [this.layout.left - pad, this.layout.top - pad, columns * stepX - 40 + 2 * pad, rows * stepY - 60 + 2 * pad];
    this.svg.replaceChildren(...parts);
    this.svg.setAttribute("viewBox", this.whole.join(" "));
    this.svg.classList.toggle("unfolded", boxes.length > 1);
    this.svg.style.aspectRatio = boxes.length > 1 ? `${this.whole[2]} / ${this.whole[3]}` : "";
  }

  private buildBox(box: Box, dx: number, dy: number, isOneOfMany: boolean): SVGGElement {
    const views = new Map<string, NodeView>();
    for (const group of this.net.groups) {
      const members = membersIn(this.net, group, box);
      if (members.length === 0) continue;
      views.set(group.key, this.buildNode(group, members, this.spot(group, dx, dy), isOneOfMany));
    }
    const edges = this.net.edges.flatMap((edge) => this.buildEdge(edge, views, dx, dy));
    this.nodes.push(...views.values());
    this.edges.push(...edges);
    const { left, top, width, height } = this.layout;
    return s("g", { class: "box" },
      isOneOfMany && s("rect", { class: "frame-of-box", x: left + dx - 12, y: top + dy - 24, width: width + 24, height: height + 40, rx: 10 }),
      isOneOfMany && s("text", { class: "title", x: left + dx, y: top + dy - 2 }, box.title),
      s("g", { class: "edges" }, ...edges.map((edge) => edge.element)),
      s("g", { class: "nodes" }, ...[...views.values()].map((view) => view.element)));
  }

  private spot(group: Group, dx: number, dy: number): Point {
    const [x, y] = this.layout.at.get(group.key)!;
    return [x + dx, y + dy];
  }

  private buildNode(group: Group, members: number[], at: Point, isOneOfMany: boolean): NodeView {
    const items = group.kind === "place" ? this.net.opened.places : this.net.opened.transitions;
    const drawn = {
      group, members, at, isCopy: group.shared && isOneOfMany,
      name: members.length === 1 && this.net.instances.length > 0 ? items[members[0]!]!.name : group.name,
      label: this.layout.labels.get(group.key) ?? { caption: "", side: "below" as const },
      meaning: describeGroup(group, members.length, plain(this.meanings.get(group.name) ?? "")),
    };
    const view = group.kind === "place" ? placeNode(drawn) : transitionNode(drawn);
    view.element.addEventListener("pointerenter", () => this.point(group.key));
    view.element.addEventListener("pointerleave", () => this.point(null));
    return view;
  }

  private buildEdge(edge: GroupEdge, views: Map<string, NodeView>, dx: number, dy: number): EdgeView[] {
    const [place, transition] = [views.get(edge.place.key), views.get(edge.transition.key)];
    if (place === undefined || transition === undefined) return [];
    const label = edgeLabel(this.net, edge, new Set(place.members), transition.members);
    if (label === null) return [];
    const ends = [
      { at: this.spot(edge.place, dx, dy), kind: "place" as const },
      { at: this.spot(edge.transition, dx, dy), kind: "transition" as const },
    ];
    if (edge.kind === "output") ends.reverse();
    const through = this.layout.route(edge).map(([x, y]): Point => [x + dx, y + dy]);
    const isPaired = this.pairs.get(edge.place.key + "\n" + edge.transition.key)! > 1;
    const shift = !isPaired ? 0 : edge.kind === "inhibitor" ? 14 : 6;
    const parts = arcOf(ends[0]!, ends[1]!, through, shift, edge.kind === "inhibitor", label);
    const element = s("g", { class: `edge ${edge.kind}` }, ...parts);
    return [{ element, node: transition, ends: [edge.place.key, edge.transition.key] }];
  }

  // Emphasises a node's arcs while the pointer is on it.
  private point(key: string | null): void {
    this.svg.classList.toggle("pointing", key !== null);
    const near = new Set<string>(key === null ? [] : [key]);
    for (const { element, ends } of this.edges) {
      const isNear = key !== null && ends.includes(key);
      element.classList.toggle("near", isNear);
      if (isNear) ends.forEach((end) => near.add(end));
    }
    for (const { element, group } of this.nodes) element.classList.toggle("near", near.has(group.key));
  }

  update(shown: Shown, description: string): void {
    for (const node of this.nodes) node.update(shown);
    for (const { element, node } of this.edges) {
      element.classList.toggle("active", node.isActive && !element.classList.contains("inhibitor"));
    }
    this.svg.setAttribute("aria-label", description);
  }
}
