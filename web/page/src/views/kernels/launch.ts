// The page of one launch.

import type { Context } from "../../context";
import { button, field, h, select, signed, significant } from "../../dom";
import { Cancelled } from "../../engine_client";
import { safeName } from "../../files";
import type { LaunchAnswer, Prediction } from "./answers";
import { blockSizes } from "./block_sizes";
import { axesOf, modelFile, nearest, pointOf, type ModelFile } from "./model_file";
import { reasonsFigure } from "./reasons";
import { recordedStalls } from "./recorded";
import { knownTime } from "./rows";
import { predict, session, type Launch } from "./session";
import { sassFigure } from "./sass";
import { segmentsFigure } from "./segments";
import { sideBySide } from "./side_by_side";
import { partOf, Timeline } from "./timeline";
import { unitsFigure } from "./units";
import { whatIfs } from "./what_if";

export interface LaunchPageOptions {
  context: Context;
  launch: Launch;
  device: string; // "": the model's own
  redraw: () => void;
}

function fact(title: string, value: string, note: string, kind = ""): HTMLElement {
  return h("div", { class: "fact" }, h("div", { class: "muted" }, title), h("div", { class: `big ${kind}` }, value),
    h("div", { class: "muted" }, note));
}

function timeFacts(launch: Launch, prediction: Prediction): HTMLElement {
  const value = prediction.time_us.value;
  const measured = prediction.measured_us;
  const known = knownTime(launch, prediction);
  const device = session.devices.find((d) => d.name === prediction.device)?.title ?? prediction.device;
  const steps = `${prediction.steps.mean.toLocaleString("en")} ${prediction.net === "sm" ? "cycles" : "steps"}, net ${prediction.net}`;
  const facts = [fact("Predicted", value === null ? "–" : `${significant(value)} µs`, `${steps}, ${device}`)];
  if (measured !== null) {
    facts.push(fact("Measured", `${significant(measured.value)} µs`,
      `5 to 95 %: ${significant(measured.p05)} to ${significant(measured.p95)} µs`));
  } else if (known !== null) {
    facts.push(fact("Profiled", `${significant(known)} µs`, "under the profiler: usually longer than back to back"));
  }
  if (value !== null && known !== null) {
    facts.push(fact("Difference", `${signed(100 * (value / known - 1))} %`,
      measured !== null ? "predicted against measured" : "predicted against profiled"));
  }
  return h("div", { class: "facts" }, ...facts);
}

function warningsOf(prediction: Prediction, message: string): HTMLElement | null {
  const lines = prediction.warnings.map((warning) => h("li", {}, h("strong", {}, warning.kind), `: ${warning.text}`));
  if (prediction.device_estimate !== undefined) {
    lines.push(h("li", {}, h("strong", {}, "estimate"), `: the profile of this GPU was not measured (${prediction.device_estimate}).`));
  }
  if (prediction.profiled_on !== undefined) {
    lines.push(h("li", {}, h("strong", {}, "counts"), `: the counts are those of the profiled GPU (${prediction.profiled_on}).`));
  }
  if (prediction.time_us.borrowed === true) {
    lines.push(h("li", {}, h("strong", {}, "borrowed"), ": the time of a step was fitted to other programs."));
  }
  if (prediction.outcome === "limit") lines.push(h("li", {}, h("strong", {}, "limit"), `: the run was cut off. ${message}`));
  if (lines.length === 0) return null;
  return h("div", { class: "panel warned" }, h("h3", {}, "Warnings"), h("ul", {}, ...lines));
}

