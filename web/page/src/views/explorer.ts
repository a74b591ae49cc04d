// The explorer of the paper's net: parameters, the figures of a run, its schedule, a surface over the
// latencies.

import type { ExploreResult } from "../../../engine/engine";
import type { Context, View } from "../context";
import { h } from "../dom";
import { Cancelled, isFailure } from "../engine_client";
import { type ControlEvents, controls } from "./explorer/controls";
import { type Run, numbers } from "./explorer/numbers";
import { type Parameters, countsOf, endsOf, faultsOf, packed, presets, read, request, same, unpacked, write } from "./explorer/parameters";
import { ProgramPanel } from "./explorer/program_panel";
import { Surface } from "./explorer/surface";
import { timelinePanel } from "./explorer/timeline";

const progress_after_ms = 500;
const otherColours = ["(prefers-color-scheme: dark)", "print"]; // the schedule is painted again
const radix = ["radix_shared", "radix_global", "radix_coalesced"];

class Explorer {
  private parameters: Parameters;
  private baseline: Run | null = null;
  private latest: Run | null = null;
  private computing = false;
  private readonly result = h("div", {});
  private readonly timeline = timelinePanel();
  private readonly controls: ReturnType<typeof controls>;
  private readonly surface: Surface;
  private readonly program: ProgramPanel;
  private surfaceTimer = 0;
  private timelineTimer = 0;
  private closed = false;
  private isWrong = false; // a field has no number of its range: the message stays
  private isTellingProgress = false;

  constructor(private readonly root: HTMLElement, private readonly context: Context) {
    const { state } = context;
    this.parameters = read((key) => state.get(key));
    this.controls = controls(this.parameters, this.events());
    this.surface = new Surface(context, radix, endsOf(state), {
      go: (l1, l2) => this.change({ ...this.parameters, l1, l2 }, true),
      view: () => this.keepSurface(),
      progress: (text) => this.tellProgress(text),
    });
    this.program = new ProgramPanel(context, (message) => this.complain(message));
    root.append(h("p", { class: "lead" }, "One multiprocessor of the paper's net: W warps take their instructions in random order, wait out the latencies l1 and l2, ",
      "and compete for S schedulers. The number of steps until every warp ended is the prediction."),
      h("div", { class: "columns" }, this.controls.element, h("div", { class: "results" }, this.result, this.program.element, this.timeline.element, this.surface.element)));
    state.onChange(() => this.inBackground(this.restore()));
    window.addEventListener("resize", this.redraw);
    for (const colours of otherColours) matchMedia(colours).addEventListener("change", this.redraw);
  }

  start(): void {
    this.inBackground(this.begin());
  }

  private async begin(): Promise<void> {
    await this.restore();
    await this.surface.settled(); // these commands would delay it
    const lists = await Promise.all(radix.map((model) => countsOf(this.context.engine, model)));
    if (this.closed) return;
    this.controls.offerKernels(lists.flat());
    this.inBackground(this.program.show(this.parameters, this.controls.kernel()));
  }

