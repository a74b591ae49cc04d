// Kernels: pages of Nsight Compute or kernel models are dropped, launches are predicted and explained.

import type { Context, DroppedFile, View } from "../context";
import { button, field, h, select } from "../dom";
import { Cancelled } from "../engine_client";
import { sizeText } from "../files";
import { LaunchPage } from "./kernels/launch";
import { faultsOf, settingsOf } from "./kernels/link";
import { noticePanels } from "./kernels/notices";
import { printedText } from "./kernels/printed";
import { Intake } from "./kernels/profile";
import {
  gpusOf,
  loadShipped,
  markCancelled,
  ownDevice,
  pointKey,
  predict,
  session,
  type Launch,
} from "./kernels/session";
import { LaunchTable } from "./kernels/table";

const longPrediction_s = 4;

interface Part {
  element: HTMLElement;
  close(): void;
}

class KernelsView {
  private readonly controls = h("div", { class: "panel controls" });
  private readonly printed = h("p", { class: "printed" });
  private readonly notices = h("div", { class: "notices" });
  private readonly place = h("div");
  private part: Part | null = null;
  private round = 0; // predictions of an earlier one stop
  private isClosed = false;
  private isTaking = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly context: Context,
  ) {
    root.append(this.controls, this.printed, this.notices, this.place);
    context.state.onChange(() => this.draw());
    void this.start();
  }

  close(): void {
    this.isClosed = true;
    ++this.round;
    this.part?.close();
    this.root.replaceChildren();
  }

  private async start(): Promise<void> {
    await loadShipped(this.context.engine);
    if (this.isClosed) return;
    this.draw();
    this.context.onFiles((files) => void this.take(files));
  }

  private async take(files: DroppedFile[]): Promise<void> {
    if (this.isTaking) {
      this.context.say("Other files are still being read: wait, or cancel them.", "error");
      return;
    }
    this.isTaking = true;
    ++this.round;
    const before = session.dropped.length;
    this.showLoading(files);
    try {
      await new Intake(this.context).take(files);
    } finally {
      this.isTaking = false;
    }
    if (this.isClosed) return;
    const errors = session.notices.filter((notice) => notice.kind === "error").length;
    this.context.say(
      errors > 0 ? "Not everything could be read: the messages are above." : "",
      errors > 0 ? "error" : "info",
    );
    if (session.dropped.length > 0 || before > 0)
      this.context.state.set({ from: "files", model: null, launch: null }, true);
    this.draw();
  }

  // Launches of before would look like those of the files.
  private showLoading(files: DroppedFile[]): void {
    this.part?.close();
    this.part = null;
    const most = 20;
    const more = files.length > most ? [h("li", {}, `and ${files.length - most} more`)] : [];
    this.place.replaceChildren(
      h(
        "section",
        { class: "panel loading", role: "status", "aria-busy": true },
        h("h2", {}, `Reading ${files.length === 1 ? "the file" : `${files.length} files`} …`),
        h("ul", {}, ...files.slice(0, most).map((file) => h("li", {}, `${file.name}, ${sizeText(file.bytes)}`)), ...more),
        h("p", { class: "muted" }, "The launches are shown here when all files have been read."),
      ),
    );
  }

  private forget(): void {
    session.forget();
    this.context.state.set({ from: null, launch: null, model: null }, true);
    this.draw();
  }

  private get device(): string {
    const wanted = this.context.state.get("device");
    return session.devices.some((device) => device.name === wanted) ? wanted! : ownDevice;
  }

  private get beside(): string | null {
    const wanted = this.context.state.get("beside");
    return session.devices.some((device) => device.name === wanted) ? wanted : null;
  }

  private get isShippedShown(): boolean {
    const from = this.context.state.get("from");
    return from === "shipped" || (from !== "files" && session.dropped.length === 0);
  }

  private hrefOf(values: Record<string, string | null>): string {
    const kept = new URLSearchParams();
    for (const key of ["from", "device", "beside", "sort", "filter"]) {
      const value = this.context.state.get(key);
      if (value !== null) kept.set(key, value);
    }
    for (const [key, value] of Object.entries(values)) {
      if (value !== null) kept.set(key, value);
    }
    return `#kernels?${kept.toString()}`;
  }

  private draw(): void {
    ++this.round;
    this.part?.close();
    this.drawControls();
    this.printed.textContent = printedText(this.shownLaunches(), this.device, this.beside, settingsOf(this.context.state));
    this.context.misread(faultsOf(this.context.state, null));
    const model = this.context.state.get("model");
    const key = model ?? this.context.state.get("launch");
    this.notices.replaceChildren(...noticePanels(key === null ? session.notices : []));
    if (key === null) this.showTable();
    else this.showLaunch(key, model !== null);
  }

  private drawControls(): void {
    const gpus = session.devices.map((d): [string, string] => [
      d.name,
      d.estimate === null ? d.title : `${d.title} (estimate)`,
    ]);
    const device = select([[ownDevice, this.ownDeviceTitle()], ...gpus], this.device, (value) => {
      this.context.state.set({ device: value === ownDevice ? null : value }, true);
      this.draw();
    });
    const sources: [string, string][] = [["shipped", `Shipped models (${session.shipped.length})`]];
    if (session.dropped.length > 0)
      sources.unshift(["files", `Dropped files (${session.dropped.length.toLocaleString("en")} launches)`]);
    const source = select(sources, this.isShippedShown ? "shipped" : "files", (value) => {
      this.context.state.set({ from: value, model: null, launch: null }, true);
      this.draw();
    });
    this.controls.replaceChildren(
      h(
        "div",
        { class: "row" },
        field("Launches", source),
        field("GPU", device),
        this.isLaunchShown ? null : field("Beside", this.besideSelect(gpus)),
        button("Choose files …", () => this.context.chooseFiles(), { class: "primary" }),
        session.dropped.length === 0
          ? null
          : button("Forget the files", () => this.forget(), {
              title: "Remove the launches of all dropped files from this page",
            }),
        h(
          "p",
          { class: "muted hint" },
          "or drop them anywhere: the raw and the source page of Nsight Compute (CSV), or kernel models (JSON).",
        ),
      ),
    );
  }

  private shownLaunches(): Launch[] {
    const { state } = this.context;
    const key = state.get("model") ?? state.get("launch");
    const one = key === null ? undefined : session.find(key, state.get("model") !== null);
    return one !== undefined ? [one] : this.isShippedShown ? session.shipped : session.dropped;
  }

  // Names the profiled GPU where all launches that are shown have the same one.
  private ownDeviceTitle(): string {
    const gpus = gpusOf(this.shownLaunches());
    return gpus.length === 1 ? `the profiled one (${gpus[0]})` : "the profiled one";
  }

  private get isLaunchShown(): boolean {
    return (this.context.state.get("model") ?? this.context.state.get("launch")) !== null;
  }

  // A second GPU in the table.
  private besideSelect(gpus: [string, string][]): HTMLSelectElement {
    return select([["", "no other GPU"], ...gpus], this.beside ?? "", (value) => {
      this.context.state.set({ beside: value === "" ? null : value }, true);
      this.draw();
    });
  }

  private showTable(): void {
    const launches = this.isShippedShown ? session.shipped : session.dropped;
    if (launches.length === 0) {
      this.part = null;
      this.place.replaceChildren(
        h(
          "p",
          { class: "panel" },
          "This link is about files that were dropped on the page. They stay on your machine: drop them again.",
        ),
      );
      return;
    }
    const table = new LaunchTable({
      context: this.context,
      launches,
      device: this.device,
      beside: this.beside,
      title: this.isShippedShown ? "Shipped models" : "Launches",
      hrefOf: (launch) => this.hrefOf(launch.isShipped ? { model: launch.key } : { launch: launch.key }),
    });
    this.part = table;
    this.place.replaceChildren(table.element);
    void this.predictAll(launches, table);
  }

  private showLaunch(key: string, isShipped: boolean): void {
    const back = h("p", {}, h("a", { href: this.hrefOf({}) }, "← All launches"));
    const launch = session.find(key, isShipped);
    if (launch === undefined) {
      this.part = null;
      const text = isShipped
        ? `There is no shipped model ${key}.`
        : `This link is about the launch ${key} of a file. Files stay on your machine: drop its pages again.`;
      this.place.replaceChildren(back, h("p", { class: "panel" }, text));
      return;
    }
    const page = new LaunchPage({ context: this.context, launch, device: this.device, redraw: () => this.draw() });
    this.part = page;
    this.place.replaceChildren(back, page.element);
  }

  // One launch after the other, so that the first rows have numbers at once.
  private async predictAll(launches: Launch[], table: LaunchTable): Promise<void> {
    const round = this.round;
    const gpus = this.beside === null ? [this.device] : [this.device, this.beside];
    const all = launches.flatMap((launch) => gpus.map((gpu) => ({ gpu, launch })));
    const missing = all.filter(({ gpu, launch }) => !launch.predictions.has(pointKey(gpu)));
    if (missing.length === 0) return;
    let done = all.length - missing.length;
    table.offer(null);
    for (const { gpu, launch } of missing) {
      const count = `${done.toLocaleString("en")} of ${all.length.toLocaleString("en")} predicted`;
      this.context.say(`Predicting ${launch.name} (${count}) ...`, "progress");
      if (!(await this.predictOne(launch, gpu))) {
        if (round === this.round) table.offer(() => void this.predictAll(launches, table));
        return;
      }
      ++done;
      if (round !== this.round) break;
      table.refresh();
    }
    if (!this.isClosed) this.context.say("");
  }

  // false: the user cancelled it. A launch that took long is not begun again with the rest.
  private async predictOne(launch: Launch, gpu: string): Promise<boolean> {
    const begin = performance.now();
    try {
      await predict(this.context.engine, launch, gpu);
      return true;
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      const seconds = (performance.now() - begin) / 1000;
      if (seconds > longPrediction_s) markCancelled(launch, gpu, seconds);
      return false;
    }
  }
}

export const kernels: View = (root, context) => {
  const view = new KernelsView(root, context);
  return () => view.close();
};
