// A place or a transition in the drawing, and what it shows of a marking.

import { s } from "../../dom";
import { bar, type Point, radius } from "./layout";
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
  caption: string;
  meaning: string;
  isCopy: boolean; // a shared node that is drawn in every box
}

function commonParts({ group, name, at: [x, y], caption, meaning }: Drawn, members: number): SVGElement[] {
  const below = group.kind === "place" ? radius : bar.height / 2;
  const label = members > 1 ? `${short(name)} ×${members}` : short(name);
  const parts: SVGElement[] = [rimmed([x, y + below + 15], label, "name")];
  if (caption !== "") parts.push(rimmed([x, y + below + 28], caption, "caption"));
  parts.push(s("title", {}, meaning));
  return parts;
}

export function placeNode(drawn: Drawn): NodeView {
  const { group, members, at } = drawn;
  const [x, y] = at;
  const tokens = s("g", { class: "content" });
  const badge = s("g", { class: "badge" });
  const element = s("g", { class: `node place${drawn.isCopy ? " copy" : ""}`, "data-node": drawn.name },
    s("circle", { class: "halo", cx: x, cy: y, r: radius + 5 }), s("circle", { class: "body", cx: x, cy: y, r: radius }),
    tokens, ...commonParts(drawn, members.length), badge);
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
      badge.replaceChildren(...(text === "" ? [] : [rimmed([x, y - radius - 9], text, "badge-text")]));
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
    box("frame", 4.5), box("body", 0), ...commonParts(drawn, members.length), badge);
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
      badge.replaceChildren(...(text === "" ? [] : [rimmed([x, y - bar.height / 2 - 9], text, "badge-text")]));
    },
  };
  return view;
}

export function describeGroup(group: Group, members: number, meaning: string): string {
  const what = members > 1 ? counted(members, group.kind) : group.kind;
  return `${short(group.name)} (${what})${meaning === "" ? "" : `: ${meaning}`}`;
}
