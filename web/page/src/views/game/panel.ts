// Beside the drawing: what fired in the last step, contested places, what is enabled, the marking.

import type { ViewState } from "../../context";
import { field, h, signed } from "../../dom";
import { type Game, lastChange } from "./play";
import type { FoldedNet, NodeKind } from "./net";
import { counted, isLong, plain, short } from "./text";

const longest_list = 30; // names in a list
const longest_cell = 12; // names in a cell of the table
const most_contests = 60;
const longest_table = 300;

type Named = { name: string };

export class Panel {
  readonly element: HTMLElement;
  private readonly fired = h("section", { class: "fired-now" });
  private readonly contests = h("section", { class: "contested-now" });
  private readonly enabled = h("section", { class: "enabled-now" });
  private readonly rows = h("tbody");
  private readonly more = h("p", { class: "muted" });
  private readonly find = h("input", { type: "search", placeholder: "p4", autocomplete: "off", spellcheck: "false" });
  private readonly onlyMarked = h("input", { type: "checkbox" });
  private game: Game | null = null;
  private net: FoldedNet | null = null;
  private meanings = new Map<string, string>();

  constructor(private readonly state: ViewState) {
    this.readState();
    this.find.addEventListener("input", () => {
      state.set({ find: this.find.value === "" ? null : this.find.value.slice(0, 200) });
      this.drawMarking();
    });
    this.onlyMarked.addEventListener("change", () => {
      state.set({ empty: this.onlyMarked.checked ? null : "1" });
      this.drawMarking();
    });
    const head = ["place", "tokens", "change", "meaning"].map((text, i) =>
      h("th", { scope: "col", class: i === 1 || i === 2 ? "number" : null }, text));
    this.element = h("aside", { class: "panel side", "aria-label": "The last step and the marking" },
      this.fired, this.contests, this.enabled,
      h("section", { class: "marking-now" }, h("h3", {}, "Marking"),
        h("div", { class: "row" }, field("find places", this.find), h("label", { class: "check" }, this.onlyMarked, " marked or changed only")),
        h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Marking" },
          h("table", { class: "marking" }, h("caption", { class: "unseen" }, "Marking"), h("thead", {}, h("tr", {}, ...head)), this.rows)),
        this.more));
  }

  readState(): void {
    this.find.value = this.state.get("find") ?? "";
    this.onlyMarked.checked = this.state.get("empty") === null;
  }

  show(game: Game, net: FoldedNet, meanings: Map<string, string>): void {
    [this.game, this.net, this.meanings] = [game, net, meanings];
    this.element.classList.toggle("no-meanings", meanings.size === 0);
    const { state } = game;
    const last = game.fired[state.step - 1] ?? [];
    const title = state.step === 0 ? "Fired: no step yet" : `Fired in step ${state.step - 1} (${last.length})`;
    this.fired.replaceChildren(h("h3", {}, title, state.step > 0 && h("small", { class: "muted" }, " step 0 is the first")), this.names("transition", last, true));
    this.contests.replaceChildren(h("h3", {}, `Contested places (${state.contested.length})`), this.contestTable());
    this.enabled.replaceChildren(h("h3", {}, `Enabled for the next step (${state.enabled.length})`), this.names("transition", state.enabled, false));
    this.drawMarking();
  }

  private meaningOf(kind: NodeKind, index: number): string {
    const name = this.items(kind)[index]!.name;
    const instance = this.net!.instanceOf[kind][index];
    return this.meanings.get(instance === null ? name : name.slice(0, name.length - instance!.length - 1)) ?? "";
  }

  private items(kind: NodeKind): Named[] {
    return kind === "place" ? this.game!.net.places : this.game!.net.transitions;
  }

  // Names in a row; a few of them with what they mean.
  private names(kind: NodeKind, list: number[], explains: boolean, longest = longest_list): HTMLElement {
    if (list.length === 0) return h("p", { class: "muted none" }, "None.");
    const isExplained = explains && list.length <= 6 && this.meanings.size > 0;
    const shown = list.slice(0, longest);
    const items = shown.map((index) => {
      const name = this.items(kind)[index]!.name;
      const meaning = this.meaningOf(kind, index);
      return h("li", { title: plain(name) + (meaning === "" ? "" : `: ${plain(meaning)}`), "data-name": plain(name) },
        h("b", { class: isLong(name) && "long" }, short(name)), isExplained && meaning !== "" ? h("span", { class: "muted" }, ` ${plain(meaning)}`) : null);
    });
    const left = list.length - shown.length;
    return h("ul", { class: isExplained ? "names explained" : "names" }, ...items,
      left > 0 && h("li", { class: "muted" }, `and ${counted(left, "other")}`));
  }

  private contestTable(): HTMLElement {
    const contests = this.game!.state.contested;
    if (contests.length === 0) return h("p", { class: "muted none" }, "None.");
    const cell = (list: number[], kind: string): HTMLElement => h("td", { class: kind }, this.names("transition", list, false, longest_cell));
    const rows = contests.slice(0, most_contests).map((contest) => {
      const name = this.items("place")[contest.place]!.name;
      return h("tr", {}, h("th", { scope: "row", title: plain(name), class: isLong(name) && "long" }, short(name)),
        cell(contest.competed, "competed"), cell(contest.won, "won"), cell(contest.lost, "lost"));
    });
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Contested places" },
      h("table", { class: "contests" }, h("caption", { class: "unseen" }, "Contested places of the last step"),
        h("thead", {}, h("tr", {}, ...["place", "competed", "won", "lost"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, ...rows)));
  }

  private drawMarking(): void {
    if (this.game === null) return;
    const { places } = this.game.net;
    const { marking } = this.game.state;
    const change = lastChange(this.game);
    const wanted = this.find.value.trim().toLowerCase();
    const rows: HTMLElement[] = [];
    let found = 0;
    places.forEach(({ name }, p) => {
      if (this.onlyMarked.checked && marking[p] === 0 && change[p] === 0) return;
      const meaning = this.meaningOf("place", p);
      if (wanted !== "" && !name.toLowerCase().includes(wanted) && !meaning.toLowerCase().includes(wanted)) return;
      if (++found > longest_table) return;
      rows.push(h("tr", { class: change[p] === 0 ? null : "changed" },
        h("th", { scope: "row", title: plain(name), class: isLong(name) && "long" }, short(name)),
        h("td", { class: "number count" }, marking[p]),
        h("td", { class: "number" }, change[p] === 0 ? "" : signed(change[p]!, 0)),
        h("td", { class: "muted" }, plain(meaning))));
    });
    this.rows.replaceChildren(...rows);
    this.more.textContent = found > longest_table ? `${counted(found - longest_table, "other place")}: find them by name.`
      : found === 0 ? "No place." : "";
  }
}
