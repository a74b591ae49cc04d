// What the page and the tests call of the engine in WebAssembly. README.md says what each call does.

export interface RunResult {
  code: number; // the exit code of the command (docs/commands.md)
  stdout: string;
  stderr: string;
}

export type Stream = "stdout" | "stderr";

export interface EngineOptions {
  // Called for a line that is printed outside of run(): nothing of a working engine prints there.
  onStrayOutput?: (stream: Stream, line: string) => void;
}

export interface Failure {
  error: string; // the message of the command, without its program's name
}

export type PaperNet = "wpnm" | "wpnm_literal";

export interface ExploreRequest {
  net: PaperNet;
  W: number; // warps
  S: number; // schedulers
  l1: number; // latency of a global access, steps
  l2: number; // latency of a shared access, steps
  xa: number; // arithmetic instructions a warp
  xs: number; // shared accesses a warp
  xg: number; // global accesses a warp
  seed?: number; // 1
  replicas?: number; // 1
  timeline?: boolean; // false
  max_steps?: number; // 20,000,000: then the outcome is "limit"
}

export type WarpKind = "arithmetic" | "shared" | "global" | "ready" | "waiting" | "ended";

// kind, first step, last step (inclusive); step 0 is the first.
export type Span = [kind: string, first_step: number, last_step: number];

// The same of a scheduler, with the warp that holds it; without a warp the kind is "idle".
export type SchedulerSpan = [...Span, warp?: number];

export interface Timeline {
  first: number; // the steps first ... end - 1 are shown, at most 20,000 of a run
  end: number;
  warps: { warp: number; spans: Span[] }[];
  schedulers: { scheduler: number; spans: SchedulerSpan[] }[];
  // Periods in which no scheduler works: what the paper's Figure 1 marks.
  idle: [first_step: number, last_step: number][];
}

export interface ExploreResult {
  steps: number; // the mean over the replicas
  outcome: "goal" | "dead" | "limit";
  waiting_steps: number | null; // mean number of firings of t0
  idle_scheduler_steps: number | null; // mean sum of the free schedulers over the steps
  firings: number; // mean
  timeline?: Timeline; // of replica 0
}

export interface SurfaceRequest {
  net: PaperNet;
  // Either the counts of a warp and the numbers of warps and schedulers ...
  W?: number;
  S?: number;
  xa?: number;
  xs?: number;
  xg?: number;
  // ... or the name or path of a kernel model at its default point.
  model?: string;
  l1: number[];
  l2: number[];
  seed?: number; // 1
  max_steps?: number; // 20,000,000
}

// One row: one value of l2 and all values of l1.
export interface SurfaceRowRequest extends Omit<SurfaceRequest, "l2"> {
  l2: number;
}

export interface SurfaceResult {
  steps: (number | null)[][]; // [index of l2][index of l1]; null: cut off by max_steps
}

export interface SurfaceRowResult {
  steps: (number | null)[]; // [index of l1]
}

export interface OpenNetRequest {
  text: string;
  format: "json" | "pnml" | "template";
  parameters?: Record<string, number | number[]>; // of a template
}

export type Arc = [place: number, weight: number];

export interface OpenedNet {
  game: number;
  name: string;
  // group: the name of the template's node, without the number of the instance.
  places: { name: string; group: string; initial: number }[];
  transitions: {
    name: string;
    group: string;
    inputs: Arc[];
    outputs: Arc[];
    inhibitors: number[]; // places
  }[];
  until: string[]; // the conditions of the goal, such as "p1.0=0"; empty: there is no goal
}

export interface Contest {
  place: number;
  competed: number[]; // transitions
  won: number[];
  lost: number[];
}

export interface GameState {
  step: number; // steps executed so far
  marking: number[]; // by place
  fired: number[][]; // by step of this call: the transitions, in index order
  contested: Contest[]; // of the last step that was executed
  enabled: number[]; // transitions enabled at `marking`
  // "fixed": a net without a goal, whose marking cannot change any more
  outcome: "goal" | "dead" | "fixed" | "running";
}

export interface Engine {
  // Runs `pnsim ARGS` to its end. Output lines are also given to onOutput while it runs.
  // After an error that stops the engine (which is a defect) every call fails: make a new one.
  readonly isBroken: boolean;

  run(args: string[], onOutput?: (stream: Stream, line: string) => void): RunResult;

  writeFile(path: string, data: Uint8Array): void;
  appendFile(path: string, data: Uint8Array): void;
  readFile(path: string): Uint8Array;
  removeFile(path: string): void;
  list(folder: string): string[];

  explore(request: ExploreRequest): ExploreResult | Failure;
  surface(request: SurfaceRequest): SurfaceResult | Failure;
  surfaceRow(request: SurfaceRowRequest): SurfaceRowResult | Failure;

  openNet(request: OpenNetRequest): OpenedNet | Failure;
  // `steps` maximal steps from where the game is; stops early at the goal or when nothing is enabled.
  step(game: number, options: { seed?: number; steps: number }): GameState | Failure;
  back(game: number, steps: number): GameState | Failure;
  closeNet(game: number): Record<string, never> | Failure;

  memoryBytes(): number; // of the WebAssembly memory, without the file system
}

export function createEngine(options?: EngineOptions): Promise<Engine>;
