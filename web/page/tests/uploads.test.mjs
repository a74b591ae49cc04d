// Files that are written to the engine while it is replaced.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { skip } from "./page.mjs";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src/uploads.ts");

async function uploadsModule() {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

function fakeEngine() {
  const files = new Map();
  return {
    files,
    writeFile: async (path, bytes) => void files.set(path, [...bytes]),
    appendFile: async (path, bytes) => void files.get(path).push(...bytes),
  };
}

const fileOf = (chunks, between = async () => {}) => ({
  name: "x.csv",
  bytes: chunks.flat().length,
  stream: () =>
    new ReadableStream(
      {
        async pull(controller) {
          await between(chunks.length);
          const next = chunks.shift();
          if (next === undefined) controller.close();
          else controller.enqueue(Uint8Array.from(next));
        },
      },
      { highWaterMark: 0 },
    ),
});

test("A file that was being read when the engine was replaced is cancelled", { skip }, async () => {
  const { Uploads } = await uploadsModule();
  const engine = fakeEngine();
  const uploads = new Uploads(engine);
  const file = fileOf([[1], [2], [3]], async (left) => {
    if (left === 2) await uploads.repeat();
  });
  await assert.rejects(uploads.add(file, "/work/x.csv"), { name: "Cancelled" });
  await uploads.repeat();
  assert.deepEqual(engine.files.get("/work/x.csv"), [1]);
});

test("A file is whole after an undisturbed upload", { skip }, async () => {
  const { Uploads } = await uploadsModule();
  const engine = fakeEngine();
  await new Uploads(engine).add(fileOf([[1, 2], [3]]), "/work/x.csv");
  assert.deepEqual(engine.files.get("/work/x.csv"), [1, 2, 3]);
});
