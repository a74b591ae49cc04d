// The engine in WebAssembly prints what the program prints, byte for byte:
//   node equality.mjs PNSIM ENGINE.mjs ROOT [FILTER]
// PNSIM is the program, ROOT the repository. FILTER: only command lines that contain this text.
// Exits with 1 and shows the first difference when there is one.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pnsim, modulePath, rootPath, filter = ""] = process.argv.slice(2);
const root = resolve(rootPath);
const { createEngine } = await import(pathToFileURL(resolve(modulePath)).href);
const engine = await createEngine();

function namesIn(folder, suffix) {
  return readdirSync(join(root, folder)).filter((name) => name.endsWith(suffix)).sort();
}

const models = namesIn("models", ".json").map((name) => name.slice(0, -".json".length));
const pnmls = ["pnml", "vectors"].flatMap((folder) =>
  readdirSync(join(root, "tests/data", folder))
    .filter((name) => /\.(pnml|xml)$/.test(name)).sort().map((name) => `tests/data/${folder}/${name}`),
);
const pages = namesIn("tests/data/pages", ".raw.csv").map((name) => name.slice(0, -".raw.csv".length));

const paper = ["--set", "W=8", "--set", "xa=9", "--set", "xs=3", "--set", "xg=4"];
const lines = [
  // Both nets side by side: the object of the model's net, with the other one in `also`.
  ...models.map((model) => ["--model", model, "--json"]),
  ...models.map((model) => ["--model", model]),
  ["--model", "norm_group", "--reasons", "--json"],
  ["--model", "radix_shared", "--net", "wpnm", "--set", "l1=40", "--set", "l2=4", "--replicas", "5", "--json"],
  ["--model", "radix_shared", "--set", "xg*=0.5", "--csv"],
  ["--model", "gather", "--cold", "--net", "sm", "--json"],
  ["--model", "copy", "--device", "h100", "--json"],
  ["sensitivity", "norm_group", "--net", "sm"],
  ["sensitivity", "radix_shared", "--net", "wpnm"],
  ["sweep", "--model", "gather", "--net", "sm", "-a", "block=[64,128,256,512]", "--csv"],
  ["sweep", "radix_shared", "-a", "l1=[20:100:20]", "--json"],
  ["compare", "radix_shared", "radix_global"],
  ["rank", "radix_shared", "--axis", "block=[64,96,128]"],
  ["exact", "wpnm", "--set", "W=2", "--set", "S=1", "--set", "l1=3", "--set", "l2=1", "--json"],
  ["device", "list"],
  ["device", "scale", "--from", "h200", "--set", "sms=108", "--set", "clock_mhz=1410"],
  ...["wpnm", "wpnm_literal", "wpnm_program", "sm"].flatMap((net) => [["check", net], ["show", net]]),
  ["run", "wpnm", ...paper, "--json", "--replicas", "3"],
  ["run", "wpnm_literal", ...paper, "--trace", "-", "--trace-steps", "0:200"],
  ["run", "wpnm", ...paper, "--timeline", "OUT/run.svg", "--trace", "OUT/run.json"],
  ["--model", "radix_shared", "--timeline", "OUT/sm.svg", "--trace", "OUT/sm.json"],
  ...pnmls.map((net) => ["check", net]),
  ...pnmls.map((net) => ["run", net, "--json", "--max-steps", "2000"]),
  ...pnmls.map((net) => ["convert", net, "-o", "OUT/net.json"]),
  ...pages.flatMap((page) => [
    ["derive", "--ncu", `tests/data/pages/${page}.raw.csv`, "--source", `tests/data/pages/${page}.source.csv`, "-o", "OUT"],
    ["derive", "--ncu", `tests/data/pages/${page}.raw.csv`, "-o", "OUT"],
  ]),
  ["derive", "--ncu", "tests/data/vectors/ncu_raw.csv", "--source", "tests/data/vectors/ncu_source.csv", "-o", "OUT"],
  // What is wrong is said in the same words.
  ["--model", "radix_sharde"],
  ["--model", "radix_shared", "--set", "l1=1e400"],
  ["--model", "radix_shared", "--set", "xg*=1e400"],
  ["run", "wpnm", "--set", "W=1000000"],
  ["run", "tests/data/pages/torch.raw.csv"],
  ["derive", "--ncu", "tests/data/pages/torch.source.csv", "-o", "OUT"],
  ["frobnicate"],
  [],
  ["help", "sweep"],
];

