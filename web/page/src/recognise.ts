// What a dropped file is, by its first bytes. Its name decides nothing.

import type { DroppedFile } from "./context";

export type Kind = "raw" | "source" | "model" | "net" | "other JSON" | "report" | "picture" | "archive" | "unknown";

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

// First bytes of formats that no view reads.
const signatures: [kind: Kind, bytes: number[]][] = [
  ["picture", [0x89, 0x50, 0x4e, 0x47]], // PNG
  ["picture", [0xff, 0xd8, 0xff]], // JPEG
  ["picture", [0x47, 0x49, 0x46, 0x38]], // GIF
  ["picture", [0x25, 0x50, 0x44, 0x46]], // PDF
  ["archive", [0x50, 0x4b, 0x03, 0x04]], // ZIP
  ["archive", [0x1f, 0x8b]], // gzip
];

export interface Recognised {
  kind: Kind;
  saysKind: boolean; // JSON with a "kind"
  encoding: string;
}

export async function recognise(file: DroppedFile): Promise<Recognised> {
  const head = await firstBytes(file);
  const encoding = encodingOf(head);
  const signature = signatures.find(([, bytes]) => bytes.every((byte, i) => head[i] === byte));
  const text = new TextDecoder(encoding).decode(head);
  return { kind: signature?.[0] ?? kindOf(text, file.name), saysKind: jsonKind.test(text), encoding };
}

const jsonKind = /"kind"\s*:\s*"([^"]*)"/;

// A file that does not say its kind is taken as a model: the command says what is wrong with it.
function kindOfJson(text: string): Kind {
  const kind = jsonKind.exec(text)?.[1] ?? "kernel-model";
  if (kind === "kernel-model") return "model";
  return kind === "net" || kind === "net-template" ? "net" : "other JSON";
}

// The time is linear in the text: a comment ends at its first "-->", so there is one way to match.
const svgStart = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s/>]/;

function kindOf(text: string, name: string): Kind {
  if (text.startsWith("NVR") || (name.toLowerCase().endsWith(".ncu-rep") && text.includes("\0"))) return "report";
  if (text.trimStart().startsWith("{")) return kindOfJson(text);
  if (svgStart.test(text)) return "picture";
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
