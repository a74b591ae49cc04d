// The page of one launch.

import type { Context } from "../../context";
import { h, signed, significant } from "../../dom";
import { Cancelled } from "../../engine_client";
import type { LaunchAnswer, Prediction } from "./answers";
import { reasonsFigure } from "./reasons";
import { knownTime } from "./rows";
import { predict, session, type Launch } from "./session";
import { unitsFigure } from "./units";

export interface LaunchPageOptions {
  context: Context;
  launch: Launch;
  device: string;
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
  return h("div", { class: "panel warnings" }, h("h3", {}, "Warnings"), h("ul", {}, ...lines));
}

function launchesTable(launches: LaunchAnswer[]): HTMLElement | null {
  if (launches.length < 2) return null;
  const number = (value: number | string): HTMLElement => h("td", { class: "number" }, value);
  return h("section", { class: "panel" }, h("h3", {}, "Launches"), h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Launches of the program" },
    h("table", {}, h("caption", { class: "unseen" }, "Launches of the program"),
      h("thead", {}, h("tr", {}, ...["launch", "repeat", "grid", "block", "cycles each", "predicted µs"].map((title, i) =>
        h("th", { scope: "col", class: i > 0 ? "number" : null }, title)))),
      h("tbody", {}, ...launches.map((launch) => h("tr", {}, h("th", { scope: "row" }, launch.kernel), number(launch.repeat),
        number(launch.grid.toLocaleString("en")), number(launch.block), number(launch.steps.mean.toLocaleString("en")),
        number(launch.time_us === null ? "–" : significant(launch.time_us))))))));
}

export class LaunchPage {
  readonly element = h("div", { class: "launch" });
  private isClosed = false;

  constructor(private readonly options: LaunchPageOptions) {
    this.element.append(h("p", { class: "muted" }, "Predicting ..."));
    void this.fill();
  }

  close(): void {
    this.isClosed = true;
  }

  private async fill(): Promise<void> {
    const { context, launch, device } = this.options;
    try {
      const answer = await predict(context.engine, launch, device);
      if (this.isClosed) return;
      if (answer.value === null) this.element.replaceChildren(this.title(launch.name), h("p", { class: "failure", role: "alert" }, answer.message));
      else this.show(answer.value, answer.message);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      this.element.replaceChildren(h("p", { class: "muted" }, "Cancelled."));
    }
  }

  private title(kernel: string): HTMLElement {
    const { launch } = this.options;
    return h("div", {}, h("h2", { class: "kernelname" }, kernel),
      launch.fullName === undefined || launch.fullName === kernel ? null : h("p", { class: "muted mono fullname" }, launch.fullName));
  }

  private show(prediction: Prediction, message: string): void {
    const { launch } = this.options;
    const only = prediction.launches.length === 1 ? prediction.launches[0]! : null;
    const file = launch.key.replaceAll("/", "-");
    const shape = only === null ? Object.entries(prediction.parameters).filter(([name]) => !["S", "l1", "l2"].includes(name))
      .map(([name, value]) => `${name} = ${String(value)}`).join(", ")
      : `grid ${only.grid.toLocaleString("en")}, block ${only.block}`;
    const withoutReasons = prediction.breakdown.schedulers !== undefined ? null
      : h("p", { class: "panel" }, "Where the cycles go is not known: the model has counts only. Drop the source page of its report, too.");
    const parts: (HTMLElement | null)[] = [
      this.title(launch.isShipped ? launch.name : only?.kernel ?? launch.name), h("p", { class: "muted" }, shape),
      timeFacts(launch, prediction), warningsOf(prediction, message), launchesTable(prediction.launches), withoutReasons,
      reasonsFigure(file, prediction.breakdown, launch.stalls), unitsFigure(file, prediction.breakdown),
    ];
    this.element.replaceChildren(...parts.filter((part) => part !== null));
  }
}
