// The figures of one run, and their change against the baseline.

import type { ExploreResult } from "../../../../engine/engine";
import { button, h, signed } from "../../dom";
import { type Parameters, describe } from "./parameters";

export interface Run {
  parameters: Parameters;
  result: ExploreResult;
}

// Steps in which every warp waited for a memory access, as a share of all steps.
export const waitingShare = (r: ExploreResult): number => (r.waiting_steps ?? 0) / r.steps;
// Scheduler-steps without a warp, as a share of all.
export const idleShare = (run: Run): number =>
  (run.result.idle_scheduler_steps ?? 0) / (run.result.steps * run.parameters.S);

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function figure(label: string, id: string, value: string, change: string | null, hint: string): HTMLElement {
  return h("div", { class: "figure", title: hint },
    h("div", { class: "muted" }, label),
    h("div", { class: "big", "data-figure": id }, value),
    h("div", { class: "change", "data-change": id }, change ?? " "));
}

const outcomes: Record<ExploreResult["outcome"], string> = {
  goal: "All warps ended.",
  dead: "No transition was enabled before all warps ended: the run is stuck.",
  limit: "The run was cut off at 20,000,000 steps.",
};

export function numbers(run: Run, baseline: Run | null, onUnpin: () => void): HTMLElement {
  const { result } = run;
  const than = baseline?.result;
  const steps = than === undefined ? null
    : `${signed(result.steps - than.steps, 0)} steps (${signed((100 * (result.steps - than.steps)) / than.steps)} %)`;
  const points = (now: number, before: number | undefined): string | null =>
    before === undefined ? null : `${signed(100 * (now - before))} points`;
  return h("section", { class: "numbers", "aria-label": "Result", "aria-live": "polite" },
    h("p", { class: "printed" }, "Parameters: ", describe(run.parameters), "."),
    h("div", { class: "row" },
      figure("steps until all warps ended", "steps", result.steps.toLocaleString("en"), steps, "the prediction of the paper's net"),
      figure("steps in which all warps wait", "waiting", percent(waitingShare(result)),
        points(waitingShare(result), than && waitingShare(than)), "no scheduler has a warp and every warp that has not ended waits"),
      figure("idle schedulers", "idle", percent(idleShare(run)), points(idleShare(run), baseline ? idleShare(baseline) : undefined),
        "scheduler-steps without a warp, of all scheduler-steps"),
      h("p", { class: result.outcome === "goal" ? "muted outcome" : "bad outcome" }, outcomes[result.outcome])),
    baseline && h("p", { class: "muted" }, "Baseline: ", describe(baseline.parameters), ". ", button("Unpin", onUnpin)));
}
