// Packs the engine into one ES module:
//   node pack.mjs GLUE.mjs CODE.wasm ENGINE.in.mjs OUT.mjs ROOT FOLDER...
// The *.json and *.jsonl files of each FOLDER (relative to ROOT) are what the engine finds in /data.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateSync } from "node:zlib";

function filesBelow(root, folder) {
  const files = [];
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) files.push(...filesBelow(root, path));
    else if (/\.jsonl?$/.test(name)) files.push(path);
  }
  return files;
}

function packed(root, folders) {
  const files = folders.flatMap((folder) => filesBelow(root, folder));
  const contents = files.map((file) => readFileSync(join(root, file)));
  const index = Buffer.from(JSON.stringify(files.map((file, i) => [`/data/${file}`, contents[i].length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(index.length);
  return Buffer.concat([length, index, ...contents]);
}

function deflated(bytes) {
  return deflateSync(bytes, { level: 9, memLevel: 9, windowBits: 15, strategy: constants.Z_DEFAULT_STRATEGY }).toString("base64");
}

const [gluePath, codePath, enginePath, outPath, root, ...folders] = process.argv.slice(2);
const code = readFileSync(codePath);
const data = packed(root, folders);
const glue = readFileSync(gluePath, "utf8")
  .replaceAll("import.meta.url", '""')
  .replace(/export default (\w+);?/, "const createGlue = $1;");
if (!glue.includes("const createGlue")) throw new Error(`${gluePath}: no default export found`);
const parts = { code: deflated(code), data: deflated(data) };
writeFileSync(
  outPath,
  `${glue}\nconst wasmText = "${parts.code}";\nconst dataText = "${parts.data}";\n` + readFileSync(enginePath, "utf8"),
);
const kB = (bytes) => `${Math.round(bytes / 1000)} kB`;
console.log(
  `${outPath}: code ${kB(code.length)} (packed ${kB(parts.code.length)}), ` +
    `data ${kB(data.length)} (packed ${kB(parts.data.length)}), module ${kB(statSync(outPath).size)}`,
);
