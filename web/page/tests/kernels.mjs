// What the tests of the kernels share.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { command, root } from "./page.mjs";

export const scratch = mkdtempSync(join(tmpdir(), "pnsim-kernels-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

export const pagesFolder = join(root, "tests/data/pages");
export const vectors = join(root, "tests/data/vectors");
export const rawVector = join(vectors, "ncu_raw.csv");
export const sourceVector = join(vectors, "ncu_source.csv");

export const fileOf = (path, name = path.slice(path.lastIndexOf("/") + 1)) => ({ name, content: readFileSync(path) });
export const vectorPages = () => [fileOf(sourceVector), fileOf(rawVector)];

// The kernel models that the command derives, by the order of the launches.
export function derived(raw, source) {
  const out = mkdtempSync(join(scratch, "m-"));
  command("derive", "--ncu", raw, "--source", source, "-o", out);
  return readdirSync(out)
    .sort()
    .map((file) => ({
      path: join(out, file),
      profiled_us: JSON.parse(readFileSync(join(out, file), "utf8")).provenance.profiled_us,
    }));
}

export const answerOf = (...args) => JSON.parse(command(...args, "--json"));
export const predictionOf = (model, ...args) => answerOf("--model", model, "--net", "sm", "--reasons", ...args);

export function significant(value) {
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(decimals, 20) });
}

// Waits until no row is without its prediction.
export async function predicted(page, rows) {
  await page.waitForFunction(
    (n) => {
      const shown = [...document.querySelectorAll(".launches tbody tr")];
      return shown.length === n && shown.every((row) => !row.textContent.includes("…"));
    },
    rows,
    { timeout: 120_000 },
  );
}

export const shownRows = (page) =>
  page.$$eval(".launches tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));

export const models = readdirSync(join(root, "models")).filter((name) => name.endsWith(".json"));

// Rows of a CSV that the page saves, without its header. Cells with quotes are not expected.
export async function savedRows(page, group) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    group.getByRole("button", { name: "CSV", exact: true }).click(),
  ]);
  const path = join(scratch, `${Math.random()}.csv`);
  await download.saveAs(path);
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
}

// The saving buttons of the picture whose file name ends so.
export const picture = (page, ending) => page.locator(`[aria-label$="${ending}"].takeaways`);
export const notices = (page) => page.locator(".notices");