// The launches of a program. One of them, or all, is chosen for the pictures below.
function launchesTable(launches: LaunchAnswer[], part: number | null, choose: (part: number | null) => void): HTMLElement | null {
  if (launches.length < 2) return null;
  const number = (value: number | string): HTMLElement => h("td", { class: "number" }, value);
  const total = launches.reduce((sum, launch) => sum + (launch.time_us ?? 0) * launch.repeat, 0);
  const choice = select([["", "all launches"], ...launches.map((l, i): [string, string] => [String(i + 1), `${i + 1}: ${l.kernel}`])],
    part === null ? "" : String(part), (value) => choose(value === "" ? null : Number(value)));
  const share = (launch: LaunchAnswer): string => (launch.time_us === null ? "–" : (100 * launch.time_us * launch.repeat / total).toFixed(1));
  return h("section", { class: "panel" }, h("h3", {}, "Launches of the program"),
    h("div", { class: "row" }, field("Reasons, units and timeline of", choice)),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Launches of the program" },
      h("table", {}, h("caption", { class: "unseen" }, "Launches of the program"),
        h("thead", {}, h("tr", {}, ...["launch", "repeat", "grid", "block", "cycles each", "predicted µs each", "share %"].map((title, i) =>
          h("th", { scope: "col", class: i > 0 ? "number" : null }, title)))),
        h("tbody", {}, ...launches.map((launch, i) => h("tr", { class: i + 1 === part ? "hot" : null }, h("th", { scope: "row" }, launch.kernel),
          number(launch.repeat), number(launch.grid.toLocaleString("en")), number(launch.block), number(launch.steps.mean.toLocaleString("en")),
          number(launch.time_us === null ? "–" : significant(launch.time_us)), number(share(launch))))))));
}

export class LaunchPage {
  readonly element = h("div", { class: "launch" });
  private isClosed = false;
  private isComputing = false;

  constructor(private readonly options: LaunchPageOptions) {
    this.element.append(h("p", { class: "muted" }, "Predicting ..."));
    void this.fill();
  }

  // A computation that is under way would delay the next one.
  close(): void {
    this.isClosed = true;
    const { context } = this.options;
    if (this.isComputing) void context.cancel().then(() => context.say(""));
  }

  private get set(): string[] {
    return (this.options.context.state.get("set") ?? "").split(" ").filter((s) => /^[A-Za-z_]\w*=\d+$/.test(s));
  }

  private async fill(): Promise<void> {
    const { context, launch, device } = this.options;
    try {
      const answer = await this.computing(predict(context.engine, launch, device, this.set));
      if (this.isClosed) return;
      const model = await modelFile(context.engine, launch);
      const stalls = launch.isShipped && answer.value !== null ? await recordedStalls(context.engine, answer.value) : [launch.stalls];
      if (this.isClosed) return;
      if (answer.value === null) {
        this.element.replaceChildren(this.title(launch.name), ...this.point(model, {}), h("p", { class: "panel failure", role: "alert" }, answer.message));
      } else {
        this.show(answer.value, answer.message, model, stalls);
      }
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      this.element.replaceChildren(h("p", { class: "muted" }, "Cancelled."), button("Predict it", () => void this.fill()));
    }
  }

  private async computing<T>(work: Promise<T>): Promise<T> {
    this.isComputing = true;
    try {
      return await work;
    } finally {
      this.isComputing = false;
    }
  }

  private title(kernel: string): HTMLElement {
    const { launch } = this.options;
    return h("div", {}, h("h2", { class: "kernelname" }, kernel),
      launch.fullName === undefined || launch.fullName === kernel ? null : h("p", { class: "muted mono fullname" }, launch.fullName));
  }

  // The choice of a recorded point, for models that have several.
  private point(model: ModelFile | null, parameters: Prediction["parameters"]): HTMLElement[] {
    const axes = model === null ? new Map<string, number[]>() : axesOf(model);
    if (model === null || axes.size === 0) return [];
    const problem = Object.fromEntries(Object.entries({ ...model.problem, ...parameters }).filter(([, v]) => typeof v === "number")) as Record<string, number>;
    const fields = [...axes].map(([name, values]) => field(name, select(values.map((v) => [String(v), v.toLocaleString("en")]), String(problem[name]), (value) => {
      const set = nearest(model, problem, name, Number(value));
      this.options.context.state.set({ set: set.length === 0 ? null : set.join(" "), cycles: null }, true);
      this.options.redraw();
    })));
    return [h("div", { class: "row controls", role: "group", "aria-label": "Recorded point" }, ...fields)];
  }

