// The profiler's stall shares of shipped models, from their recorded counts (results/GPU/counts.jsonl).

import type { Engine } from "../../engine_client";
import type { LaunchAnswer, Prediction } from "./answers";
import { shippedGpu } from "./session";

interface CountsRow {
  kind?: string;
  program?: string;
  axes?: Record<string, number>;
  kernels?: { kernel: string; grid: number; block: number; stalls?: Record<string, number> }[];
}

const text = new TextDecoder();
let lines: string[] | null = null;

async function rowsOf(engine: Engine, program: string): Promise<CountsRow[]> {
  lines ??= text.decode(await engine.readFile(`/data/results/${shippedGpu}/counts.jsonl`)).split("\n");
  return lines.filter((line) => line.includes(`"program":"${program}"`)).map((line) => JSON.parse(line) as CountsRow);
}

// By launch of the prediction; null where nothing is recorded.
export async function recordedStalls(engine: Engine, prediction: Prediction): Promise<(Map<string, number> | null)[]> {
  const rows = await rowsOf(engine, prediction.model);
  const row = rows.find(
    ({ axes }) =>
      axes !== undefined && Object.entries(axes).every(([name, value]) => prediction.parameters[name] === value),
  );
  const same = (launch: LaunchAnswer) =>
    row?.kernels?.find((k) => k.kernel === launch.kernel && k.block === launch.block && k.grid === launch.grid);
  return prediction.launches.map((launch) => {
    const stalls = Object.entries(same(launch)?.stalls ?? {});
    const sum = stalls.reduce((total, [, share]) => total + share, 0); // 1, but for rounding
    return sum > 0 ? new Map(stalls.map(([reason, share]) => [reason, share / sum])) : null;
  });
}