  // Work that nobody waits for: the message line says why it failed.
  private inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!(error instanceof Cancelled)) this.complain(error instanceof Error ? error.message : String(error));
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.surfaceTimer);
    clearTimeout(this.timelineTimer);
    window.removeEventListener("resize", this.redraw);
    for (const colours of otherColours) matchMedia(colours).removeEventListener("change", this.redraw);
    this.root.replaceChildren();
  }

  private readonly redraw = (): void => this.timeline.redraw();

  private events(): ControlEvents {
    return {
      onChange: (p) => this.change(p, false),
      onWrong: (message) => {
        this.isWrong = true;
        this.complain(message);
      },
      onKernel: ({ warps, xa, xs, xg }) => this.change({ ...this.parameters, W: warps, xa, xs, xg }, true),
      onPin: () => this.pin(),
      onReset: () => this.change(presets(), true),
    };
  }

  private keepSurface(): void {
    const ends = this.surface.ends();
    const model = this.surface.element.querySelector("select")!.value;
    this.context.state.set({ l1end: ends.l1 === 400 ? null : String(ends.l1), l2end: ends.l2 === 40 ? null : String(ends.l2), surface: model || null });
  }

  private pin(): void {
    if (this.latest === null) return;
    this.baseline = this.latest;
    this.context.state.set({ base: packed(this.latest.parameters) }, true);
    this.draw();
  }

  private tellProgress(text: string): void {
    if (this.isWrong || this.closed || (text === "" && !this.isTellingProgress)) return;
    this.isTellingProgress = text !== "";
    this.context.say(text, "progress");
  }

  // Work that ends after the view is closed must not write over the next view's messages.
  private complain(message: string): void {
    if (!this.closed) this.context.say(message, "error");
  }

  // A number that was being typed arrives after a pause: the view may be closed by then.
  private change(p: Parameters, tell: boolean): void {
    if (this.closed) return;
    this.isWrong = false;
    this.context.say("");
    this.parameters = p;
    if (tell) this.controls.show(p);
    write(this.context.state, p);
    if (this.latest !== null && !same(this.latest.parameters, p)) this.result.setAttribute("aria-busy", "true");
    this.inBackground(this.compute());
  }

  // From the address: at the start, and when the user goes back.
  private async restore(): Promise<void> {
    const { state } = this.context;
    this.parameters = read((key) => state.get(key));
    this.controls.show(this.parameters);
    this.context.misread(faultsOf(state, radix));
    const base = unpacked(state.get("base"));
    this.baseline = null;
    if (base !== null) this.baseline = await this.baselineOf(base);
    this.surface.setEnds(endsOf(state));
    const surface = state.get("surface") ?? "";
    this.surface.setModel(radix.includes(surface) ? surface : "");
    await this.compute();
  }

  // null: it cannot be computed, and the message line says why; the view goes on without it.
  private async baselineOf(base: Parameters): Promise<Run | null> {
    try {
      const result = await this.context.engine.explore(request(base));
      if (!isFailure(result)) return { parameters: base, result };
      this.complain(`The baseline was not computed: ${result.error}`);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.complain(`The baseline was not computed: ${error instanceof Error ? error.message : String(error)}`);
    }
    return null;
  }

  // One computation at a time; the newest parameters win. The figures come first, the schedule and
  // the surface when the parameters rest.
  private async compute(): Promise<void> {
    if (this.computing) return;
    this.computing = true;
    try {
      for (let shown: Parameters | null = null; !this.closed && (shown === null || !same(shown, this.parameters));) {
        shown = this.parameters;
        await this.computeOnce(shown);
      }
    } catch (error) {
      if (!(error instanceof Cancelled)) this.complain(String(error));
    } finally {
      this.computing = false;
    }
  }

  private async computeOnce(p: Parameters): Promise<void> {
    const began = performance.now();
    const long = window.setTimeout(() => this.tellProgress(`Computing one run of ${p.W.toLocaleString("en")} warps ...`), progress_after_ms);
    const result = await this.context.engine.explore({ ...request(p), timeline: !this.isLarge(p) }).finally(() => clearTimeout(long));
    if (this.closed) return;
    this.tellProgress("");
    if (isFailure(result)) {
      this.context.say(result.error, "error");
      return;
    }
    this.take(p, result);
    this.root.dataset.ms = String(performance.now() - began);
    this.root.dataset.shown = packed(p);
    clearTimeout(this.timelineTimer);
    if (this.isLarge(p)) this.timelineTimer = window.setTimeout(() => this.inBackground(this.largeTimeline(p)), 80);
    clearTimeout(this.surfaceTimer);
    this.surfaceTimer = window.setTimeout(() => this.showRested(p), 120);
  }

  private showRested(p: Parameters): void {
    this.surface.show(p);
    this.inBackground(this.program.show(p, this.controls.kernel()));
  }

  // With many warps the schedule takes longer than the figures, which are shown first.
  private isLarge(p: Parameters): boolean {
    return p.W * (p.xa + p.xs + p.xg) > 2000;
  }

  private async largeTimeline(p: Parameters): Promise<void> {
    if (!same(p, this.parameters) || this.closed) return;
    try {
      const result = await this.context.engine.explore({ ...request(p), timeline: true });
      if (isFailure(result) || result.timeline === undefined || !same(p, this.parameters)) return;
      this.timeline.show(result.timeline, result.steps);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.complain(String(error));
    }
  }

  private take(p: Parameters, result: ExploreResult): void {
    this.latest = { parameters: p, result };
    this.result.removeAttribute("aria-busy");
    this.draw();
    if (result.timeline !== undefined) this.timeline.show(result.timeline, result.steps);
  }

  private draw(): void {
    if (this.latest === null) return;
    this.result.replaceChildren(numbers(this.latest, this.baseline, () => {
      this.baseline = null;
      this.context.state.set({ base: null }, true);
      this.draw();
    }));
  }
}

export const explorer: View = (root, context) => {
  const view = new Explorer(root, context);
  view.start();
  return () => view.close();
};
