// Measures the engine in node: node measure.mjs ENGINE.mjs [RUNS]. Prints a table: load time, answer
// times of explore by the number of warps (median and 95th percentile), the surfaces, and memory.
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const path = resolve(process.argv[2] ?? "build/page/engine.mjs");
const runs = Number(process.argv[3] ?? 50);

function quantile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

function timed(action) {
  const start = performance.now();
  const value = action();
  if (value.error) throw new Error(value.error);
  return performance.now() - start;
}

function row(what, times) {
  console.log(`${what.padEnd(44)} ${quantile(times, 0.5).toFixed(1).padStart(9)} ${quantile(times, 0.95).toFixed(1).padStart(9)}`);
}

const start = performance.now();
const { createEngine } = await import(pathToFileURL(path).href);
const engine = await createEngine();
const loaded = performance.now() - start;
const first = timed(() => engine.explore({ net: "wpnm", W: 64, S: 4, l1: 20, l2: 2, xa: 100, xs: 20, xg: 20, timeline: true }));

console.log(`${"module (kB)".padEnd(44)} ${(statSync(path).size / 1000).toFixed(0).padStart(9)}`);
console.log(`${"load (ms)".padEnd(44)} ${loaded.toFixed(0).padStart(9)}`);
console.log(`${"first answer after loading (ms)".padEnd(44)} ${first.toFixed(0).padStart(9)}`);
console.log(`${"".padEnd(44)} ${"median ms".padStart(9)} ${"P95 ms".padStart(9)}`);
for (const timeline of [false, true]) {
  for (const W of [8, 16, 32, 64]) {
    const times = [];
    for (let seed = 1; seed <= runs; ++seed) {
      times.push(timed(() => engine.explore({ net: "wpnm", W, S: 4, l1: 20, l2: 2, xa: 100, xs: 20, xg: 20, seed, timeline })));
    }
    row(`explore W=${W}${timeline ? " with timeline" : ""}`, times);
  }
}
const l1 = Array.from({ length: 21 }, (_, i) => 10 * i + 1);
const l2 = Array.from({ length: 21 }, (_, i) => 2 * i + 1);
const few = Array.from({ length: 5 }, (_, i) => i + 1);
row("surface 21 x 21, 64 warps", few.map((seed) => timed(() => engine.surface({ net: "wpnm", W: 64, S: 4, xa: 100, xs: 20, xg: 20, l1, l2, seed }))));
row("surface 21 x 21, radix_shared", few.map((seed) => timed(() => engine.surface({ net: "wpnm", model: "radix_shared", l1, l2, seed }))));
const command = few.map(() => timed(() => {
  const run = engine.run(["--model", "radix_shared", "--json"]);
  return run.code === 0 ? run : { error: run.stderr };
}));
row("run --model radix_shared --json", command);
console.log(`${"memory of the module (MB)".padEnd(44)} ${(engine.memoryBytes() / 1e6).toFixed(1).padStart(9)}`);
console.log(`${"memory of the process (MB)".padEnd(44)} ${(process.memoryUsage().rss / 1e6).toFixed(0).padStart(9)}`);
