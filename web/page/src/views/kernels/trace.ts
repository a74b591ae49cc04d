// The Chrome trace that `pnsim --model ... --trace` writes, as rows of bars.

export interface Bar {
  state: string;
  name: string; // with the warp that uses a scheduler or unit
  from: number; // cycles, from ... end - 1
  end: number;
}

export interface Track {
  kind: "warps" | "schedulers" | "units";
  name: string;
  bars: Bar[];
}

export interface Trace {
  title: string;
  notes: string[];
  first: number;
  end: number;
  outcome: string;
  isCutOff: boolean;
  tracks: Track[];
}

interface TraceEvent {
  ph: string;
  name: string;
  cat?: string;
  ts?: number;
  dur?: number;
  pid: number;
  tid: number;
  args?: { name?: string };
}

interface TraceFile {
  otherData: { title: string; notes: string[]; steps: [number, number]; outcome: string; cut_off: boolean };
  traceEvents: TraceEvent[];
}

const kinds: Record<number, Track["kind"]> = { 1: "warps", 2: "schedulers", 3: "units" };

export function traceOf(text: string): Trace {
  const file = JSON.parse(text) as TraceFile;
  const tracks = new Map<string, Track>();
  for (const event of file.traceEvents) {
    const kind = kinds[event.pid];
    if (event.ph !== "M" || event.name !== "thread_name" || kind === undefined) continue;
    tracks.set(`${event.pid} ${event.tid}`, { kind, name: event.args?.name ?? "", bars: [] });
  }
  for (const event of file.traceEvents) {
    if (event.ph !== "X" || event.ts === undefined || event.dur === undefined) continue;
    tracks.get(`${event.pid} ${event.tid}`)?.bars.push({
      state: event.cat ?? event.name,
      name: event.name,
      from: event.ts,
      end: event.ts + event.dur,
    });
  }
  const { title, notes, steps, outcome, cut_off } = file.otherData;
  return { title, notes, first: steps[0], end: steps[1], outcome, isCutOff: cut_off, tracks: [...tracks.values()] };
}

// The bars that lie in the window, cut to it.
export function within(bars: Bar[], first: number, end: number): Bar[] {
  const found: Bar[] = [];
  for (const bar of bars) {
    if (bar.end <= first || bar.from >= end) continue;
    found.push({ ...bar, from: Math.max(bar.from, first), end: Math.min(bar.end, end) });
  }
  return found;
}
