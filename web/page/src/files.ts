// Files that the user drops or chooses.

import type { DroppedFile } from "./context";

export function droppedFiles(list: FileList | null): DroppedFile[] {
  return [...(list ?? [])].map((file) => ({
    name: file.name,
    bytes: file.size,
    stream: () => file.stream() as ReadableStream<Uint8Array>,
  }));
}

// CSV pages and .ncu-rep belong to the kernels, PNML to the token game. A JSON file may be a kernel
// model or a net: the view that is shown takes it, the kernels if that view takes no files.
export function viewOfFiles(files: DroppedFile[], shown: string): string {
  const ends = (ending: string): boolean => files.some((file) => file.name.toLowerCase().endsWith(ending));
  if (ends(".pnml") || ends(".xml")) return "game";
  if (ends(".csv") || ends(".ncu-rep")) return "kernels";
  return shown === "game" ? "game" : "kernels";
}

// "report (1).raw.csv" as a name in the engine's file system.
export function safeName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "");
  return plain === "" ? "file" : plain;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(0)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
