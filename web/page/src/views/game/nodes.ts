// A place or a transition in the drawing, and what it shows of a marking.

import { s } from "../../dom";
import { bar, type Label, type Point, radius } from "./layout";
import type { Group } from "./net";
import { rimmed } from "./routes";
import { counted, short } from "./text";

// What a drawing shows after a step.
export interface Shown {
  marking: number[];
  fired: Set<number>; // transitions
  lost: Set<number>; // transitions that competed in the last step and lost
  contested: Set<number>; // places
  enabled: Set<number>;
  kept: Set<number>; // places whose token is an instruction that was lost
  ended: Set<number>; // transitions that lost one
}

export interface NodeView {
  group: Group;
  element: SVGGElement;
  members: number[];
  isActive: boolean; // fired in the last step
  update(shown: Shown): void;
}

const dots: Point[][] = [
  [], [[0, 0]], [[-6, 0], [6, 0]], [[0, -6], [-6, 5], [6, 5]], [[-6, -6], [6, -6], [-6, 6], [6, 6]],
  [[-7, -7], [7, -7], [0, 0], [-7, 7], [7, 7]],
];

function tokensAt([x, y]: Point, tokens: number): SVGElement[] {
  const spots = dots[tokens];
  if (spots !== undefined) return spots.map(([dx, dy]) => s("circle", { class: "token", cx: x + dx, cy: y + dy, r: 3.9 }));
  const text = tokens < 10_000 ? String(tokens) : tokens.toExponential(0).replace("e+", "e");
  return [s("text", { class: "tokens", x, y: y + 5 }, text)];
}

export interface Drawn {
  group: Group;
  members: number[];
  name: string;
  at: Point;
  label: Label;
  meaning: string;
  isCopy: boolean; // a shared node that is drawn in every box
}

const halfHeight = (group: Group): number => (group.kind === "place" ? radius : bar.height / 2);
const halfWidth = (group: Group): number => (group.kind === "place" ? radius : bar.width / 2);

// The name and its caption, as lines of text on the label's side.
function labelParts({ group, name, at: [x, y], label, meaning, members }: Drawn): SVGElement[] {
  const isBeside = label.side === "left" || label.side === "right";
  const edge = isBeside ? halfWidth(group) + 6 : halfHeight(group);
  const [dx, first] = {
    below: [0, edge + (group.kind === "place" ? 15 : 17)], above: [0, label.caption === "" ? -edge - 8 : -edge - 19], left: [-edge, -1], right: [edge, -1],
  }[label.side] as [number, number];
  const anchor = isBeside ? ` ${label.side}` : "";
  const text = members.length > 1 ? `${short(name)} ×${members.length}` : short(name);
  const parts: SVGElement[] = [rimmed([x + dx, y + first], text, `name${anchor}`)];
  if (label.caption !== "") parts.push(rimmed([x + dx, y + first + 12], label.caption, `caption${anchor}`));
  parts.push(s("title", {}, meaning));
  return parts;
}

// What happened at a node in the last step, above all else.
function badgeParts({ group, at: [x, y], label }: Drawn, text: string): SVGElement[] {
  if (text === "") return [];
  const above = halfHeight(group) + 7 + (label.side === "above" ? 26 : 0);
  return [rimmed([x, y - above], text, "badge-text")];
}

export function placeNode(drawn: Drawn): NodeView {
  const { group, members, at } = drawn;
  const [x, y] = at;
  const tokens = s("g", { class: "content" });
  const badge = s("g", { class: "badge" });
  const element = s("g", { class: `node place${drawn.isCopy ? " copy" : ""}`, "data-node": drawn.name },
    s("circle", { class: "halo", cx: x, cy: y, r: radius + 5 }), s("circle", { class: "body", cx: x, cy: y, r: radius }),
    tokens, ...labelParts(drawn), badge);
  return {
    group, element, members, isActive: false,
    update(shown) {
      const sum = members.reduce((total, p) => total + shown.marking[p]!, 0);
      if (element.dataset.tokens !== String(sum)) {
        element.dataset.tokens = String(sum);
        tokens.replaceChildren(...tokensAt(at, sum));
      }
      const contested = members.filter((p) => shown.contested.has(p)).length;
      const kept = members.some((p) => shown.kept.has(p));
      element.classList.toggle("contested", contested > 0);
      element.classList.toggle("kept", kept);
      const text = kept ? "lost instruction" : contested === 0 ? "" : members.length === 1 ? "contested" : `${contested} contested`;
      badge.replaceChildren(...badgeParts(drawn, text));
    },
  };
}

export function transitionNode(drawn: Drawn): NodeView {
  const { group, members, at } = drawn;
  const [x, y] = at;
  const badge = s("g", { class: "badge" });
  const box = (name: string, grow: number): SVGElement => s("rect", {
    class: name, x: x - bar.width / 2 - grow, y: y - bar.height / 2 - grow, width: bar.width + 2 * grow,
    height: bar.height + 2 * grow, rx: grow > 0 ? 5 : 2,
  });
  const element = s("g", { class: `node transition${drawn.isCopy ? " copy" : ""}`, "data-node": drawn.name },
    box("frame", 4.5), box("body", 0), ...labelParts(drawn), badge);
  const view: NodeView = {
    group, element, members, isActive: false,
    update(shown) {
      const count = (set: Set<number>): number => (set.size === 0 ? 0 : members.reduce((n, t) => n + (set.has(t) ? 1 : 0), 0));
      const [fired, lost, enabled] = [count(shown.fired), count(shown.lost), count(shown.enabled)];
      view.isActive = fired > 0;
      element.classList.toggle("fired", fired > 0);
      element.classList.toggle("lost", fired === 0 && lost > 0);
      element.classList.toggle("enabled", enabled > 0);
      element.classList.toggle("ended", count(shown.ended) > 0);
      const parts = members.length === 1 ? [fired > 0 && "fired", lost > 0 && "lost"]
        : [fired > 0 && `${fired} fired`, lost > 0 && `${lost} lost`];
      const text = parts.filter((part) => part !== false).join(", ");
      badge.replaceChildren(...badgeParts(drawn, text));
    },
  };
  return view;
}

export function describeGroup(group: Group, members: number, meaning: string): string {
  const what = members > 1 ? counted(members, group.kind) : group.kind;
  return `${short(group.name)} (${what})${meaning === "" ? "" : `: ${meaning}`}`;
}
