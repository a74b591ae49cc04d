// The engine's client with a worker that never becomes ready.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { skip } from "./page.mjs";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src/engine_client.ts");

test("A call that waits for an engine that is replaced fails instead of waiting for ever", { skip }, async () => {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, write: false, format: "esm" });
  const workers = [];
  globalThis.Worker = class {
    constructor() { workers.push(this); }
    terminate() {}
    postMessage(message) { this.onmessage({ data: { id: message.id, value: 7 } }); }
  };
  const { Cancelled, EngineClient } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const client = new EngineClient("", () => {});
  const call = client.call("memoryBytes", []);
  const again = client.restart();
  await assert.rejects(Promise.race([call, new Promise((resolve) => setTimeout(resolve, 1000))]), Cancelled);
  workers[1].onmessage({ data: { ready: true } });
  await again;
  assert.equal(await client.call("memoryBytes", []), 7);
});
