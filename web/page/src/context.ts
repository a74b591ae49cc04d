// What a view gets from the page.

import type { Engine } from "./engine_client";

// The part of the address after "#view?": text by key. Views keep all their state in it, so that a
// link restores the view.
export interface ViewState {
  get(key: string): string | null;
  keys(): string[];
  // Replaces these keys; null removes one. `push` adds an entry to the browser's history.
  set(values: Record<string, string | null>, push?: boolean): void;
  onChange(listener: () => void): void; // the user went back or forward, or opened a link
}

export interface DroppedFile {
  name: string;
  bytes: number;
  // Reads the file in chunks.
  stream(): ReadableStream<Uint8Array>;
}

export interface Context {
  engine: Engine;
  // Engines for many independent calls at once, at least one. They have no uploaded files.
  helpers(): Engine[];
  state: ViewState;
  // Files that the user dropped on the page or chose by the view's button. Files that were dropped
  // on another view, and belong to this one, arrive when the view opens.
  onFiles(listener: (files: DroppedFile[]) => void): void;
  // Opens the browser's choice of files; the listener above gets them.
  chooseFiles(): void;
  // Streams a file into the engine's file system. Fails with an Error if it is larger than the
  // engine takes (256 MB). After cancel() the file is there again.
  upload(file: DroppedFile, path: string, onProgress?: (done_bytes: number) => void): Promise<void>;
  // What of the address was not understood, and what is used instead: whole sentences, shown until
  // another link is followed or the user closes the message. None removes the message.
  misread(faults: string[]): void;
  // A message in the page's status line; "error" stays until the next action.
  say(text: string, kind?: "info" | "error" | "progress"): void;
  // Ends what the engine computes: calls under way fail with Cancelled, the worker is replaced,
  // uploaded files are written again.
  cancel(): Promise<void>;
  // Opens another view with a state, as a link would.
  open(view: string, state: Record<string, string>): void;
}

// A view fills `root` and returns what removes it.
export type View = (root: HTMLElement, context: Context) => () => void;
