// Steps, or the error against a recorded time, over l1 x l2. It is computed row by row, so that it
// can be abandoned when a parameter changes.

import type { Context } from "../../context";
import { field, h, select, signed, significant } from "../../dom";
import { Cancelled, type Engine, isFailure } from "../../engine_client";
import { takeaways } from "../../picture";
import { type Grid, cellAt, heatMap, mark } from "./heat_map";
import { type Parameters, parsed } from "./parameters";

export const points = 21;

// Times of a kernel model at its default point, and the time scale of its net.
interface Recorded {
  model: string;
  measured_us: number;
  ns_per_step: number; // at the default latencies
  l1: number;
  l2: number;
  source: string;
}

// Values from 0 to `end`, whole and different.
export function axis(end: number): number[] {
  const count = Math.min(points, end + 1);
  return Array.from({ length: count }, (_, i) => Math.round((i * end) / Math.max(1, count - 1)));
}

async function recorded(context: Context, model: string): Promise<Recorded | string> {
  const { code, stdout, stderr } = await context.engine.run(["--model", model, "--net", "wpnm", "--json", "-q"]);
  if (code !== 0) return stderr.trim();
  const answer = JSON.parse(stdout);
  const { measured_us, time_us, steps, parameters } = answer;
  if (measured_us?.value == null || time_us?.value == null) return `${model}: no recorded time, or no time scale of the net wpnm`;
  return { model, measured_us: measured_us.value, ns_per_step: (1000 * time_us.value) / steps.mean, l1: parameters.l1, l2: parameters.l2, source: measured_us.source };
}

export interface SurfaceEvents {
  go(l1: number, l2: number): void; // to a cell
  view(): void; // another model or range is shown
  progress(text: string): void; // of a surface that takes long; "": it has ended
}

interface Cell {
  column: number;
  row: number;
}

const progress_after_ms = 500;
const hint = "The arrow keys move over the cells, and Enter goes to the cell.";

export class Surface {
  readonly element: HTMLElement;
  private readonly picture = h("div", { class: "drawing" });
  private readonly note = h("p", { class: "muted" });
  private readonly readout = h("p", { class: "readout", "aria-live": "polite" }, " ");
  private readonly models: HTMLSelectElement;
  private readonly l1End = h("input", { type: "number", min: 1, max: 1000000, value: 400 });
  private readonly l2End = h("input", { type: "number", min: 1, max: 1000000, value: 40 });
  private parameters: Parameters | null = null;
  private grid: Grid | null = null;
  private steps: (number | null)[][] = [];
  private recorded: Recorded | null = null;
  private model = "";
  private run = 0; // the newest computation; older ones end
  private done = 0;
  private settle: () => void = () => {};
  private readonly settling = new Promise<void>((resolve) => { this.settle = resolve; });
  private cursor: Cell | null = null; // null: at the present l1 and l2

  constructor(private readonly context: Context, models: string[], ends: { l1: number; l2: number },
              private readonly events: SurfaceEvents) {
    this.setEnds(ends);
    this.models = select([["", "steps of the parameters above"], ...models.map((m): [string, string] => [m, `error of ${m} (H200, recorded)`])], "",
      (model) => { this.setModel(model); this.events.view(); });
    for (const input of [this.l1End, this.l2End]) input.addEventListener("change", () => { this.events.view(); void this.compute(); });
    this.element = h("section", { class: "panel surface", "aria-label": "Surface over l1 and l2" },
      h("h2", {}, "Over l1 and l2"),
      h("div", { class: "row controls" }, field("show", this.models), field("l1 up to (steps)", this.l1End), field("l2 up to (steps)", this.l2End)),
      this.note, this.picture, this.readout,
      takeaways("surface", () => this.picture.querySelector("svg"), () => this.data()));
  }

  ends(): { l1: number; l2: number } {
    return { l1: this.end("l1", this.l1End), l2: this.end("l2", this.l2End) };
  }

  setEnds(ends: { l1: number; l2: number }): void {
    const values = [String(ends.l1), String(ends.l2)];
    if (this.l1End.value === values[0] && this.l2End.value === values[1]) return;
    [this.l1End.value, this.l2End.value] = [values[0]!, values[1]!];
    void this.compute();
  }

  show(p: Parameters): void {
    const before = this.parameters;
    this.parameters = p;
    const moved = before !== null && (["W", "S", "xa", "xs", "xg", "net", "seed"] as const).every((key) => before[key] === p[key]);
    if (moved) this.draw();
    else if (this.model === "" || before === null || before.net !== p.net) void this.compute();
  }

