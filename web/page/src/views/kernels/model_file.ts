// What the page reads of a kernel model itself (docs/kernel_model.md): its recorded points and the
// segments of its programs.

import type { Engine } from "../../engine_client";
import { inEngine, type Launch } from "./session";

export type Item = number | { repeat: number; body: Item[] } | Record<string, number>;

export interface Access {
  class: string;
  count: number;
  bytes?: number;
  sectors?: number;
}

export interface Segment {
  waits_for?: string[];
  end: string;
  classes: Record<string, number>;
  accesses?: Access[];
}

export interface ModelLaunch {
  kernel: string;
  repeat?: number;
  segments?: Segment[];
  warps: { count: number; program: Item[] }[];
}

export interface Point {
  problem: Record<string, number>;
  launches: ModelLaunch[];
}

export interface ModelFile {
  problem: Record<string, number>;
  points: Point[];
}

const text = new TextDecoder();
const largest_bytes = 16e6; // more would stop the page for too long
const kept = new WeakMap<Launch, ModelFile>();

// null: the file is too large for the page, or is no kernel model.
export async function modelFile(engine: Engine, launch: Launch): Promise<ModelFile | null> {
  const known = kept.get(launch);
  if (known !== undefined) return known;
  if (launch.modelBytes > largest_bytes) return null;
  try {
    const model = JSON.parse(
      text.decode(launch.model ?? (await engine.readFile(await inEngine(engine, launch)))),
    ) as ModelFile;
    if (!Array.isArray(model.points)) return null;
    kept.set(launch, model);
    return model;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// The values of each axis that has several, in recorded points.
export function axesOf(model: ModelFile): Map<string, number[]> {
  const axes = new Map<string, Set<number>>();
  for (const { problem } of model.points) {
    for (const [name, value] of Object.entries(problem)) axes.set(name, (axes.get(name) ?? new Set()).add(value));
  }
  return new Map(
    [...axes]
      .filter(([, values]) => values.size > 1)
      .map(([name, values]): [string, number[]] => [name, [...values].sort((a, b) => a - b)]),
  );
}

export function pointOf(model: ModelFile, parameters: Record<string, number | number[]>): Point | undefined {
  return model.points.find(({ problem }) =>
    Object.entries(problem).every(([name, value]) => parameters[name] === value),
  );
}

// The recorded point with this value that differs least from `problem`, as --set arguments.
export function nearest(model: ModelFile, problem: Record<string, number>, axis: string, value: number): string[] {
  const distance = (other: Record<string, number>): number =>
    Object.entries(other).reduce(
      (sum, [name, v]) => sum + (name === axis ? 0 : Math.abs(Math.log2((v + 1) / ((problem[name] ?? v) + 1)))),
      0,
    );
  const candidates = model.points.map((point) => point.problem).filter((p) => p[axis] === value);
  if (candidates.length === 0) return [];
  const best = candidates.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  const axes = axesOf(model);
  return Object.entries(best)
    .filter(([name, v]) => axes.has(name) && v !== model.problem[name])
    .map(([name, v]) => `${name}=${v}`);
}

const smallestTile = 8; // smaller numbers are sizes of a filter: conv_3x3

// The first "128x64" of a kernel's name whose numbers can be those of a tile.
function tileIn(kernel: string): string | undefined {
  const pairs = kernel.matchAll(/(?<![0-9a-z])(\d+)x(\d+)(?![0-9])/gi);
  return [...pairs].find(([, rows, columns]) => Number(rows) >= smallestTile && Number(columns) >= smallestTile)?.[0];
}

// Signs that the source fixes the tile that a block computes, and with it the size of a block.
export function fixedTile(model: ModelFile): string | null {
  const launches = model.points.flatMap((point) => point.launches);
  const segments = launches.flatMap((launch) => launch.segments ?? []);
  const has = (name: string): boolean => segments.some(({ classes }) => name in classes);
  const copies = (name: string): boolean =>
    segments.some(({ accesses }) => (accesses ?? []).some((access) => access.class === name));
  if (has("tensor")) return "products on tensor cores";
  if (copies("bulk_copy")) return "bulk copies to shared memory (TMA)";
  if (copies("async_copy")) return "asynchronous copies to shared memory (cp.async)";
  const named = launches.map((launch) => tileIn(launch.kernel)).find((tile) => tile !== undefined);
  return named === undefined ? null : `a tile in its name (${named})`;
}

// How often each segment is executed, by all warps of one launch.
export function executionsOf(launch: ModelLaunch): number[] {
  const executions = new Array<number>(launch.segments?.length ?? 0).fill(0);
  const walk = (items: Item[], times: number): void => {
    for (const item of items) {
      if (typeof item === "number") executions[item] = (executions[item] ?? 0) + times;
      else if (Array.isArray(item.body)) walk(item.body, times * (item.repeat as number));
    }
  };
  for (const { count, program } of launch.warps) walk(program, count);
  return executions;
}
