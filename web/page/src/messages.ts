// What the page and its worker send to each other.

import type { Stream } from "../../engine/engine";

// `name` is a method of the engine. `stream`: lines of output are sent while it runs.
export interface Call {
  id: number;
  name: string;
  args: unknown[];
  stream?: boolean;
}

export type Answer =
  | { id: number; value: unknown }
  | { id: number; fault: string }
  | { id: number; line: string; stream: Stream }
  | { ready: true }
  | { stopped: string }; // the engine could not be loaded
