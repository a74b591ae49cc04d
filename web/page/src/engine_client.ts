// The engine in its worker, as promises. The types of requests and answers are those of
// web/engine/engine.d.ts.

import type {
  ExploreRequest,
  ExploreResult,
  Failure,
  GameState,
  OpenedNet,
  OpenNetRequest,
  RunResult,
  Stream,
  SurfaceRowRequest,
  SurfaceRowResult,
} from "../../engine/engine";
import type { Answer, Call } from "./messages";

export interface Engine {
  // The command `pnsim ARGS`. Lines of its output arrive while it runs.
  run(args: string[], onLine?: (stream: Stream, line: string) => void): Promise<RunResult>;
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  appendFile(path: string, bytes: Uint8Array): Promise<void>;
  readFile(path: string): Promise<Uint8Array>;
  removeFile(path: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  explore(request: ExploreRequest): Promise<ExploreResult | Failure>;
  surfaceRow(request: SurfaceRowRequest): Promise<SurfaceRowResult | Failure>;
  openNet(request: OpenNetRequest): Promise<OpenedNet | Failure>;
  step(game: number, options: { seed?: number; steps: number }): Promise<GameState | Failure>;
  back(game: number, steps: number): Promise<GameState | Failure>;
  closeNet(game: number): Promise<unknown>;
  memoryBytes(): Promise<number>;
}

// A call that was cancelled fails with this.
export class Cancelled extends Error {
  constructor() {
    super("cancelled");
    this.name = "Cancelled";
  }
}

export function isFailure(answer: object): answer is Failure {
  return "error" in answer;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onLine?: (stream: Stream, line: string) => void;
}

// Calls before the worker is ready wait in its queue of messages: the worker installs its handler
// only then, so they are kept here.
export class EngineClient {
  private worker!: Worker;
  private ready!: Promise<void>;
  private abandon: () => void = () => {}; // fails `ready`, unless the worker is ready
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();
  private readonly address: string;

  // onBusy is called when the number of calls under way changes between none and some.
  constructor(code: string, private readonly onBusy: (busy: boolean) => void) {
    this.address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.start();
  }

  loaded(): Promise<void> {
    return this.ready;
  }

  // Ends the worker with all it computes; every call under way fails with Cancelled.
  restart(): Promise<void> {
    this.worker.terminate();
    this.abandon();
    const ended = [...this.waiting.values()];
    this.waiting.clear();
    this.start();
    for (const call of ended) call.reject(new Cancelled());
    if (ended.length > 0) this.onBusy(false);
    return this.ready;
  }

  async call(name: string, args: unknown[], onLine?: Waiting["onLine"]): Promise<unknown> {
    await this.ready;
    const id = this.next++;
    const message: Call = { id, name, args, stream: onLine !== undefined };
    return new Promise((resolve, reject) => {
      if (this.waiting.size === 0) this.onBusy(true);
      this.waiting.set(id, { resolve, reject, onLine });
      this.worker.postMessage(message);
    });
  }

  private start(): void {
    this.worker = new Worker(this.address);
    this.ready = new Promise((resolve, reject) => {
      this.abandon = () => reject(new Cancelled());
      this.worker.onmessage = (event: MessageEvent<Answer>) => {
        const answer = event.data;
        if ("ready" in answer) resolve();
        else if ("stopped" in answer) reject(new Error(answer.stopped));
        else this.take(answer);
      };
      this.worker.onerror = (event) => reject(new Error(event.message));
    });
    this.ready.catch(() => {}); // every caller of call() and loaded() gets the error
  }

  private take(answer: Exclude<Answer, { ready: true } | { stopped: string }>): void {
    const call = this.waiting.get(answer.id);
    if (call === undefined) return;
    if ("line" in answer) {
      call.onLine?.(answer.stream, answer.line);
      return;
    }
    this.waiting.delete(answer.id);
    if ("fault" in answer) call.reject(new Error(answer.fault));
    else call.resolve(answer.value);
    if (this.waiting.size === 0) this.onBusy(false);
  }
}

// The interface of the views over a client.
export function engineOf(client: EngineClient): Engine {
  const names = [
    "writeFile", "appendFile", "readFile", "removeFile", "list", "explore", "surfaceRow", "openNet",
    "step", "back", "closeNet", "memoryBytes",
  ];
  const methods = names.map((name) => [name, (...args: unknown[]) => client.call(name, args)]);
  return {
    ...Object.fromEntries(methods),
    run: (args: string[], onLine?: Waiting["onLine"]) => client.call("run", [args], onLine),
  } as unknown as Engine;
}
