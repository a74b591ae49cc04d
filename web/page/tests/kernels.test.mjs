// The kernels: dropped profiles and shipped models, compared with the command.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { command, drop, pageTest, root, usesBrowser } from "./page.mjs";

usesBrowser();

const scratch = mkdtempSync(join(tmpdir(), "pnsim-kernels-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const pagesFolder = join(root, "tests/data/pages");
const vectors = join(root, "tests/data/vectors");
const fileOf = (folder, name, as = name) => ({ name: as, content: readFileSync(join(folder, name)) });
const vectorPages = () => [fileOf(vectors, "ncu_source.csv"), fileOf(vectors, "ncu_raw.csv")];

// The predictions of the command for the same pages, by file name.
function predictedByCommand(raw, source) {
  const out = mkdtempSync(join(scratch, "m-"));
  command("derive", "--ncu", raw, "--source", source, "-o", out);
  return readdirSync(out).sort().map((file) => ({
    file, path: join(out, file),
    answer: JSON.parse(command("--model", join(out, file), "--net", "sm", "--reasons", "--json")),
    profiled_us: JSON.parse(readFileSync(join(out, file), "utf8")).provenance.profiled_us,
  }));
}

const significant = (value) => {
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(decimals, 20) });
};

// Waits until no row is without its prediction.
async function predicted(page, rows) {
  await page.waitForFunction((n) => {
    const shown = [...document.querySelectorAll(".launches tbody tr")];
    return shown.length === n && shown.every((row) => !row.textContent.includes("…"));
  }, rows, { timeout: 120_000 });
}

const cells = (page) => page.$$eval(".launches tbody tr", (rows) =>
  rows.map((row) => [...row.children].map((cell) => cell.textContent)));

async function savedCsv(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const path = join(scratch, `${Math.random()}.csv`);
  await download.saveAs(path);
  return readFileSync(path, "utf8").trimEnd().split("\n").map((line) => line.split(","));
}

pageTest("Dropped pages in any order give the command's predictions", "#kernels", async (page) => {
  const expected = predictedByCommand(join(vectors, "ncu_raw.csv"), join(vectors, "ncu_source.csv"));
  await drop(page, vectorPages());
  await predicted(page, expected.length);
  const shown = await cells(page);
  expected.forEach(({ answer, profiled_us }, i) => {
    const launch = answer.launches[0];
    assert.deepEqual(shown[i].slice(0, 6), [String(i), launch.kernel, String(launch.grid), String(launch.block),
      significant(answer.time_us.value), significant(profiled_us)]);
  });
  const rows = await savedCsv(page, () => page.getByRole("button", { name: "CSV" }).click());
  expected.forEach(({ answer }, i) => assert.equal(Number(rows[i + 1][4]), answer.time_us.value));
});

pageTest("A launch page has the command's reasons and units", "#kernels", async (page) => {
  const expected = predictedByCommand(join(vectors, "ncu_raw.csv"), join(vectors, "ncu_source.csv"));
  await drop(page, vectorPages());
  await predicted(page, expected.length);
  await page.locator(".launches tbody tr").nth(1).locator("td").nth(2).click();
  await page.waitForSelector(".launch .figure");
  assert.match(page.url(), /launch=0001-block_sum/);
  const { breakdown } = expected[1].answer;
  const rows = await savedCsv(page, () => page.getByRole("group", { name: /reasons/ }).getByRole("button", { name: "CSV" }).click());
  for (const side of ["schedulers", "warps"]) {
    const shown = Object.fromEntries(rows.filter((row) => row[0] === side).map((row) => [row[1], Number(row[3])]));
    const wanted = Object.fromEntries(Object.entries(breakdown[side]).filter(([, share]) => share > 0));
    assert.deepEqual(shown, wanted);
  }
  const profiled = rows.filter((row) => row[0] === "profiler").reduce((sum, row) => sum + Number(row[3]), 0);
  assert.ok(Math.abs(profiled - 1) < 1e-9, `profiler's shares: ${profiled}`);
  const units = await savedCsv(page, () => page.getByRole("group", { name: /units/ }).getByRole("button", { name: "CSV" }).click());
  assert.deepEqual(Object.fromEntries(units.slice(1).map(([name, share]) => [name, Number(share)])), breakdown.units);
});

pageTest("Shipped models are predicted without any file", "#kernels", async (page) => {
  await predicted(page, readdirSync(join(root, "models")).filter((name) => name.endsWith(".json")).length);
  const row = page.locator('.launches tbody tr[data-key="norm_group"]');
  const answer = JSON.parse(command("--model", "norm_group", "--net", "sm", "--reasons", "--json"));
  assert.ok((await row.textContent()).includes(significant(answer.time_us.value)));
  await row.getByRole("link").click();
  await page.waitForSelector(".launch .facts");
  assert.ok((await page.locator(".launch .facts").textContent()).includes(`${significant(answer.time_us.value)} µs`));
});
