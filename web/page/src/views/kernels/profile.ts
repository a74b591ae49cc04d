// From dropped files to launches: pages are derived in the engine, models are taken as they are.

import type { Context, DroppedFile } from "../../context";
import { Cancelled } from "../../engine_client";
import { safeName, sizeText } from "../../files";
import { recognise, stemOf, type Kind } from "../../recognise";
import { plainMessage } from "./answers";
import { readRawPage, type RawLaunch } from "./raw_page";
import { newLaunch, session, titleOf, type Launch, type Notice, type Pages } from "./session";

const mostLaunches = 20_000;
const largest_bytes = 256 * 1024 * 1024;
const folder = "/work/profile";
const text = new TextDecoder();

const commands = (report: string): string =>
  `    ncu --import ${report} --page raw --csv > raw.csv\n` +
  `    ncu --import ${report} --page source --csv --print-source sass > source.csv`;

const wanted =
  "This view takes the raw and the source page of Nsight Compute (CSV) and kernel models (JSON).";

// What to do with a file that this view cannot take.
const helps: Record<Exclude<Kind, "raw" | "source" | "model">, (name: string) => string> = {
  report: (name) =>
    `${name} is a report. Only Nsight Compute itself can read it. ` +
    `Print its two pages, and drop both here:\n\n${commands(name)}`,
  unknown: (name) =>
    `${name} is neither a raw page nor a source page of Nsight Compute as CSV, nor a kernel model (JSON). ` +
    `These two commands print the pages of a report:\n\n${commands("report.ncu-rep")}`,
  picture: (name) => `${name} is a picture. ${wanted}`,
  archive: (name) => `${name} is an archive. Unpack it and drop the files in it. ${wanted}`,
  net: (name) => `${name} is a net, no kernel model. Open the token game and drop it there.`,
  "other JSON": (name) => `${name} is JSON, but no kernel model: its "kind" is not "kernel-model".`,
};

const note = (kind: Notice["kind"], message: string): void => void session.notices.push({ kind, text: message });

function messageOf(error: unknown, name: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith(name) ? message : `${name}: ${message}`;
}

// Raw pages of the same launches: as profiled, after a flush of the caches, or in the program.
function slotOfRaw(name: string): "raw" | "cold" | "inPlace" {
  if (/(^|[._ -])cold([._ -]|$)/i.test(name)) return "cold";
  return /(^|[._ -])in[._ -]?place([._ -]|$)/i.test(name) ? "inPlace" : "raw";
}

function noteReplaced(pages: Pages, name: string): void {
  const count = pages.launches?.length ?? 0;
  if (count === 0) return;
  note(
    "note",
    `${name} takes the place of the page of this name: its ${count.toLocaleString("en")} launches are gone. ` +
      "To see both profiles, name their pages first.raw.csv, first.source.csv, second.raw.csv ...",
  );
}

// Sorts the files into the session's pages and models. Returns the pages that have to be derived.
export class Intake {
  private readonly encodings = new Map<DroppedFile, string>();
  private readonly touched = new Set<Pages>(); // by this drop
  constructor(private readonly context: Context) {}

  // Returns false if the user cancelled.
  async take(files: DroppedFile[]): Promise<boolean> {
    session.notices = [];
    try {
      const changed = await this.sort(files);
      for (const pages of changed) await this.derive(pages);
      return true;
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      return false; // the status line says so
    }
  }

  private async sort(files: DroppedFile[]): Promise<Set<Pages>> {
    const changed = new Set<Pages>();
    for (const file of files) {
      try {
        // Refused by the upload; reading its beginning could fail first.
        if (file.bytes > largest_bytes) await this.context.upload(file, `${folder}/refused`);
        const { kind, encoding } = await recognise(file);
        this.encodings.set(file, encoding);
        if (kind === "model") await this.addModel(file);
        else if (kind === "raw" || kind === "source") changed.add(this.place(file, kind, encoding, files.length));
        else note("error", helps[kind](file.name));
      } catch (error) {
        if (error instanceof Cancelled) throw error;
        note("error", messageOf(error, file.name));
      }
    }
    return changed;
  }

  // A page joins the report of its stem; a single raw and a single source page belong together
  // whatever their names are. A page that the report already has begins a new one in its place.
  private place(file: DroppedFile, kind: "raw" | "source", encoding: string, dropped: number): Pages {
    const stem = stemOf(file.name);
    const slot = kind === "raw" ? slotOfRaw(file.name) : kind;
    const last = session.pages.at(-1);
    let pages = session.pages.find((p) => p.stem === stem);
    if (pages === undefined && last !== undefined && last[slot] === undefined && dropped <= 4) pages = last;
    if (pages === undefined) {
      pages = { stem };
      session.pages.push(pages);
    } else if (pages[slot] !== undefined && !this.touched.has(pages)) {
      noteReplaced(pages, file.name);
      delete pages.raw;
      delete pages.source;
      delete pages.cold;
      delete pages.inPlace;
    }
    this.touched.add(pages);
    pages[slot] = file;
    if (kind === "source") pages.sourceEncoding = encoding;
    return pages;
  }

  private async addModel(file: DroppedFile): Promise<void> {
    const path = `${folder}/${safeName(file.name)}`;
    await this.context.upload(file, path, this.progress(`Reading ${file.name}`, file.bytes));
    const key = safeName(file.name).replace(/\.json$/i, "");
    const launch = newLaunch(key, path, false);
    launch.modelBytes = file.bytes;
    if (file.bytes < 8e6) {
      launch.model = await this.context.engine.readFile(path);
      describe(launch, launch.model);
    }
    session.dropped = [...session.dropped.filter((other) => other.key !== key), launch];
  }

