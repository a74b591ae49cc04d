// What the command answers, as far as this view reads it (docs/commands.md).

import type { Engine } from "../../engine_client";

export type Shares = Record<string, number>;

export interface Breakdown {
  schedulers?: Shares; // cycles of the schedulers by reason; the sum is 1
  warps?: Shares; // cycles of the warps by reason; the sum is 1
  units?: Shares; // utilisation by unit
  nearest_limit?: string;
  segments?: SegmentShare[]; // of a launch, by its segment; the sum is 1
}

// A segment's share of the cycles that resident warps spend in segments.
export interface SegmentShare {
  segment: number;
  share: number;
}

export interface LaunchAnswer {
  kernel: string;
  repeat: number;
  grid: number;
  block: number;
  steps: { mean: number };
  time_us: number | null;
  breakdown?: Breakdown;
}

export interface Warning {
  kind: string;
  text: string;
}

// `pnsim --model FILE --net sm --reasons --json`
export interface Prediction {
  model: string;
  net: string;
  device: string;
  device_estimate?: string;
  profiled_on?: string;
  parameters: Record<string, number | number[]>;
  outcome: string;
  steps: { mean: number };
  launches: LaunchAnswer[];
  time_us: { value: number | null; source: string | null; borrowed?: boolean };
  measured_us: { value: number; p05: number; p95: number; source: string } | null;
  breakdown: Breakdown;
  warnings: Warning[];
}

export interface Answer<T> {
  value: T | null; // null: the command failed
  code: number;
  message: string; // of the command, without the program's name
}

// Lines of stderr without "pnsim: " and without the engine's folders.
export function plainMessage(stderr: string): string {
  return stderr.split("\n").map(plainLine).join("\n").trim();
}

export function plainLine(line: string): string {
  return line.replace(/^pnsim: (error: )?/, "").replaceAll(/\/work\/[^\s:]*\//g, "");
}

export async function ask<T>(engine: Engine, args: string[]): Promise<Answer<T>> {
  const { code, stdout, stderr } = await engine.run(args);
  const message = plainMessage(stderr);
  if (!stdout.trimStart().startsWith("{")) {
    return { value: null, code, message: message || `the command ended with exit code ${code}` };
  }
  return { value: JSON.parse(stdout) as T, code, message };
}
