// The row that chooses the net: the paper's two or a file, the template's parameters, the seed.

import { button, field, h, select } from "../../dom";
import { paperNets, type Parameter, type Source } from "./source";
import { plain, short } from "./text";

export interface Choices {
  chooseNet(id: string): void;
  change(parameters: Record<string, number>, seed: number): void;
  fault(message: string): void; // a field has no number
  openFile(): void;
  showLoss(): void;
}

const titles: Record<string, string> = {
  wpnm: "wpnm (mended)", wpnm_literal: "wpnm_literal (as drawn)", own: "a net of your own",
};

const most_fields = 24;

export class Setup {
  readonly element = h("div", { class: "row controls setup", role: "group", "aria-label": "The net" });
  private inputs = new Map<string, HTMLInputElement>();
  private shown = ""; // what the fields belong to

  constructor(private readonly choices: Choices) {}

  show(source: Source, seed: number): void {
    // The same fields stay, so that the focus stays while several values are typed.
    const fields_of = JSON.stringify([source.id, source.title, source.parameters.map((p) => p.name)]);
    if (fields_of === this.shown) {
      for (const { name, value } of [...source.parameters, { name: "seed", value: seed }]) {
        const input = this.inputs.get(name);
        if (input !== undefined && input !== document.activeElement) input.value = String(value);
      }
      return;
    }
    this.shown = fields_of;
    this.inputs = new Map();
    const isOwn = source.id === "own";
    const ids = isOwn ? [...paperNets, "own"] : [...paperNets];
    const net = select(ids.map((id) => [id, id === "own" ? `${short(source.title)} (your own)` : titles[id]!]), source.id,
      (id) => this.choices.chooseNet(id));
    const fields = source.parameters.slice(0, most_fields).map((p) => this.numberField(p));
    this.element.replaceChildren(field("net", net, "The paper's net: as it is drawn there, or mended by one arc; a file that you opened"), ...fields,
      this.numberField({ name: "seed", value: seed, initial: 1, meaning: "of the draws that decide contested places", unit: "" }),
      button("Open a file …", () => this.choices.openFile(), { title: "PNML, or a net or net template as JSON; you can also drop it on the page" }),
      button("How the literal net loses an instruction", () => this.choices.showLoss(), { class: "loss" }));
  }

  private numberField(parameter: Parameter): HTMLElement {
    const { name, value, meaning, unit } = parameter;
    const input = h("input", { type: "number", step: 1, value, name, required: true });
    input.addEventListener("change", () => this.apply());
    this.inputs.set(name, input);
    return field(short(name), input, plain(unit === "" ? meaning : `${meaning}; ${unit}`));
  }

  private apply(): void {
    const values: Record<string, number> = {};
    for (const [name, input] of this.inputs) {
      const value = Number(input.value);
      if (input.value.trim() === "" || !Number.isSafeInteger(value)) {
        const found = input.value === "" ? "no number" : input.value;
        this.choices.fault(`${short(name)}: found ${found}, expected a whole number of at most 2^53.`);
        return;
      }
      values[name] = value;
    }
    const { seed, ...parameters } = values;
    this.choices.change(parameters, seed ?? 1);
  }
}
