// Where a net comes from: the paper's two nets, or a text of the user's own (a file or the editor).

import type { OpenNetRequest } from "../../../../engine/engine";
import type { DroppedFile } from "../../context";
import type { Engine } from "../../engine_client";
import { sizeText } from "../../files";

export type Format = OpenNetRequest["format"];

export interface Parameter {
  name: string;
  value: number;
  initial: number; // the template's own
  meaning: string;
  unit: string;
}

export interface Source {
  id: "wpnm" | "wpnm_literal" | "own";
  title: string; // the file's name
  text: string;
  format: Format;
  parameters: Parameter[]; // of a template
  meanings: Map<string, string>; // by the name of a place or transition, without the instance
}

export const paperNets = ["wpnm", "wpnm_literal"] as const;

// A game that can be followed by eye: the defaults of the nets make longer runs.
export const smallRun: Record<string, number> = { W: 4, S: 2, l1: 4, l2: 2, xa: 2, xs: 1, xg: 1 };

// A run in which the literal net loses an instruction. The page finds the step by playing it.
export const lossRun: Record<string, number> = { W: 2, S: 1, l1: 4, l2: 2, xa: 2, xs: 1, xg: 1, seed: 1 };

const largest_bytes = 256 * 1024 * 1024; // what the engine reads of one text
const parsed_characters = 4_000_000; // larger templates are opened without meanings and fields

export async function paperSource(engine: Engine, id: "wpnm" | "wpnm_literal"): Promise<Source> {
  const text = new TextDecoder().decode(await engine.readFile(`/data/models/nets/${id}.json`));
  const source = sourceOf(id, text);
  for (const parameter of source.parameters) parameter.value = smallRun[parameter.name] ?? parameter.value;
  return { ...source, id };
}

export function formatOf(text: string): Format {
  if (/^\s*</.test(text.slice(0, 10_000))) return "pnml";
  return /"kind"\s*:\s*"net-template"/.test(text) ? "template" : "json";
}

export function sourceOf(title: string, text: string): Source {
  const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const format = formatOf(clean);
  return { id: "own", title, text: clean, format, ...(format === "template" ? readTemplate(clean) : { parameters: [], meanings: new Map() }) };
}

const records = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((v): v is Record<string, unknown> => typeof v === "object" && v !== null) : [];
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

// What the view shows besides the net. A broken template gives nothing here: the engine says why.
function readTemplate(text: string): { parameters: Parameter[]; meanings: Map<string, string> } {
  const meanings = new Map<string, string>();
  if (text.length > parsed_characters) return { parameters: [], meanings };
  try {
    const template = JSON.parse(text) as Record<string, unknown>;
    for (const node of [...records(template.places), ...records(template.transitions)]) {
      if (textOf(node.meaning) !== "") meanings.set(textOf(node.name), textOf(node.meaning));
    }
    const parameters = records(template.parameters)
      .filter((p) => typeof p.default === "number" && typeof p.name === "string")
      .map((p) => ({ name: textOf(p.name), value: p.default as number, initial: p.default as number, meaning: textOf(p.meaning), unit: textOf(p.unit) }));
    return { parameters, meanings };
  } catch {
    return { parameters: [], meanings };
  }
}

export function requestOf(source: Source): OpenNetRequest {
  const request: OpenNetRequest = { text: source.text, format: source.format };
  if (source.format === "template") {
    // Only what was changed: a template may have default values that a request cannot have.
    const changed = source.parameters.filter((p) => p.value !== p.initial);
    request.parameters = Object.fromEntries(changed.map((p) => [p.name, p.value]));
  }
  return request;
}

export function refuseLarge(file: DroppedFile): void {
  if (file.bytes > largest_bytes) {
    throw new Error(`The file has ${sizeText(file.bytes)}; a net may have at most ${sizeText(largest_bytes)}.`);
  }
}

export async function readText(file: DroppedFile, onProgress: (done_bytes: number) => void): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const reader = file.stream().getReader();
  let done_bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(decoder.decode(value, { stream: true }));
    done_bytes += value.length;
    onProgress(done_bytes);
  }
  return parts.join("") + decoder.decode();
}

// A net's text in the address, compressed; null if it is too long for a link.
const longest_link = 8_000;

async function through(bytes: Uint8Array, by: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(by);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function packed(text: string): Promise<string | null> {
  if (text.length > 200_000) return null;
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  if (bytes.length * 4 / 3 > longest_link) return null;
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(link: string): Promise<string> {
  if (link.length > longest_link) throw new Error("The net in this link is too long.");
  const base64 = link.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  // A small link may unpack to a large text: it is read in pieces, up to a limit.
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > 1_000_000) {
      await reader.cancel();
      throw new Error("The net in this link is too long.");
    }
  }
}
