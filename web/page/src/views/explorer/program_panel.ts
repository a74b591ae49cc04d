// The launches of the sort to which a recorded kernel belongs, and their total.

import type { Context } from "../../context";
import { h, significant, table } from "../../dom";
import { Cancelled } from "../../engine_client";
import type { KernelCounts, Parameters } from "./parameters";

interface Answer {
  steps: { mean: number };
  launches: { kernel: string; repeat: number; grid: number; block: number; steps: { mean: number } }[];
  time_us: { value: number | null };
  measured_us: { value: number; source: string } | null;
}

const count = (n: number): string => n.toLocaleString("en", { maximumFractionDigits: 1 });

function launchTable({ launches, steps }: Answer, own: string): HTMLElement {
  const rows = launches.map((l) => [l.kernel, count(l.repeat), count(l.grid), count(l.block), count(l.steps.mean),
    count(l.repeat * l.steps.mean), (100 * (l.repeat * l.steps.mean) / steps.mean).toFixed(1)]);
  const shown = table("Launches of the sort", ["launch", "times", "blocks", "threads", "steps each", "steps in all", "share %"],
    [...rows, ["total", count(launches.reduce((sum, l) => sum + l.repeat, 0)), "", "", "", count(steps.mean), "100.0"]],
    [false, true, true, true, true, true, true]);
  launches.forEach((launch, i) => shown.tBodies[0]!.rows[i]!.classList.toggle("own", launch.kernel === own));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Launches of the sort" }, shown);
}

export class ProgramPanel {
  readonly element = h("section", { class: "panel program", hidden: true, "aria-label": "All launches of the sort" });
  private run = 0; // the newest computation; older ones end

  constructor(private readonly context: Context, private readonly complain: (message: string) => void) {}

  // null: the counts are no recorded ones. Never fails: a message says what went wrong.
  async show(p: Parameters, kernel: KernelCounts | null): Promise<void> {
    const run = ++this.run;
    if (kernel === null) {
      this.element.hidden = true;
      return;
    }
    this.element.classList.add("stale");
    const sets = (["S", "l1", "l2"] as const).flatMap((key) => ["--set", `${key}=${p[key]}`]);
    try {
      const engine = this.context.helpers().at(-1)!; // the engine of the views stays free for the sliders
      const { code, stdout, stderr } = await engine.run(
        ["--model", kernel.model, "--net", p.net, ...sets, "--seed", String(p.seed), "--json", "-q"]);
      if (run !== this.run) return;
      if (code === 0) this.draw(p, kernel, JSON.parse(stdout) as Answer);
      else this.element.replaceChildren(h("p", { class: "failure" }, stderr.trim()));
      this.element.hidden = false;
    } catch (error) {
      if (run !== this.run) return;
      this.element.hidden = true;
      if (error instanceof Cancelled) return;
      const reason = error instanceof Error ? error.message : String(error);
      this.complain(`The launches of ${kernel.model} were not computed: ${reason}`);
    } finally {
      if (run === this.run) this.element.classList.remove("stale");
    }
  }

  private draw(p: Parameters, kernel: KernelCounts, answer: Answer): void {
    const { measured_us, time_us } = answer;
    const times = [
      ...(time_us.value === null ? [] : [`${significant(time_us.value)} µs predicted`]),
      ...(measured_us === null ? [] : [`${significant(measured_us.value)} µs recorded on the GPU`]),
    ].join(", ");
    this.element.replaceChildren(
      h("h2", {}, `All launches of ${kernel.model}`),
      h("p", {}, "Total: ", h("strong", { "data-figure": "total" }, `${count(answer.steps.mean)} steps`), times === "" ? "." : `, ${times}.`),
      h("p", { class: "muted" }, `The figures above are of one set of ${kernel.warps} warps of ${kernel.kernel} on one multiprocessor. ` +
        `The table has every launch of the sort, with all its kinds of warps and all its waves of blocks. It is for l1 = ${p.l1}, l2 = ${p.l2}, S = ${p.S}.`),
      launchTable(answer, kernel.kernel));
  }
}
