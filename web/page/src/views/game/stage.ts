// The drawing with its toolbar and legend.

import type { ViewState } from "../../context";
import { button, h, s } from "../../dom";
import { saveCsv, takeaways } from "../../picture";
import type { Loss } from "./loss";
import { boxesOf, canShowAll, type FoldedNet, membersIn } from "./net";
import type { Shown } from "./nodes";
import { canDraw, Picture } from "./picture";
import { type Game, lastChange } from "./play";
import { counted, plain, short } from "./text";
import { Zoom } from "./zoom";

const most_choices = 2_000; // instances in the list

function legendItem(name: string, text: string, ...shape: SVGElement[]): HTMLElement {
  return h("li", { class: `key-${name}` }, s("svg", { class: `net key ${name}`, viewBox: "0 0 26 26", width: 26, height: 26, "aria-hidden": true }, ...shape), text);
}

function legend(): HTMLElement {
  const rect = (): SVGElement => s("rect", { class: "body", x: 9, y: 4, width: 8, height: 18, rx: 1 });
  const node = (kind: string, ...parts: SVGElement[]): SVGElement => s("g", { class: `node ${kind}` }, ...parts);
  return h("ul", { class: "legend", "aria-label": "Legend" },
    legendItem("fired", "fired in the last step", node("transition fired", rect())),
    legendItem("lost", "competed and lost", node("transition lost", rect())),
    legendItem("contested", "contested place", node("place contested",
      s("circle", { class: "halo", cx: 13, cy: 13, r: 11 }), s("circle", { class: "body", cx: 13, cy: 13, r: 7 }))),
    legendItem("enabled", "enabled for the next step", node("transition enabled",
      s("rect", { class: "frame", x: 5.5, y: 1, width: 15, height: 24, rx: 4 }), rect())),
    legendItem("inhibitor", "inhibitor arc: the place must be empty", s("g", { class: "edge inhibitor" },
      s("path", { class: "line", d: "M1 13L16 13" }), s("circle", { class: "tip open", cx: 20.5, cy: 13, r: 4.5 }))),
    legendItem("shared", "dashed: shared by all instances", node("place copy", s("circle", { class: "body", cx: 13, cy: 13, r: 9 }))),
    legendItem("kept", "token of a lost instruction", node("place kept",
      s("circle", { class: "halo", cx: 13, cy: 13, r: 11 }), s("circle", { class: "body", cx: 13, cy: 13, r: 7 }))));
}

export class Stage {
  readonly element = h("section", { class: "panel stage", "aria-label": "Drawing" });
  private picture: Picture | null = null;
  private zoom: Zoom | null = null;
  folded: FoldedNet | null = null;
  private game: Game | null = null;
  private losses: Loss[] = [];
  constructor(private readonly state: ViewState) {}

  open(game: Game, net: FoldedNet, meanings: Map<string, string>): void {
    [this.game, this.folded, this.picture] = [game, net, null];
    if (!canDraw(net)) {
      this.element.replaceChildren(h("p", { class: "too-large" },
        `This net has ${counted(game.net.places.length + game.net.transitions.length, "place and transition", "places and transitions")} ` +
        `in ${counted(net.groups.length, "group")}; that is too many to draw. It can be played, and the marking is in the table.`),
        this.firingsButton());
      return;
    }
    const picture = new Picture(net, meanings);
    const zoom = new Zoom(picture.svg, () => picture.whole);
    [this.picture, this.zoom] = [picture, zoom];
    const small = (label: string, name: string, act: () => void): HTMLElement => button(label, act, { "aria-label": name, title: name });
    const saves = takeaways(`${plain(game.net.name, 40).replaceAll(/[^\w.-]/g, "_") || "net"}-marking`, () => picture.svg, () => this.markingData());
    saves.append(this.firingsButton());
    this.element.replaceChildren(
      h("div", { class: "row tools controls" }, this.instanceChoice(), h("span", { class: "zoom" },
        small("+", "Enlarge", () => zoom.by(1 / 1.25)), small("−", "Reduce", () => zoom.by(1.25)), small("Fit", "Fit the whole net", () => zoom.fit())), saves),
      h("div", { class: "canvas" }, picture.svg), legend(),
      h("p", { class: "muted help" }, "Point at a node to see its arcs. Drag to move; Ctrl + wheel or the keys + − 0 and arrows enlarge and move the drawing."));
    this.rebuild();
  }

  private rebuild(): void {
    this.picture!.build(this.state.get("instances") ?? "");
    this.zoom!.fit();
    this.element.classList.toggle("with-boxes", this.picture!.svg.classList.contains("unfolded"));
  }

  private instanceChoice(): HTMLElement {
    const net = this.folded!;
    if (net.instances.length === 0) return h("span", { class: "muted" }, "Nothing is folded: every node is drawn.");
    const now = this.state.get("instances") ?? "";
    const options: [string, string][] = [["", `all ${net.instances.length} folded to one, tokens added up`]];
    if (canShowAll(net)) options.push(["all", `all ${net.instances.length}, each in a box`]);
    for (const instance of net.instances.slice(0, most_choices)) options.push([instance, `only instance ${short(instance)}`]);
    const choice = h("select", { name: "instances" }, ...options.map(([value, text]) => h("option", { value }, text)));
    choice.value = options.some(([value]) => value === now) ? now : "";
    choice.addEventListener("change", () => {
      this.state.set({ instances: choice.value === "" ? null : choice.value });
      this.rebuild();
      this.update(this.losses);
    });
    return h("label", { class: "instances" }, "instances ", choice);
  }

  private firingsButton(): HTMLElement {
    return button("Firings CSV", () => {
      const { net, fired } = this.game!;
      saveCsv("firings.csv", ["step", "transition"], fired.flatMap((list, step) => list.map((t) => [step, net.transitions[t]!.name])));
    });
  }

  private markingData(): { head: string[]; rows: (string | number)[][] } {
    const change = lastChange(this.game!);
    const { net, state } = this.game!;
    return {
      head: ["steps_done", "place", "tokens", "change"],
      rows: net.places.map((place, p) => [state.step, place.name, state.marking[p]!, change[p]!]),
    };
  }

  update(losses: Loss[]): void {
    this.losses = losses;
    this.element.classList.toggle("with-loss", losses.length > 0);
    const game = this.game!;
    if (this.picture === null) return;
    const { state } = game;
    const fired = game.fired[state.step - 1] ?? [];
    const shown: Shown = {
      marking: state.marking, fired: new Set(fired), enabled: new Set(state.enabled),
      lost: new Set(state.contested.flatMap((contest) => contest.lost)),
      contested: new Set(state.contested.map((contest) => contest.place)),
      kept: new Set(losses.flatMap((loss) => loss.selected)), ended: new Set(losses.map((loss) => loss.t16)),
    };
    const names = fired.slice(0, 20).map((t) => short(game.net.transitions[t]!.name)).join(", ");
    this.picture.update(shown, `Net ${plain(game.net.name, 60)} after ${counted(state.step, "step")}. ` +
      `Fired in the last step: ${names === "" ? "nothing" : names}. Contested places: ${state.contested.length}. ` +
      `Enabled transitions: ${state.enabled.length}. ${this.boxText()}`);
  }

  private boxText(): string {
    const boxes = boxesOf(this.folded!, this.state.get("instances") ?? "");
    const nodes = boxes.reduce((n, box) => n + this.folded!.groups.filter((g) => membersIn(this.folded!, g, box).length > 0).length, 0);
    return `${counted(nodes, "node")} drawn.`;
  }
}