function inFolder(args, folder) {
  return args.map((arg) => arg.replace(/^OUT(?=\/|$)/, folder));
}

// What depends on the place, on the time or on the commit of a build, and nothing else.
function plain(text, out, data) {
  return text.replaceAll(out, "OUT").replaceAll(`${data}/models`, "DATA/models")
    .replaceAll(`${data}/results`, "DATA/results")
    .replace(/"commit":"[^"]*"/g, '"commit":"COMMIT"')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME");
}

function filesIn(folder, list, read) {
  return Object.fromEntries(list(folder).map((name) => [name, read(`${folder}/${name}`)]));
}

function natively(args) {
  const out = mkdtempSync(join(tmpdir(), "pnsim-equality-"));
  const env = { ...process.env };
  for (const name of ["COLUMNS", "PNSIM_HOME", "PNSIM_MODEL_PATH"]) delete env[name];
  const run = spawnSync(pnsim, inFolder(args, out), { cwd: root, env, maxBuffer: 1 << 28 });
  const text = (bytes) => plain(bytes.toString("utf8"), out, root);
  const files = filesIn(out, (folder) => readdirSync(folder).sort(), (path) => text(readFileSync(path)));
  rmSync(out, { recursive: true });
  return { code: run.status, stdout: text(run.stdout), stderr: text(run.stderr), files };
}

let runs = 0;
function inEngine(args) {
  const out = `/out${++runs}`;
  engine.fs.mkdir(out);
  const run = engine.run(inFolder(args, out));
  const text = (part) => plain(part, out, "/data");
  const files = filesIn(out, (folder) => engine.list(folder), (path) => {
    const content = text(new TextDecoder().decode(engine.readFile(path)));
    engine.removeFile(path);
    return content;
  });
  return { code: run.code, stdout: text(run.stdout), stderr: text(run.stderr), files };
}

function copyFolder(folder) {
  for (const name of readdirSync(join(root, folder))) {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) copyFolder(path);
    else engine.writeFile(`/work/${path}`, readFileSync(join(root, path)));
  }
}

// The first line that differs, on both sides.
function difference(here, there) {
  const a = here.split("\n"), b = there.split("\n");
  const at = a.findIndex((line, i) => line !== b[i]);
  const i = at < 0 ? a.length : at;
  return `line ${i + 1}\n    program: ${(a[i] ?? "(end)").slice(0, 400)}\n    engine:  ${(b[i] ?? "(end)").slice(0, 400)}`;
}

function compare(args) {
  const program = natively(args);
  const module = inEngine(args);
  const faults = [];
  if (program.code !== module.code) faults.push(`exit code: program ${program.code}, engine ${module.code}`);
  for (const stream of ["stdout", "stderr"]) {
    if (program[stream] !== module[stream]) faults.push(`${stream}: ${difference(program[stream], module[stream])}`);
  }
  for (const name of new Set([...Object.keys(program.files), ...Object.keys(module.files)])) {
    const [here, there] = [program.files[name] ?? "", module.files[name] ?? ""];
    if (here !== there) faults.push(`${name}: ${difference(here, there)}`);
  }
  return { faults, bytes: program.stdout.length + Object.values(program.files).join("").length };
}

copyFolder("tests/data");
const chosen = lines.filter((args) => args.join(" ").includes(filter));
let failed = 0, bytes = 0;
for (const args of chosen) {
  const result = compare(args);
  bytes += result.bytes;
  if (result.faults.length === 0) continue;
  ++failed;
  console.log(`pnsim ${args.join(" ")}\n  ${result.faults.join("\n  ")}`);
}
console.log(`${chosen.length} command lines, ${bytes} bytes compared, ${failed} differ`);
process.exit(failed === 0 && chosen.length > 0 ? 0 : 1);
