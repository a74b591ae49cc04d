// The page: tabs, dropped files, the status line, the address, the engine's life.

import { AddressState, hashOf, placeNow } from "./address";
import { BusyClock } from "./busy_clock";
import type { Context, DroppedFile, View } from "./context";
import { button, h } from "./dom";
import { type Engine, EngineClient, engineOf } from "./engine_client";
import { EnginePool } from "./engine_pool";
import { droppedFiles, viewOfFiles } from "./files";
import { quoted } from "./link_faults";
import { Uploads } from "./uploads";
import { views } from "./views";

const byId = (id: string): HTMLElement => document.getElementById(id)!;
const names = views.map((view) => view.name);

class Page {
  private readonly status = byId("status");
  private readonly cancelButton = byId("cancel") as HTMLButtonElement;
  private readonly busyClock = new BusyClock(this.cancelButton, byId("elapsed"));
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
  private viewFault: string[] = []; // the address names a view that does not exist
  private readonly closedFaults = new Set<string>(); // the user closed their message; it stays closed until the next link

  constructor() {
    const code = byId("worker-code").textContent!;
    this.client = new EngineClient(code, (busy) => this.busyClock.count(busy));
    this.helpers = new EnginePool(code, (busy) => this.busyClock.count(busy));
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
    const isSameView = place.view === this.shown && this.state !== null;
    const isSame = isSameView && this.state!.all().toString() === place.values.toString();
    if (isSame && place.unknown === null && this.viewFault.length === 0) return;
    this.viewFault = place.unknown === null ? []
      : [`The page has no view ${quoted(place.unknown)}; it has ${names.join(", ")}. The view ${place.view} is shown.`];
    this.closedFaults.clear();
    this.misread([]);
    if (isSame) return;
    if (isSameView) {
      this.state!.replace(place.values);
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
      misread: (faults) => this.misread(faults),
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

  private misread(faults: string[]): void {
    const all = [...this.viewFault, ...faults].filter((fault) => !this.closedFaults.has(fault));
    const place = byId("misread");
    place.hidden = all.length === 0;
    place.replaceChildren(...(all.length === 0 ? [] : [
      h("h2", {}, "Parts of this link were not understood"),
      h("ul", {}, ...all.map((fault) => h("li", {}, fault))),
      button("Close", () => {
        for (const fault of all) this.closedFaults.add(fault);
        place.hidden = true;
      })]));
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