  setModel(model: string): void {
    this.models.value = model;
    if (model === this.model && this.done > 0) return;
    this.model = model;
    void this.compute();
  }

  private end(key: "l1" | "l2", input: HTMLInputElement): number {
    const value = parsed(key, input.value);
    if (typeof value === "number" && value > 0) return value;
    this.context.say(typeof value === "string" ? value : `${key}: found 0, expected at least 1`, "error");
    return key === "l1" ? 400 : 40;
  }

  // When the first surface is drawn, or cannot be.
  settled(): Promise<void> {
    return this.settling;
  }

  private async compute(): Promise<void> {
    const run = ++this.run;
    if (this.parameters === null) return;
    const began = performance.now();
    try {
      if (!(await this.begin(run))) return;
      const failure = await this.fillRows(run, began);
      if (run !== this.run) return;
      this.events.progress("");
      if (failure !== "") return this.fail(failure);
      this.element.dataset.ms = String(Math.round(performance.now() - began));
      this.element.dataset.done = String(++this.done);
      this.draw();
      this.settle();
    } catch (error) {
      if (run === this.run) this.fail(error instanceof Cancelled ? "The surface was cancelled. Change a parameter to compute it again." : String(error));
    }
  }

  // Each helper takes the next row when it is free. Returns why a row cannot be computed; "" when all
  // are, or a newer computation has begun.
  private async fillRows(run: number, began: number): Promise<string> {
    const { l1, l2 } = this.grid!;
    const { net, W, S, xa, xs, xg, seed } = this.parameters!;
    const what = this.recorded === null ? { net, W, S, xa, xs, xg, seed } : { net, model: this.recorded.model, seed };
    let next = 0;
    let cells = 0;
    let failure = "";
    const take = async (engine: Engine): Promise<void> => {
      for (let j = next++; j < l2.length && failure === "" && run === this.run; j = next++) {
        const answer = await engine.surfaceRow({ ...what, l1, l2: l2[j]! });
        if (run !== this.run) return;
        if (isFailure(answer)) failure = answer.error;
        else this.steps[j] = answer.steps;
        cells += l1.length;
        if (performance.now() - began > progress_after_ms) this.report(cells, l1.length * l2.length);
      }
    };
    await Promise.all(this.context.helpers().map(take));
    return failure;
  }

  // False: a newer computation has begun, or there is nothing to compare with.
  private async begin(run: number): Promise<boolean> {
    const ends = this.ends();
    this.grid = { l1: axis(ends.l1), l2: axis(ends.l2), values: [], kind: this.model === "" ? "steps" : "error" };
    this.steps = this.grid.l2.map(() => this.grid!.l1.map(() => null));
    this.element.classList.add("stale");
    if (this.model === "") {
      this.recorded = null;
      return true;
    }
    const answer = await recorded(this.context, this.model);
    if (run !== this.run) return false;
    if (typeof answer === "string") {
      this.fail(answer);
      return false;
    }
    this.recorded = answer;
    return true;
  }

  private report(cells: number, all: number): void {
    const text = `Surface over l1 and l2: ${cells.toLocaleString("en")} of ${all.toLocaleString("en")} cells computed`;
    this.events.progress(text);
    this.note.className = "muted";
    this.note.textContent = `${text}.`;
  }

  private fail(message: string): void {
    this.settle();
    this.events.progress("");
    this.element.classList.remove("stale");
    this.note.textContent = message;
    this.note.className = "bad";
    this.picture.replaceChildren();
  }

  private value(steps: number | null): number | null {
    if (steps === null || this.recorded === null) return steps;
    return 100 * ((steps * this.recorded.ns_per_step) / 1000 / this.recorded.measured_us - 1);
  }

  private draw(): void {
    if (this.grid === null || this.steps.every((row) => row.every((v) => v === null))) return;
    this.element.classList.remove("stale");
    this.grid.values = this.steps.map((row) => row.map((v) => this.value(v)));
    this.note.className = "muted";
    this.note.textContent = this.explanation();
    const picture = heatMap(this.grid, `${this.name()}. Present values: ${this.cellText(this.now())}. ${hint}`);
    const hasFocus = this.picture.contains(document.activeElement);
    if (!hasFocus) this.cursor = null;
    this.listen(picture);
    this.picture.replaceChildren(picture);
    this.markNow(picture);
    if (hasFocus) picture.focus({ preventScroll: true });
  }

