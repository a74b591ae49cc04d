// The launches that the view knows. They outlive the view, so that another tab may be opened in
// between; they do not outlive the page.

import { Cancelled, type Engine } from "../../engine_client";
import type { DroppedFile } from "../../context";
import { ask, type Answer, type Prediction } from "./answers";
import type { Wanted } from "./source_page";

export interface Launch {
  key: string; // in the address
  name: string; // until a prediction names its kernel
  isShipped: boolean;
  path: string; // in the engine
  model?: Uint8Array; // the kernel model; absent: the file is in the engine
  modelBytes: number;
  pages?: Pages; // from which it was derived
  ordinal?: number; // in the raw page, from 0
  fullName?: string; // of the profile
  gpu: string | null; // the title of the GPU that was profiled; null: not known before a prediction
  profiled_us: number | null;
  profilerId: number | null;
  stalls: Map<string, number> | null; // the profiler's shares by stall reason; the sum is 1
  predictions: Map<string, Answer<Prediction>>; // by device and point
}

export interface Notice {
  kind: "error" | "hint" | "skipped" | "note";
  text: string;
}

// Raw and source page of one report, as dropped.
export interface Pages {
  stem: string;
  raw?: DroppedFile;
  source?: DroppedFile;
  cold?: DroppedFile;
  inPlace?: DroppedFile; // counted in the program (ncu --replay-mode application)
  sourceEncoding?: string;
  launches?: Wanted[]; // of the raw page, in order
}

export interface Device {
  name: string;
  title: string;
  estimate: string | null; // what the profile is made from, unless it was measured
}

export class Session {
  shipped: Launch[] = [];
  dropped: Launch[] = [];
  pages: Pages[] = [];
  devices: Device[] = [];
  notices: Notice[] = [];

  forget(): void {
    this.dropped = [];
    this.pages = [];
    this.notices = [];
  }

  find(key: string, isShipped: boolean): Launch | undefined {
    return (isShipped ? this.shipped : this.dropped).find((launch) => launch.key === key);
  }
}

export const session = new Session();

export const shippedGpu = "h200"; // the counts of the shipped models are those of this GPU

const text = new TextDecoder();

export async function loadShipped(engine: Engine): Promise<void> {
  if (session.shipped.length > 0) return;
  const devices = (await engine.list("/data/models/devices")).filter((name) => name.endsWith(".json"));
  const read = async (file: string): Promise<Device> => {
    const profile = JSON.parse(text.decode(await engine.readFile(`/data/models/devices/${file}`))) as {
      title?: string;
      estimate?: string;
    };
    const name = file.slice(0, -5);
    return { name, title: profile.title ?? name, estimate: profile.estimate ?? null };
  };
  const profiles = await Promise.all(devices.map(read));
  // Measured profiles first.
  profiles.sort((a, b) => Number(a.estimate !== null) - Number(b.estimate !== null) || b.name.localeCompare(a.name));
  const models = (await engine.list("/data/models")).filter((name) => name.endsWith(".json")).sort();
  session.devices = profiles;
  session.shipped = models.map((file) => ({ ...newLaunch(file.slice(0, -5), `/data/models/${file}`, true), gpu: titleOf(shippedGpu) }));
}

export const ownDevice = ""; // that of the model: the profiled one

export function newLaunch(key: string, path: string, isShipped: boolean): Launch {
  return {
    key,
    name: key,
    isShipped,
    path,
    modelBytes: 0,
    gpu: null,
    profiled_us: null,
    profilerId: null,
    stalls: null,
    predictions: new Map(),
  };
}

// The engine may have been replaced since the model was derived.
export async function inEngine(engine: Engine, launch: Launch): Promise<string> {
  if (launch.model !== undefined) await engine.writeFile(launch.path, launch.model.slice());
  return launch.path;
}

// Where a prediction is kept: `set` are the values of axes, "n=4096".
export function pointKey(device: string, set: string[] = []): string {
  return [device, ...set].join(" ");
}

// The arguments that every command about this launch has in common.
export async function argumentsOf(
  engine: Engine,
  launch: Launch,
  device: string,
  set: string[] = [],
): Promise<string[]> {
  const path = await inEngine(engine, launch);
  return ["--model", path, ...(device === "" ? [] : ["--device", device]), ...set.flatMap((s) => ["--set", s])];
}

// The titles of the GPUs of some launches, as far as they are known.
export const gpusOf = (launches: Launch[]): string[] =>
  [...new Set(launches.map(profiledOn))].filter((gpu) => gpu !== null);

export const titleOf = (device: string): string => session.devices.find((d) => d.name === device)?.title ?? device;

// The title of the GPU whose counts the model has.
export function profiledOn(launch: Launch): string | null {
  if (launch.gpu !== null) return launch.gpu;
  for (const { value } of launch.predictions.values()) {
    if (value !== null) return titleOf(value.profiled_on ?? value.device);
  }
  return null;
}

const cancelledCode = 130; // of the command that is interrupted

// The table does not begin this prediction again; the launch's own page does.
export function markCancelled(launch: Launch, device: string, seconds: number): void {
  const message = `Cancelled after ${seconds.toFixed(0)} s. The launch's own page predicts it again.`;
  launch.predictions.set(pointKey(device), { value: null, code: cancelledCode, message });
}

export function forgetCancelled(launch: Launch, device: string, set: string[]): void {
  const key = pointKey(device, set);
  if (launch.predictions.get(key)?.code === cancelledCode) launch.predictions.delete(key);
}

// The prediction by the SM net; by the paper's net where the model has counts only.
export async function predict(
  engine: Engine,
  launch: Launch,
  device: string,
  set: string[] = [],
): Promise<Answer<Prediction>> {
  const key = pointKey(device, set);
  const known = launch.predictions.get(key);
  if (known !== undefined) return known;
  let answer: Answer<Prediction>;
  try {
    const args = await argumentsOf(engine, launch, device, set);
    answer = await ask<Prediction>(engine, [...args, "--net", "sm", "--reasons", "--json"]);
    if (answer.value === null && /found counts alone|needs a kernel model/.test(answer.message)) {
      answer = await ask<Prediction>(engine, [...args, "--json"]);
    }
  } catch (error) {
    if (error instanceof Cancelled) throw error;
    answer = { value: null, code: 70, message: error instanceof Error ? error.message : String(error) };
  }
  launch.predictions.set(key, answer);
  return answer;
}
