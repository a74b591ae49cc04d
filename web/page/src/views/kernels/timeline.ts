// The timeline of an SM: warps, schedulers and units over cycles.

import type { Context } from "../../context";
import { button, field, h, s, select } from "../../dom";
import { ask, type Prediction } from "./answers";
import { figure, fitted, label, svg } from "./figure";
import { groups } from "./reason_groups";
import { argumentsOf, type Launch } from "./session";
import { traceOf, within, type Bar, type Trace, type Track } from "./trace";

const lengths = [250, 500, 1000, 2000, 5000, 10_000];
const text = new TextDecoder();

// Fills of states that are no reason of a warp: those of the paper's net, schedulers and units.
const otherFills: Record<string, string> = {
  "no warp": "f0",
  ended: "f0",
  idle: "f0",
  free: "",
  stalled: "f8",
  busy: "f6",
  arithmetic: "f4",
  global: "f1",
  ready: "f6",
  waiting: "f5",
};

function fillOf(state: string): string {
  return otherFills[state] ?? groups.find((group) => group.net.includes(state))?.colour ?? "f8";
}

interface Line {
  track: Track;
  bars: Bar[];
  y: number;
  high: number;
}

// All bars of one fill are one path: thousands of elements would be slow.
function paths(lines: Line[], x: (cycle: number) => number): Node[] {
  const byState = new Map<string, string[]>();
  for (const { bars, y, high } of lines) {
    for (const bar of bars) {
      if (fillOf(bar.state) === "") continue;
      const list = byState.get(bar.state) ?? [];
      const left = x(bar.from);
      list.push(`M${left.toFixed(2)} ${y}h${Math.max(0.3, x(bar.end) - left).toFixed(2)}v${high}H${left.toFixed(2)}z`);
      byState.set(bar.state, list);
    }
  }
  return [...byState].map(([state, list]) =>
    s("path", { d: list.join(""), class: `bar ${fillOf(state)}`, "data-state": state }),
  );
}

interface Layout {
  lines: Line[];
  heads: { text: string; y: number }[];
  height: number;
}

function layoutOf(trace: Trace, first: number, end: number): Layout {
  const lines: Line[] = [];
  const heads: Layout["heads"] = [];
  let y = 2;
  for (const kind of ["warps", "schedulers", "units"] as const) {
    const tracks = trace.tracks
      .filter((track) => track.kind === kind)
      .map((track) => ({ track, bars: within(track.bars, first, end) }))
      .filter(({ bars }) => kind !== "units" || bars.some((bar) => bar.state !== "free"));
    if (tracks.length === 0) continue;
    heads.push({ text: kind, y: y + 9 });
    y += 20;
    const high = tracks.length > 40 ? 8 : tracks.length > 16 ? 11 : 15;
    for (const { track, bars } of tracks) {
      lines.push({ track, bars, y, high });
      y += high + (high > 8 ? 3 : 2);
    }
    y += 6;
  }
  return { lines, heads, height: y };
}

// "special functions and ... 0": what tells rows of one unit apart is at the end.
function trackName(name: string, width: number): string {
  const [, unit, number] = /^(.*) \(scheduler (\d+)\)$/.exec(name) ?? [];
  return unit === undefined ? fitted(name, width, 6.6) : `${fitted(unit, width - 16, 6.6)} ${number}`;
}

