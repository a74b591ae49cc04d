// The page of one launch.

import type { Context } from "../../context";
import { button, field, h, select } from "../../dom";
import { Cancelled } from "../../engine_client";
import { safeName } from "../../files";
import type { Prediction, SegmentShare } from "./answers";
import { blockSizes } from "./block_sizes";
import { launchesTable, timeFacts, warningsOf } from "./facts";
import { faultsOf, settingsOf } from "./link";
import { axesOf, modelFile, nearest, pointOf, type ModelFile, type ModelLaunch } from "./model_file";
import { reasonsFigure } from "./reasons";
import { recordedStalls } from "./recorded";
import { sassFigure } from "./sass";
import { Section } from "./section";
import { segmentsFigure } from "./segments";
import { forgetCancelled, predict, type Launch } from "./session";
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

// The shares of the launch at this place of the model, if the prediction is of the same launch.
function segmentTimes({ launches }: Prediction, launch: ModelLaunch, index: number): SegmentShare[] | undefined {
  const answer = launches[index];
  const shares = answer?.kernel === launch.kernel ? answer.breakdown?.segments : undefined;
  return shares?.length === launch.segments?.length ? shares : undefined;
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
    return settingsOf(this.options.context.state);
  }

  private async fill(): Promise<void> {
    const { context, launch, device } = this.options;
    try {
      forgetCancelled(launch, device, this.set);
      const answer = await this.computing(predict(context.engine, launch, device, this.set));
      if (this.isClosed) return;
      const model = await modelFile(context.engine, launch);
      const stalls =
        launch.isShipped && answer.value !== null
          ? await recordedStalls(context.engine, answer.value)
          : [launch.stalls];
      if (this.isClosed) return;
      if (answer.value === null) {
        this.element.replaceChildren(
          this.title(launch.name),
          ...this.point(model, {}),
          h("p", { class: "panel failure", role: "alert" }, answer.message),
        );
      } else {
        this.show(answer.value, answer.message, model, stalls);
      }
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      this.element.replaceChildren(
        h("p", { class: "muted" }, "Cancelled."),
        button("Predict it", () => void this.fill()),
      );
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
    return h(
      "div",
      {},
      h("h2", { class: "kernelname" }, kernel),
      launch.fullName === undefined || launch.fullName === kernel
        ? null
        : h("p", { class: "muted mono fullname" }, launch.fullName),
    );
  }

  // The choice of a recorded point, for models that have several.
  private point(model: ModelFile | null, parameters: Prediction["parameters"]): HTMLElement[] {
    const axes = model === null ? new Map<string, number[]>() : axesOf(model);
    if (model === null || axes.size === 0) return [];
    const problem = Object.fromEntries(
      Object.entries({ ...model.problem, ...parameters }).filter(([, v]) => typeof v === "number"),
    ) as Record<string, number>;
    const fields = [...axes].map(([name, values]) =>
      field(
        name,
        select(
          values.map((v) => [String(v), v.toLocaleString("en")]),
          String(problem[name]),
          (value) => {
            const set = nearest(model, problem, name, Number(value));
            this.options.context.state.set({ set: set.length === 0 ? null : set.join(" "), cycles: null }, true);
            this.options.redraw();
          },
        ),
      ),
    );
    return [h("div", { class: "row controls", role: "group", "aria-label": "Recorded point" }, ...fields)];
  }

  private show(
    prediction: Prediction,
    message: string,
    model: ModelFile | null,
    stalls: (Map<string, number> | null)[],
  ): void {
    const { context, launch } = this.options;
    context.misread(faultsOf(context.state, prediction.launches.length));
    const only = prediction.launches.length === 1 ? prediction.launches[0]! : null;
    const file = launch.key.replaceAll("/", "-");
    const shape =
      only === null ? null : h("p", { class: "muted" }, `grid ${only.grid.toLocaleString("en")}, block ${only.block}`);
    const withoutReasons =
      prediction.breakdown.schedulers !== undefined
        ? null
        : h(
            "p",
            { class: "panel" },
            "Where the cycles go is not known: the model has counts only. Drop the source page of its report, too.",
          );
    const later = this.sections(prediction, file);
    const point = model === null ? undefined : pointOf(model, prediction.parameters);
    const segments = (point?.launches ?? []).map((l, i) =>
      segmentsFigure(`${file}-${safeName(l.kernel)}`, l, segmentTimes(prediction, l, i)),
    );
    const chosen = h("div", { class: "launch" });
    const choose = (): void =>
      this.showPart(prediction, file, stalls, chosen, () => {
        choose();
        void this.computing(later[0]!.compute());
      });
    choose();
    const parts: (HTMLElement | null)[] = [
      this.title(launch.isShipped ? launch.name : (only?.kernel ?? launch.name)),
      shape,
      ...this.point(model, prediction.parameters),
      timeFacts(launch, prediction),
      warningsOf(prediction, message),
      withoutReasons,
      chosen,
      ...later.slice(0, 2).map((section) => section.element),
      ...segments,
      ...later.slice(2).map((section) => section.element),
    ];
    this.element.replaceChildren(...parts.filter((part) => part !== null));
    void this.computeAll(later);
  }

  // What depends on the chosen launch of a program.
  private showPart(
    prediction: Prediction,
    file: string,
    stalls: (Map<string, number> | null)[],
    place: HTMLElement,
    again: () => void,
  ): void {
    const { launches } = prediction;
    const part = partOf(this.options.context.state.get("part"), launches.length);
    const index = launches.length === 1 ? 0 : part === null ? null : part - 1;
    const breakdown =
      (index === null || launches.length === 1 ? undefined : launches[index]!.breakdown) ?? prediction.breakdown;
    const table = launchesTable(launches, part, (next) => {
      this.options.context.state.set({ part: next === null ? null : String(next), cycles: null });
      again();
    });
    const name = part === null ? file : `${file}-${part}`;
    const pictures = [
      table,
      reasonsFigure(name, breakdown, index === null ? null : (stalls[index] ?? null), index === null),
      unitsFigure(name, breakdown),
    ];
    place.replaceChildren(...pictures.filter((picture) => picture !== null));
  }

  // What takes longer than the prediction, in the order of the page.
  private sections(prediction: Prediction, file: string): Section[] {
    const { context, launch, device } = this.options;
    const timeline = new Timeline(context, launch, device, this.set, prediction, file);
    const own = prediction.launches[0]?.block ?? 128;
    const shown = [
      new Section("Timeline of an SM", async () => {
        await timeline.show();
        return timeline.element;
      }),
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
    const { context } = this.options;
    const [timeline, sass, help, ...others] = sections;
    const inOrder = [timeline, sass, ...others, help].filter((section) => section !== undefined);
    let isCancelled = false;
    for (const [i, section] of inOrder.entries()) {
      if (this.isClosed) return;
      if (isCancelled) {
        section.offer("Cancelled.", "muted");
        continue;
      }
      context.say(`Computing part ${i + 1} of ${inOrder.length}: ${section.name} ...`, "progress");
      isCancelled = !(await this.computing(section.compute()));
    }
    if (!this.isClosed && !isCancelled) context.say("");
  }
}