  private progress(what: string, all_bytes: number): (done_bytes: number) => void {
    let shown = 0;
    return (done_bytes) => {
      const now = performance.now();
      if (now - shown < 100 && done_bytes < all_bytes) return;
      shown = now;
      this.context.say(`${what}: ${sizeText(done_bytes)} of ${sizeText(all_bytes)}`, "progress");
    };
  }

  private async derive(pages: Pages): Promise<void> {
    if (pages.raw === undefined) {
      note(
        "hint",
        `${(pages.source ?? pages.cold ?? pages.inPlace)!.name} is one page of a report. Drop its raw page, too:\n\n` +
          "    ncu --import report.ncu-rep --page raw --csv > raw.csv",
      );
      return;
    }
    try {
      await this.deriveOf(pages, pages.raw);
    } catch (error) {
      session.pages = session.pages.filter((other) => other !== pages);
      if (error instanceof Cancelled) throw error;
      note("error", messageOf(error, pages.raw.name));
    }
  }

  private async deriveOf(pages: Pages, raw: DroppedFile): Promise<void> {
    const args = ["derive"];
    const uploaded: string[] = [];
    try {
      for (const [option, file] of [
        ["--ncu", raw],
        ["--source", pages.source],
        ["--cold", pages.cold],
        ["--in-place", pages.inPlace],
      ] as const) {
        if (file === undefined) continue;
        const path = `${folder}/${option.slice(2)}/${safeName(file.name)}`;
        uploaded.push(path);
        await this.context.upload(file, path, this.progress(`Loading ${file.name}`, file.bytes));
        args.push(option, path);
      }
      const launches = await readRawPage(
        raw,
        this.encodings.get(raw) ?? "utf-8",
        mostLaunches,
        this.progress(`Reading ${raw.name}`, raw.bytes),
      );
      await this.run(pages, raw, args, launches);
    } finally {
      for (const path of uploaded) await this.forget(path);
    }
  }

  private async run(pages: Pages, raw: DroppedFile, args: string[], launches: RawLaunch[]): Promise<void> {
    this.context.say(
      `Deriving models of ${launches.length.toLocaleString("en")} ${launches.length === 1 ? "launch" : "launches"} ...`,
      "progress",
    );
    const { code, stdout, stderr } = await this.context.engine.run([...args, "-o", `${folder}/models`]);
    this.noteAll(stderr, code);
    if (pages.source === undefined && code === 0)
      note(
        "hint",
        `The models of ${raw.name} have only counts. Drop its source page, too, to see where the cycles go:\n\n` +
          "    ncu --import report.ncu-rep --page source --csv --print-source sass > source.csv",
      );
    await this.collect(
      pages,
      stdout.split("\n").filter((line) => line.endsWith(".json")),
      launches,
    );
  }

  private noteAll(stderr: string, code: number): void {
    const lines = plainMessage(stderr)
      .split("\n")
      .filter((line) => line !== "");
    if (code !== 0) {
      note("error", lines.join("\n") || `pnsim derive ended with exit code ${code}`);
      return;
    }
    for (const line of lines) {
      if (line.startsWith("skipped: ")) note("skipped", line.slice("skipped: ".length));
      else note("note", line);
    }
  }

  // Takes the models out of the engine, so that they survive when it is replaced.
  private async collect(pages: Pages, paths: string[], raw: RawLaunch[]): Promise<void> {
    const engine = this.context.engine;
    const byId = new Map(raw.map((launch, ordinal) => [launch.id, { ...launch, ordinal }]));
    pages.launches = raw;
    const found: Launch[] = [];
    const prefix = session.pages.length > 1 && pages.stem !== "" ? `${pages.stem}/` : "";
    for (const path of paths) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const launch = newLaunch(prefix + name.slice(0, -5), path, false);
      launch.model = await engine.readFile(path);
      launch.modelBytes = launch.model.length;
      launch.pages = pages;
      describe(launch, launch.model);
      const profiled = launch.profilerId === null ? undefined : byId.get(launch.profilerId);
      launch.fullName = profiled?.name;
      launch.stalls = profiled?.stalls ?? null;
      launch.ordinal = profiled?.ordinal;
      found.push(launch);
      await engine.removeFile(path);
      if (found.length % 100 === 0) this.context.say(`Reading models: ${found.length} of ${paths.length}`, "progress");
    }
    session.dropped = [...session.dropped.filter((launch) => launch.pages !== pages), ...found];
  }

  // Also of a page whose upload failed. An uploaded file is written again whenever the engine is
  // replaced; an empty one costs nothing.
  private async forget(path: string): Promise<void> {
    const empty: DroppedFile = {
      name: "",
      bytes: 0,
      stream: () => new Blob([]).stream() as ReadableStream<Uint8Array>,
    };
    try {
      await this.context.upload(empty, path);
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  }
}

// What the file itself says about its launch.
function describe(launch: Launch, model: Uint8Array): void {
  try {
    const content = JSON.parse(text.decode(model)) as {
      name?: unknown;
      device?: unknown;
      provenance?: { profiled_us?: unknown; profiler_id?: unknown; profiled_on?: unknown };
    };
    if (typeof content.name === "string") launch.name = content.name;
    const { profiled_us, profiler_id, profiled_on } = content.provenance ?? {};
    if (typeof profiled_on === "string") launch.gpu = profiled_on;
    else if (typeof content.device === "string") launch.gpu = titleOf(content.device);
    if (typeof profiled_us === "number") launch.profiled_us = profiled_us;
    if (typeof profiler_id === "number") launch.profilerId = profiler_id;
  } catch {
    // The prediction tells what is wrong with it.
  }
}