function drawTimeline(
  trace: Trace,
  first: number,
  end: number,
  width: number,
  tell: (text: string) => void,
): SVGSVGElement {
  const { lines, heads, height } = layoutOf(trace, first, end);
  const left = width < 640 ? 110 : 190;
  const span = width - left - 8;
  const x = (cycle: number): number => left + ((cycle - first) / (end - first)) * span;
  const picture = svg(width, height + 22);
  for (let i = 0; i <= 5; ++i) {
    const cycle = Math.round(first + (i * (end - first)) / 5);
    picture.append(
      s("line", { x1: x(cycle), x2: x(cycle), y1: 0, y2: height, class: "grid" }),
      label(x(cycle), height + 11, cycle.toLocaleString("en"), {
        "font-size": 11,
        class: "quiet",
        "text-anchor": i === 0 ? "start" : i === 5 ? "end" : "middle",
      }),
    );
  }
  for (const head of heads) picture.append(label(0, head.y, head.text, { "font-weight": 600 }));
  const every = Math.ceil(13 / (lines[0] === undefined ? 13 : lines[0].high + 3));
  lines.forEach(({ track, y, high }, i) => {
    if (track.kind === "warps" && i % every !== 0) return;
    picture.append(
      label(left - 6, y + high / 2, trackName(track.name, left - 6), { "text-anchor": "end", "font-size": 11 }),
    );
  });
  picture.append(...paths(lines, x));
  picture.addEventListener("mousemove", (event) => {
    const box = picture.getBoundingClientRect();
    const scale = width / box.width;
    const at = { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
    const line = lines.find((l) => at.y >= l.y && at.y < l.y + l.high + 2);
    const cycle = first + ((at.x - left) / span) * (end - first);
    const bar = line?.bars.find((b) => cycle >= b.from && cycle < b.end);
    tell(
      line === undefined || bar === undefined
        ? ""
        : `${line.track.name}: ${bar.name}, cycles ${bar.from.toLocaleString("en")} to ` +
            `${(bar.end - 1).toLocaleString("en")} (${bar.end - bar.from})`,
    );
  });
  return picture;
}

// States of one fill share an entry.
function legend(trace: Trace): HTMLElement {
  const byFill = new Map<string, Set<string>>();
  for (const bar of trace.tracks.flatMap((track) => track.bars)) {
    const fill = fillOf(bar.state);
    if (fill !== "") byFill.set(fill, (byFill.get(fill) ?? new Set()).add(bar.state));
  }
  return h(
    "p",
    { class: "legend" },
    ...[...byFill].map(([fill, states]) =>
      h("span", {}, h("span", { class: `swatch ${fill}` }), [...states].join(", ")),
    ),
  );
}

// The number of a launch of a program, from 1; null: none is chosen.
export function partOf(text: string | null, launches: number): number | null {
  const number = Number(text ?? "");
  return Number.isInteger(number) && number >= 1 && number <= launches && launches > 1 ? number : null;
}

const mostCycles = 10_000;

// The cycles "FIRST-LAST" of the address, the end excluded; null: they are no window.
export function windowOf(text: string): [first: number, end: number] | null {
  const found = /^(\d{1,12})-(\d{1,12})$/.exec(text);
  const [first, end] = [Number(found?.[1]), Number(found?.[2]) + 1];
  return found !== null && end > first && end - first <= mostCycles ? [first, end] : null;
}

export class Timeline {
  readonly element = h("div");
  private trace: Trace | null = null;
  private fetched = "";

  constructor(
    private readonly context: Context,
    private readonly launch: Launch,
    private readonly device: string,
    private readonly set: string[],
    private readonly prediction: Prediction,
    private readonly file: string,
  ) {}

  // Fails with Cancelled. Draws a message if the command fails.
  async show(): Promise<void> {
    const state = this.context.state;
    const window = windowOf(state.get("cycles") ?? "");
    const number = partOf(state.get("part"), this.prediction.launches.length);
    let [first, end] = window ?? [-1, -1];
    const isInside = this.trace !== null && first >= this.trace.first && end <= this.trace.end;
    if (this.trace === null || this.fetched !== String(number) || (window !== null && !isInside)) {
      const problem = await this.fetch(number, window === null ? null : `${first}:${end - 1}`);
      if (problem !== null) {
        this.element.replaceChildren(
          h("section", { class: "panel" }, h("h3", {}, "Timeline of an SM"), h("p", { class: "failure" }, problem)),
        );
        return;
      }
    }
    const trace = this.trace!;
    if (window === null) [first, end] = [trace.first, Math.min(trace.end, trace.first + 1000)];
    this.draw(trace, Math.max(first, 0), end);
  }

  private async fetch(number: number | null, steps: string | null): Promise<string | null> {
    const { engine } = this.context;
    const out = "/work/trace.json";
    const args = [
      ...(await argumentsOf(engine, this.launch, this.device, this.set)),
      "--net",
      this.prediction.net,
      "--json",
      "--trace",
      out,
    ];
    if (number !== null) args.push("--launch", String(number));
    if (steps !== null) args.push("--trace-steps", steps);
    const answer = await ask<Prediction>(engine, args);
    if (answer.value === null) return answer.message;
    this.trace = traceOf(text.decode(await engine.readFile(out)));
    this.fetched = String(number);
    await engine.removeFile(out);
    return null;
  }

  private go(first: number, length: number): void {
    const from = Math.max(0, Math.round(first));
    this.context.state.set({ cycles: `${from}-${from + length - 1}` });
    void this.show().catch(() => undefined); // cancelled: the picture stays
  }

  private controls(first: number, end: number): HTMLElement {
    const length = end - first;
    const from = h("input", { type: "number", min: 0, step: 1, value: first });
    from.addEventListener("change", () => this.go(Number(from.value) || 0, length));
    const sizes = [...new Set([...lengths, length])].sort((a, b) => a - b);
    const cycles = select(
      sizes.map((n) => [String(n), n.toLocaleString("en")]),
      String(length),
      (n) => this.go(first, Number(n)),
    );
    return h(
      "div",
      { class: "row" },
      field("From cycle", from),
      field("Cycles shown", cycles),
      button("◀ Earlier", () => this.go(first - length / 2, length), { disabled: first === 0 }),
      button("Later ▶", () => this.go(first + length / 2, length)),
    );
  }

  private draw(trace: Trace, first: number, end: number): void {
    const told = h("p", { class: "told muted" }, "Point at a bar to read it.");
    const isPast = trace.tracks.every((track) => within(track.bars, first, end).length === 0);
    // Options of the command are none of the page's.
    const notes = trace.notes
      .filter((note) => !note.includes("--trace") && note !== "The model has one launch.")
      .map((note) =>
        note.replace(/A number in a bar is[^.]*\. /, "").replace(/ Choose another one with --launch.*$/, ""),
      );
    const shown = figure(
      {
        title: "Timeline of an SM",
        file: `${this.file}-timeline`,
        label: `Warps, schedulers and units of an SM in the cycles ${first} to ${end - 1}`,
        draw: (width) =>
          drawTimeline(trace, first, end, width, (t) => {
            told.textContent = t === "" ? "Point at a bar to read it." : t;
          }),
        data: () => ({
          head: ["row", "track", "state", "name", "first_cycle", "last_cycle"],
          rows: trace.tracks.flatMap((track) =>
            within(track.bars, first, end).map((bar) => [
              track.kind,
              track.name,
              bar.state,
              bar.name,
              bar.from,
              bar.end - 1,
            ]),
          ),
        }),
      },
      h("p", { class: "muted" }, notes.join(" ")),
      this.controls(first, end),
      legend(trace),
      isPast ? "The run has no cycles here: it ended before." : null,
      trace.isCutOff ? h("p", { class: "failure" }, `The run was cut off (${trace.outcome}).`) : null,
    );
    shown.insertBefore(told, shown.lastElementChild);
    this.element.replaceChildren(shown);
  }
}