  private show(prediction: Prediction, message: string, model: ModelFile | null, stalls: (Map<string, number> | null)[]): void {
    const { launch } = this.options;
    const only = prediction.launches.length === 1 ? prediction.launches[0]! : null;
    const file = launch.key.replaceAll("/", "-");
    const shape = only === null ? null
      : h("p", { class: "muted" }, `grid ${only.grid.toLocaleString("en")}, block ${only.block}`);
    const withoutReasons = prediction.breakdown.schedulers !== undefined ? null
      : h("p", { class: "panel" }, "Where the cycles go is not known: the model has counts only. Drop the source page of its report, too.");
    const later = this.sections(prediction, file);
    const point = model === null ? undefined : pointOf(model, prediction.parameters);
    const segments = (point?.launches ?? []).map((l) => segmentsFigure(`${file}-${safeName(l.kernel)}`, l));
    const chosen = h("div", { class: "launch" });
    const choose = (): void => this.showPart(prediction, file, stalls, chosen, () => {
      choose();
      void this.computing(later[0]!.compute());
    });
    choose();
    const parts: (HTMLElement | null)[] = [
      this.title(launch.isShipped ? launch.name : only?.kernel ?? launch.name), shape, ...this.point(model, prediction.parameters),
      timeFacts(launch, prediction), warningsOf(prediction, message), withoutReasons, chosen,
      ...later.slice(0, 2).map((section) => section.element), ...segments, ...later.slice(2).map((section) => section.element),
    ];
    this.element.replaceChildren(...parts.filter((part) => part !== null));
    void this.computeAll(later);
  }

  // What depends on the chosen launch of a program.
  private showPart(prediction: Prediction, file: string, stalls: (Map<string, number> | null)[], place: HTMLElement, again: () => void): void {
    const { launches } = prediction;
    const part = partOf(this.options.context.state.get("part"), launches.length);
    const index = launches.length === 1 ? 0 : part === null ? null : part - 1;
    const breakdown = (index === null || launches.length === 1 ? undefined : launches[index]!.breakdown) ?? prediction.breakdown;
    const table = launchesTable(launches, part, (next) => {
      this.options.context.state.set({ part: next === null ? null : String(next), cycles: null });
      again();
    });
    const name = part === null ? file : `${file}-${part}`;
    const pictures = [table, reasonsFigure(name, breakdown, index === null ? null : stalls[index] ?? null, index === null), unitsFigure(name, breakdown)];
    place.replaceChildren(...pictures.filter((picture) => picture !== null));
  }

  // What takes longer than the prediction, in the order of the page.
  private sections(prediction: Prediction, file: string): Section[] {
    const { context, launch, device } = this.options;
    const timeline = new Timeline(context, launch, device, this.set, prediction, file);
    const own = prediction.launches[0]?.block ?? 128;
    const shown = [
      new Section("Timeline of an SM", async () => { await timeline.show(); return timeline.element; }),
      new Section("SASS by share of the time", () => sassFigure(context, launch)),
      new Section("What would help", () => whatIfs(context, launch, device, this.set)),
      new Section("Block sizes", (again) => blockSizes(context, launch, device, this.set, own, again)),
      new Section("GPUs side by side", (again) => sideBySide(context, launch, this.set, again)),
    ];
    // Only the SM net answers the questions behind the timeline.
    return prediction.net === "sm" ? shown : shown.slice(0, 1);
  }

  // The what-ifs take longest: they come last.
  private async computeAll(sections: Section[]): Promise<void> {
    const [timeline, sass, help, ...others] = sections;
    let isCancelled = false;
    for (const section of [timeline, sass, ...others, help]) {
      if (this.isClosed || section === undefined) return;
      if (isCancelled) section.offer("Cancelled.", "muted");
      else isCancelled = !await this.computing(section.compute());
    }
  }
}

// A part of the page that is computed after the page is shown.
class Section {
  readonly element: HTMLElement;

  constructor(private readonly name: string, private readonly make: (again: () => void) => Promise<HTMLElement | null>) {
    this.element = h("div", { "data-section": name }, this.panel(h("p", { class: "muted" }, "Computing ...")));
  }

  private panel(...children: HTMLElement[]): HTMLElement {
    return h("section", { class: "panel" }, h("h3", {}, this.name), ...children);
  }

  // false: the user cancelled it.
  async compute(): Promise<boolean> {
    try {
      const made = await this.make(() => void this.compute());
      this.element.hidden = made === null;
      if (made !== null) this.element.replaceChildren(made);
      return true;
    } catch (error) {
      const isCancelled = error instanceof Cancelled;
      this.offer(isCancelled ? "Cancelled." : error instanceof Error ? error.message : String(error), isCancelled ? "muted" : "failure");
      return !isCancelled;
    }
  }

  // A message, and a button that computes it.
  offer(message: string, kind: string): void {
    this.element.replaceChildren(this.panel(h("p", { class: kind }, message), button("Compute it", () => {
      this.element.replaceChildren(this.panel(h("p", { class: "muted" }, "Computing ...")));
      void this.compute();
    })));
  }
}
