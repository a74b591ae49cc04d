// Bundles the page into one self-contained file: build/page/pnsim.html.
//   node build.mjs [ENGINE.mjs [OUT.html]]
import { build } from "esbuild";
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");
const enginePath = resolve(process.argv[2] ?? process.env.PNSIM_ENGINE ?? join(root, "build/page/engine.mjs"));
const outPath = resolve(process.argv[3] ?? join(root, "build/page/pnsim.html"));

async function bundled(entry, alias = {}) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    legalComments: "none",
    charset: "utf8",
    alias,
    external: ["module", "fs", "path", "url", "crypto"], // Emscripten's way into node, unused here
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

// Inside a script element only "</script" and "<!--" have a meaning.
const inScript = (text) => text.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");

const page = await bundled("main.ts");
const worker = await bundled("worker.ts", { "pnsim-engine": enginePath });
const sheets = ["page.css", ...readdirSync(join(here, "src/views")).filter((f) => f.endsWith(".css")).sort().map((f) => `views/${f}`)];
const style = sheets.map((sheet) => readFileSync(join(here, "src", sheet), "utf8")).join("\n");
const put = (html, name, text) => html.replace(`/*${name}*/`, () => text);
let html = readFileSync(join(here, "src/page.html"), "utf8");
html = put(html, "STYLE", style);
html = put(html, "WORKER", inScript(worker));
html = put(html, "PAGE", inScript(page));

mkdirSync(dirname(outPath), { recursive: true });
writeFileSync(outPath, html);
console.log(`${outPath}: ${Math.round(statSync(outPath).size / 1000)} kB`);