  private name(): string {
    return `${this.grid!.kind === "error" ? "Error" : "Steps"} over l1 and l2`;
  }

  private explanation(): string {
    const r = this.recorded;
    if (r === null) return "Steps until all warps ended, one run a cell. Click a cell to go there.";
    const values = this.grid!.values.flat().filter((v): v is number => v !== null);
    const meets = Math.min(...values) < 0 && Math.max(...values) >= 0;
    const nearest = values.reduce((best, v) => (Math.abs(v) < Math.abs(best) ? v : best), Infinity);
    return `Predicted time of ${r.model} against the recorded ${significant(r.measured_us)} us (${r.source}), at ${significant(r.ns_per_step)} ns a step: ` +
      `the scale of l1 = ${r.l1}, l2 = ${r.l2}. ` +
      (meets ? "The line shows where prediction and measurement meet." : `Prediction and measurement meet nowhere in this range; the nearest cell is off by ${significant(nearest, 2)} %.`);
  }

  private nearest(values: number[], value: number): number {
    return values.reduce((best, v, i) => (Math.abs(v - value) < Math.abs(values[best]! - value) ? i : best), 0);
  }

  // The cell of the present l1 and l2, or the nearest one.
  private now(): Cell {
    const { l1, l2 } = this.grid!;
    return { column: this.nearest(l1, this.parameters!.l1), row: this.nearest(l2, this.parameters!.l2) };
  }

  private at(): Cell {
    const { l1, l2 } = this.grid!;
    const { column, row } = this.cursor ?? this.now();
    return { column: Math.min(column, l1.length - 1), row: Math.min(row, l2.length - 1) };
  }

  private markNow(picture: SVGSVGElement): void {
    const { l1, l2 } = this.grid!;
    const p = this.parameters!;
    if (p.l1 > l1[l1.length - 1]! || p.l2 > l2[l2.length - 1]!) return;
    const { column, row } = this.now();
    picture.append(mark(this.grid!, column, row, "now"));
  }

  private cellText({ column, row }: Cell): string {
    const grid = this.grid!;
    const steps = this.steps[row]![column] ?? null;
    const value = grid.values[row]![column] ?? null;
    return `l1 = ${grid.l1[column]}, l2 = ${grid.l2[row]}: ` + (steps === null ? "cut off at 20,000,000 steps"
      : `${steps.toLocaleString("en")} steps` + (this.recorded !== null && value !== null ? `, error ${signed(value)} %` : ""));
  }

  private tell(picture: SVGSVGElement): void {
    const { column, row } = this.at();
    picture.querySelector(".cursor")?.remove();
    picture.append(mark(this.grid!, column, row, "cursor"));
    this.readout.textContent = this.cellText({ column, row });
    picture.setAttribute("aria-label", `${this.name()}. ${this.readout.textContent}. ${hint}`);
  }

  private go(): void {
    const { column, row } = this.at();
    this.events.go(this.grid!.l1[column]!, this.grid!.l2[row]!);
  }

  private listen(picture: SVGSVGElement): void {
    const at = (event: MouseEvent): boolean => {
      const box = picture.getBoundingClientRect();
      const view = picture.viewBox.baseVal;
      const found = cellAt(this.grid!, ((event.clientX - box.left) / box.width) * view.width, ((event.clientY - box.top) / box.height) * view.height);
      if (found !== null) this.cursor = found;
      return found !== null;
    };
    picture.addEventListener("mousemove", (event) => { if (at(event)) this.tell(picture); });
    picture.addEventListener("click", (event) => { if (at(event)) this.go(); });
    picture.addEventListener("focus", () => this.tell(picture));
    const moves: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    picture.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.go();
      const move = moves[event.key];
      if (move === undefined) return;
      event.preventDefault();
      const limit = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
      const { column, row } = this.at();
      this.cursor = { column: limit(column + move[0], this.grid!.l1.length), row: limit(row + move[1], this.grid!.l2.length) };
      this.tell(picture);
    });
  }

  private data(): { head: string[]; rows: (string | number | null)[][] } {
    const grid = this.grid ?? { l1: [], l2: [], values: [] };
    const error = this.recorded !== null;
    return {
      head: ["l1", "l2", "steps", ...(error ? ["error_percent"] : [])],
      rows: grid.l2.flatMap((l2, j) => grid.l1.map((l1, i) => [l1, l2, this.steps[j]![i]!, ...(error ? [grid.values[j]![i]!] : [])])),
    };
  }
}
