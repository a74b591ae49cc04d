// The head of a launch's page: times, warnings, the launches of a program.

import { field, h, select, signed, significant, table } from "../../dom";
import type { LaunchAnswer, Prediction } from "./answers";
import { scrolling } from "./figure";
import { errorOf, knownTime } from "./rows";
import { titleOf, type Launch } from "./session";

function fact(title: string, value: string, note: string, kind = ""): HTMLElement {
  return h(
    "div",
    { class: "fact" },
    h("div", { class: "muted" }, title),
    h("div", { class: `big ${kind}` }, value),
    h("div", { class: "muted" }, note),
  );
}

export function timeFacts(launch: Launch, prediction: Prediction): HTMLElement {
  const value = prediction.time_us.value;
  const measured = prediction.measured_us;
  const known = knownTime(launch, prediction);
  const device = titleOf(prediction.device);
  const unit = prediction.net === "sm" ? "cycles" : "steps";
  const steps = `${prediction.steps.mean.toLocaleString("en")} ${unit}, net ${prediction.net}`;
  const facts: HTMLElement[] = [
    fact("Predicted", value === null ? "–" : `${significant(value)} µs`, `${steps}, ${device}`),
  ];
  if (value === null && prediction.outcome !== "limit") {
    facts.push(
      h("p", { class: "fact muted" }, `How long a step of net ${prediction.net} takes on this GPU is not known.`),
    );
  }
  if (measured !== null) {
    facts.push(
      fact(
        "Measured",
        `${significant(measured.value)} µs`,
        `5 to 95 %: ${significant(measured.p05)} to ${significant(measured.p95)} µs`,
      ),
    );
  } else if (known !== null) {
    const gpu = prediction.profiled_on === undefined ? "" : `on ${titleOf(prediction.profiled_on)}, `;
    facts.push(
      fact("Profiled", `${significant(known)} µs`, `${gpu}under the profiler: usually longer than back to back`),
    );
  }
  const error = errorOf(launch, prediction);
  if (error !== null) {
    facts.push(
      fact(
        "Difference",
        `${signed(100 * error)} %`,
        measured !== null ? "predicted against measured" : "predicted against profiled",
      ),
    );
  }
  return h("div", { class: "facts" }, ...facts);
}

export function warningsOf(prediction: Prediction, message: string): HTMLElement | null {
  const lines = prediction.warnings.map((warning) => h("li", {}, h("strong", {}, warning.kind), `: ${warning.text}`));
  if (prediction.device_estimate !== undefined) {
    lines.push(
      h(
        "li",
        {},
        h("strong", {}, "estimate"),
        `: the profile of this GPU was not measured (${prediction.device_estimate}).`,
      ),
    );
  }
  if (prediction.profiled_on !== undefined) {
    lines.push(
      h(
        "li",
        {},
        h("strong", {}, "counts"),
        `: the counts are those of the profiled GPU (${titleOf(prediction.profiled_on)}).`,
      ),
    );
  }
  if (prediction.time_us.borrowed === true) {
    lines.push(h("li", {}, h("strong", {}, "borrowed"), ": the time of a step was fitted to other programs."));
  }
  if (prediction.outcome === "limit") {
    lines.push(h("li", {}, h("strong", {}, "limit"), `: the run was cut off. ${message}`));
  }
  if (lines.length === 0) return null;
  return h("div", { class: "panel warned" }, h("h3", {}, "Warnings"), h("ul", {}, ...lines));
}

// The launches of a program. One of them, or all, is chosen for the pictures below.
export function launchesTable(
  launches: LaunchAnswer[],
  part: number | null,
  choose: (part: number | null) => void,
): HTMLElement | null {
  if (launches.length < 2) return null;
  const total = launches.reduce((sum, launch) => sum + (launch.time_us ?? 0) * launch.repeat, 0);
  const choice = select(
    [["", "all launches"], ...launches.map((l, i): [string, string] => [String(i + 1), `${i + 1}: ${l.kernel}`])],
    part === null ? "" : String(part),
    (value) => choose(value === "" ? null : Number(value)),
  );
  const shown = table(
    "Launches of the program",
    ["launch", "repeat", "grid", "block", "cycles each", "predicted µs each", "share %"],
    launches.map((launch) => [
      launch.kernel,
      launch.repeat,
      launch.grid.toLocaleString("en"),
      launch.block,
      launch.steps.mean.toLocaleString("en"),
      launch.time_us === null ? "–" : significant(launch.time_us),
      launch.time_us === null ? "–" : ((100 * launch.time_us * launch.repeat) / total).toFixed(1),
    ]),
    [false, true, true, true, true, true, true],
  );
  if (part !== null) shown.tBodies[0]!.rows[part - 1]!.className = "hot";
  return h(
    "section",
    { class: "panel" },
    h("h3", {}, "Launches of the program"),
    h("div", { class: "row" }, field("Reasons, units and timeline of", choice)),
    scrolling("Launches of the program", shown),
  );
}
