// The page: tabs, dropped files, the status line, the address, the engine's life.

import { AddressState, hashOf, placeNow } from "./address";
import type { Context, DroppedFile, View } from "./context";
import { h } from "./dom";
import { type Engine, EngineClient, engineOf } from "./engine_client";
import { EnginePool } from "./engine_pool";
import { droppedFiles, viewOfFiles } from "./files";
import { Uploads } from "./uploads";
import { views } from "./views";

const byId = (id: string): HTMLElement => document.getElementById(id)!;
const names = views.map((view) => view.name);

class Page {
  private readonly status = byId("status");
  private readonly cancelButton = byId("cancel") as HTMLButtonElement;
  private readonly client: EngineClient;
  private readonly engine: Engine;
  private readonly helpers: EnginePool;
  private readonly uploads: Uploads;
  private readonly chooser = h("input", { type: "file", multiple: true, hidden: true });
  private shown = "";
  private state: AddressState | null = null;
  private close: (() => void) | null = null;
  private listener: ((files: DroppedFile[]) => void) | null = null;
  private readonly kept = new Map<string, DroppedFile[]>(); // by view, until it opens
  private busyWorkers = 0;
  private busyTimer = 0;

  constructor() {
    const code = byId("worker-code").textContent!;
    this.client = new EngineClient(code, (busy) => this.showBusy(busy));
    this.helpers = new EnginePool(code, (busy) => this.showBusy(busy));
    this.engine = engineOf(this.client);
    this.uploads = new Uploads(this.engine);
    this.cancelButton.addEventListener("click", () => void this.cancel());
    this.chooser.addEventListener("change", () => {
      this.give(droppedFiles(this.chooser.files));
      this.chooser.value = "";
    });
    document.body.append(this.chooser);
    this.listenForDrops();
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("popstate", () => this.follow());
    byId("skip").addEventListener("click", (event) => {
      event.preventDefault();
      byId("main").focus();
    });
  }

  async start(): Promise<void> {
    this.drawTabs();
    try {
      await this.client.loaded();
    } catch (error) {
      byId("main").replaceChildren(h("p", { class: "failure", role: "alert" },
        "The engine could not be loaded: ", String(error),
        ". The page needs a browser with WebAssembly and DecompressionStream (2023 or newer)."));
      return;
    }
    this.follow();
  }

  private drawTabs(): void {
    byId("tabs").replaceChildren(...views.map((view) =>
      h("a", { href: `#${view.name}`, "data-view": view.name, title: view.hint }, view.title)));
  }

  private follow(): void {
    const place = placeNow(names);
    if (place.view === this.shown && this.state !== null) {
      if (this.state.all().toString() !== place.values.toString()) this.state.replace(place.values);
      return;
    }
    this.show(place.view, place.values);
  }

  private show(name: string, values: URLSearchParams): void {
    this.close?.();
    this.listener = null;
    this.shown = name;
    this.state = new AddressState(name, values);
    this.say("");
    for (const tab of byId("tabs").querySelectorAll("a")) {
      if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    }
    const root = h("div", { class: `view ${name}` });
    byId("main").replaceChildren(root);
    const view: View = views.find((v) => v.name === name)!.view;
    document.title = `${views.find((v) => v.name === name)!.title} – pnsim`;
    this.close = view(root, this.contextOf(name));
  }

  private contextOf(name: string): Context {
    return {
      engine: this.engine,
      helpers: () => this.helpers.all(),
      state: this.state!,
      onFiles: (listener) => {
        this.listener = listener;
        const files = this.kept.get(name);
        this.kept.delete(name);
        if (files !== undefined) queueMicrotask(() => listener(files));
      },
      chooseFiles: () => this.chooser.click(),
      upload: (file, path, onProgress) => this.uploads.add(file, path, onProgress),
      say: (text, kind = "info") => this.say(text, kind),
      cancel: () => this.cancel(),
      open: (view, state) => {
        history.pushState(null, "", hashOf(view, new URLSearchParams(state)));
        this.follow();
      },
    };
  }

  private say(text: string, kind: "info" | "error" | "progress" = "info"): void {
    this.status.className = kind;
    this.status.textContent = text;
  }

  private async cancel(): Promise<void> {
    this.say("Cancelling ...", "progress");
    await Promise.all([this.client.restart(), this.helpers.restart()]);
    await this.uploads.repeat();
    this.say("Cancelled.");
  }

  // The button appears when something takes longer than half a second.
  private showBusy(busy: boolean): void {
    this.busyWorkers += busy ? 1 : -1;
    if (this.busyWorkers > (busy ? 1 : 0)) return;
    clearTimeout(this.busyTimer);
    if (busy) this.busyTimer = window.setTimeout(() => { this.cancelButton.hidden = false; }, 500);
    else this.busyTimer = window.setTimeout(() => { this.cancelButton.hidden = true; }, 100);
  }

  // Files go to the view that is shown, unless they can only belong to another one.
  private give(files: DroppedFile[]): void {
    if (files.length === 0) return;
    const view = viewOfFiles(files, this.shown);
    if (view === this.shown && this.listener !== null) {
      this.listener(files);
      return;
    }
    this.kept.set(view, files);
    location.hash = `#${view}`;
  }

  private listenForDrops(): void {
    const sign = byId("drop");
    let depth = 0;
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    window.addEventListener("dragenter", (event) => {
      if (!carriesFiles(event)) return;
      ++depth;
      sign.hidden = false;
    });
    window.addEventListener("dragleave", () => {
      depth = Math.max(0, depth - 1);
      sign.hidden = depth === 0;
    });
    window.addEventListener("dragover", (event) => event.preventDefault());
    window.addEventListener("drop", (event) => {
      event.preventDefault();
      depth = 0;
      sign.hidden = true;
      this.give(droppedFiles(event.dataTransfer?.files ?? null));
    });
  }
}

void new Page().start();
