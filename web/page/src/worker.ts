// The worker: the engine, called by messages. One call after the other.

import { createEngine } from "pnsim-engine";
import type { Engine, Stream } from "../../engine/engine";
import type { Answer, Call } from "./messages";

const send = (answer: Answer, transfer: Transferable[] = []): void =>
  (self as unknown as { postMessage(a: Answer, t: Transferable[]): void }).postMessage(answer, transfer);

function perform(engine: Engine, call: Call): unknown {
  if (call.name === "run") {
    const lines = (stream: Stream, line: string): void => send({ id: call.id, line, stream });
    return engine.run(call.args[0] as string[], call.stream ? lines : undefined);
  }
  const methods = engine as unknown as Record<string, (...args: unknown[]) => unknown>;
  const method = methods[call.name];
  if (method === undefined) throw new Error(`the engine has no call ${call.name}`);
  return method.apply(engine, call.args);
}

function answer(engine: Engine, call: Call): void {
  try {
    const value = perform(engine, call);
    if (engine.isBroken) throw new Error("the engine stopped; this is a defect of pnsim");
    send({ id: call.id, value: value ?? null });
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    send({ id: call.id, fault: text });
  }
}

createEngine().then(
  (engine) => {
    self.onmessage = (event: MessageEvent<Call>) => answer(engine, event.data);
    send({ ready: true });
  },
  (error: unknown) => send({ stopped: String(error) }),
);
