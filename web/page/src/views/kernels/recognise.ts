// What a dropped file is, by its first bytes. Its name decides nothing.

import type { DroppedFile } from "../../context";

export type Kind = "raw" | "source" | "model" | "net" | "other JSON" | "report" | "unknown";

const headBytes = 1 << 16;

async function firstBytes(file: DroppedFile): Promise<Uint8Array> {
  const reader = file.stream().getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
  }
  await reader.cancel();
  const all = new Uint8Array(Math.min(bytes, headBytes));
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(0, all.length - at);
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// PowerShell writes UTF-16.
export function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  return "utf-8";
}

export interface Recognised {
  kind: Kind;
  encoding: string;
}

export async function recognise(file: DroppedFile): Promise<Recognised> {
  const head = await firstBytes(file);
  const encoding = encodingOf(head);
  const text = new TextDecoder(encoding).decode(head);
  return { kind: kindOf(text, file.name), encoding };
}

// A file that does not say its kind is taken as a model: the command says what is wrong with it.
function kindOfJson(text: string): Kind {
  const kind = /"kind"\s*:\s*"([^"]*)"/.exec(text)?.[1] ?? "kernel-model";
  if (kind === "kernel-model") return "model";
  return kind === "net" || kind === "net-template" ? "net" : "other JSON";
}

function kindOf(text: string, name: string): Kind {
  if (text.startsWith("NVR") || (name.toLowerCase().endsWith(".ncu-rep") && text.includes("\0"))) return "report";
  if (text.trimStart().startsWith("{")) return kindOfJson(text);
  // Lines of the profiler (==PROF== ...) may come first.
  for (const line of text.split(/\r?\n/)) {
    const cells = line.split(/[,;\t]/).map((cell) => cell.replaceAll('"', "").trim());
    if (cells[0] === "ID" && cells.includes("Kernel Name")) return "raw";
    if (cells[0] === "Kernel Name") return "source";
  }
  return "unknown";
}

// "x.raw.csv" and "x_source.csv" are pages of one report: both have the stem "x".
export function stemOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/\.csv$/, "")
    .replaceAll(/(^|[._ -])(raw|source|sass|cold|in[._ -]?place|page)(?=$|[._ -])/g, "")
    .replaceAll(/ ?\(\d+\)$/g, "");
}
